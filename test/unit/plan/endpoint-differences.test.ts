import { expect, test } from 'vitest';
import type { HostComputeEndpoint } from '../../../src/hcn/documents.ts';
import { endpointDifferences } from '../../../src/plan/endpoint-differences.ts';

const namespace = '0b0e1a6c-6a5e-4c52-8f0c-7d7f1c6a2f10';
const other = '4d1fd9a7-52b2-4e0b-93a5-0de1c3e7bb52';

const sent: HostComputeEndpoint = {
  Name: 'pod1_eth0_l2bridge',
  HostComputeNetwork: '9c1f0a2e-1d0b-4c2e-8a3f-5b6c7d8e9f00',
  IpConfigurations: [{ IpAddress: '10.244.1.5', PrefixLength: 24 }],
  MacAddress: '0E-2A-0A-F4-01-05',
  Policies: [
    { Type: 'OutBoundNAT', Settings: {} },
    { Type: 'OutBoundNAT', Settings: { Destinations: ['10.96.0.0/12'] } },
  ],
  SchemaVersion: { Major: 2, Minor: 0 },
};

const made: HostComputeEndpoint = { ...sent, HostComputeNamespace: namespace };

test('an endpoint that is as it was sent differs in nothing', () => {
  expect(endpointDifferences(sent, namespace, made)).toEqual([]);
});

test('nor does one that HNS writes in its own way', () => {
  const policies = ['OUTBOUNDNAT', 'L2Driver', 'OutboundNat'].map((Type) => ({ Type, Settings: {} }));
  const written = { ...made, MacAddress: '0e:2a:0a:f4:01:05', Policies: policies };
  expect(endpointDifferences(sent, namespace, written)).toEqual([]);
});

test.each([
  [
    'has no address',
    { IpConfigurations: [] },
    [
      'HNS made the endpoint without an address: give the network a subnet',
      'HNS gave the endpoint no address, not 10.244.1.5: win-hcn show ip 10.244.1.5 shows who has that',
    ],
  ],
  [
    'has another address',
    { IpConfigurations: [{ IpAddress: '10.244.1.6', PrefixLength: 24 }] },
    ['HNS gave the endpoint 10.244.1.6, not 10.244.1.5: win-hcn show ip 10.244.1.5 shows who has that'],
  ],
  [
    'is its own gateway',
    { Routes: [{ NextHop: '10.244.1.5', DestinationPrefix: '0.0.0.0/0' }] },
    [
      'HNS gave the endpoint 10.244.1.5, which is the gateway asked for: ask for another, or have an IPAM plugin assign addresses',
    ],
  ],
  [
    'has another MAC address',
    { MacAddress: '00-15-5D-52-C0-01' },
    [
      'HNS gave the endpoint MAC address 00-15-5D-52-C0-01, not 0E-2A-0A-F4-01-05: win-hcn ls endpoints shows who has that',
    ],
  ],
  [
    'lacks one of two policies of a type',
    { Policies: [{ Type: 'OutBoundNAT', Settings: {} }] },
    [
      'HNS dropped a policy OutBoundNAT of the endpoint: leave it out, or update this Windows (cmd /c ver shows its build)',
    ],
  ],
  [
    'lacks both',
    { Policies: [] },
    [
      'HNS dropped a policy OutBoundNAT of the endpoint: leave it out, or update this Windows (cmd /c ver shows its build)',
    ],
  ],
  [
    'is in another namespace',
    { HostComputeNamespace: other },
    [`HNS put the endpoint into namespace ${other}, not ${namespace}: win-hcn ls namespaces shows both`],
  ],
])('of one that %s, each difference says what to do next', (_, change, differences) => {
  expect(endpointDifferences(sent, namespace, { ...made, ...change })).toEqual(differences);
});
