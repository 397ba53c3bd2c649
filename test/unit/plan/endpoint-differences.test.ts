import { describe, expect, test } from 'vitest';
import type { HostComputeEndpoint } from '../../../src/hcn/documents.ts';
import { endpointFailures, endpointNotices } from '../../../src/plan/endpoint-differences.ts';

const acl = { Type: 'ACL', Settings: { Action: 'Block', Direction: 'In', Priority: 100 } };
const nat = { Type: 'OutBoundNAT', Settings: {} };
const narrow = { Type: 'OutBoundNAT', Settings: { Destinations: ['10.96.0.0/12'] } };

const sent: HostComputeEndpoint = {
  Name: 'pod1_l2bridge_eth0',
  HostComputeNetwork: '9c1f0a2e-1d0b-4c2e-8a3f-5b6c7d8e9f00',
  IpConfigurations: [{ IpAddress: '10.244.1.5', PrefixLength: 24 }],
  MacAddress: '0E-2A-0A-F4-01-05',
  Policies: [acl, nat, narrow],
  SchemaVersion: { Major: 2, Minor: 0 },
};

describe('an endpoint that HNS created', () => {
  test.each([
    ['as it was sent', {}],
    [
      'as it was sent, in another notation',
      {
        MacAddress: '0e:2a:0a:f4:01:05',
        Policies: ['acl', 'OUTBOUNDNAT', 'L2Driver', 'OutboundNat'].map((Type) => ({ Type, Settings: {} })),
      },
    ],
  ])('%s has no failures and no notices', (_, change) => {
    expect(endpointFailures(sent, { ...sent, ...change })).toEqual([]);
    expect(endpointNotices(sent, { ...sent, ...change })).toEqual([]);
  });

  test.each([
    [
      'without an address',
      { IpConfigurations: [] },
      [
        'HNS made the endpoint without an address: give the network a subnet',
        'HNS gave the endpoint no address, not 10.244.1.5: win-hcn show ip 10.244.1.5 shows who has that',
      ],
    ],
    [
      'with another address',
      { IpConfigurations: [{ IpAddress: '10.244.1.6', PrefixLength: 24 }] },
      ['HNS gave the endpoint 10.244.1.6, not 10.244.1.5: win-hcn show ip 10.244.1.5 shows who has that'],
    ],
    [
      'as its own gateway',
      { Routes: [{ NextHop: '10.244.1.5', DestinationPrefix: '0.0.0.0/0' }] },
      [
        'HNS gave the endpoint 10.244.1.5, which is the gateway asked for: ask for another, or have an IPAM plugin assign addresses',
      ],
    ],
    [
      'without one of its ACLs',
      { Policies: [nat, narrow] },
      [
        'HNS dropped a policy ACL of the endpoint: leave it out, or update this Windows (cmd /c ver shows its build)',
      ],
    ],
    [
      'in state Degraded',
      { State: 5 },
      [
        'HNS says the endpoint is degraded. See what HNS could not do with Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20, correct it, then DEL and ADD.',
      ],
    ],
  ])('%s is unfit for a pod, and each reason says what to do', (_, change, expected) => {
    expect(endpointFailures(sent, { ...sent, ...change })).toEqual(expected);
  });

  test.each([
    [
      'with another MAC address',
      { MacAddress: '00-15-5D-52-C0-01' },
      ['HNS gave the endpoint MAC address 00-15-5D-52-C0-01, not 0E-2A-0A-F4-01-05'],
    ],
    [
      'with two outbound NAT policies in one',
      { Policies: [acl, nat] },
      ['HNS shows fewer OutBoundNAT policies on the endpoint than were sent'],
    ],
    [
      'with an error in its health',
      { Health: { Data: { LastErrorCode: 0x80004005 } } },
      ['HNS says the endpoint is not healthy: E_FAIL (0x80004005): Unspecified error.'],
    ],
  ])('%s is fit for a pod, with a notice', (_, change, expected) => {
    const made = { ...sent, ...change };
    expect(endpointFailures(sent, made)).toEqual([]);
    expect(endpointNotices(sent, made)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  test('without one of its ACLs has that as a failure alone, and not as a notice', () => {
    expect(endpointNotices(sent, { ...sent, Policies: [nat, narrow] })).toEqual([]);
  });
});
