import { describe, expect, test } from 'vitest';
import type { HostComputeEndpoint } from '../../../src/hcn/documents.ts';
import {
  endpointFailures,
  endpointNotices,
  translationNotices,
} from '../../../src/plan/endpoint-differences.ts';

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
  test('with two other addresses is unusable, for reasons that include the fix', () => {
    expect(
      endpointFailures(sent, {
        ...sent,
        IpConfigurations: [
          { IpAddress: '10.244.1.6', PrefixLength: 24 },
          { IpAddress: 'fd00:1::6', PrefixLength: 64 },
        ],
      }),
    ).toEqual([
      'HNS assigned 10.244.1.6, fd00:1::6 to the endpoint, expected 10.244.1.5: run win-hcn show ip 10.244.1.5 to see what uses it',
    ]);
  });

  test.each([
    [
      'with two outbound NAT policies merged',
      { Policies: [acl, nat] },
      ['HNS returned fewer OutBoundNAT policies for the endpoint than were sent'],
    ],
    [
      'with an error in its health',
      { Health: { Data: { LastErrorCode: 0x80004005 } } },
      ['HNS reports the endpoint as unhealthy: E_FAIL (0x80004005): Unspecified error.'],
    ],
  ])('%s is usable, with a notice', (_, change, expected) => {
    const made = { ...sent, ...change };
    expect(endpointFailures(sent, made)).toEqual([]);
    expect(endpointNotices(sent, made)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  const block = {
    Type: 'ACL',
    Settings: { Action: 'Block', Direction: 'Out', RemotePorts: '25', Priority: 100 },
  };
  const allow = { Type: 'ACL', Settings: { Action: 'Allow', Direction: 'Out', Priority: 200 } };
  const settings = (changes: object) => ({ Type: 'acl', Settings: { ...block.Settings, ...changes } });

  test.each([
    ['with a rule whose settings cannot be read', [{ Type: 'ACL' }], true],
    ['with the action as a number', [settings({ Action: 1 })], true],
    ['with a rule without an action, which allows', [settings({ Action: undefined }), allow], false],
    ['with a rule that blocks the other direction', [settings({ Direction: 'In' }), allow], false],
  ])('%s is isolated: %s', (_, Policies, isIsolated) => {
    const failures = endpointFailures({ ...sent, Policies: [block, allow] }, { ...sent, Policies });
    const dropped = `HNS dropped ${JSON.stringify(block)} of the endpoint, which would not be isolated: update Windows (cmd /c ver shows the build)`;
    expect(failures).toEqual(isIsolated ? [] : [dropped]);
  });

  test('with a route to the loopback interface that HNS adds is usable', () => {
    expect(
      endpointFailures(sent, {
        ...sent,
        Routes: [{ NextHop: '127.0.0.1', DestinationPrefix: '127.0.0.0/8' }],
      }),
    ).toEqual([]);
  });

  test.each([
    [5, 'degraded'],
    [6, 'destroyed'],
  ])('in state %d is unusable', (State, state) => {
    expect(endpointFailures(sent, { ...sent, State })).toEqual([
      expect.stringContaining(`HNS reports the endpoint as ${state}. `),
    ]);
  });

  test('with one of its gateways as its address is unusable', () => {
    const hops = ['10.244.1.1', '10.244.1.5'];
    const Routes = hops.map((NextHop) => ({ NextHop, DestinationPrefix: '0.0.0.0/0' }));
    expect(endpointFailures(sent, { ...sent, Routes })).toEqual([
      'HNS assigned 10.244.1.5 to the endpoint, which is the requested gateway: request another gateway, or use an IPAM plugin',
    ]);
  });

  test('without an ACL is unusable', () => {
    expect(endpointFailures(sent, { ...sent, Policies: [] })).toEqual([
      'HNS dropped every ACL of the endpoint, which would not be isolated: update Windows (cmd /c ver shows the build)',
    ]);
  });

  test('with another MAC address is usable, with a notice', () => {
    const made = { ...sent, MacAddress: '0E-2A-0A-F4-01-06' };
    expect(endpointNotices(sent, made)).toEqual([
      'HNS assigned MAC address 0E-2A-0A-F4-01-06 to the endpoint, expected 0E-2A-0A-F4-01-05',
    ]);
  });
});

test('outbound NAT without an exception for the pods of other nodes is worth a notice, in the families of the endpoint', () => {
  const policies = ['10.244.2.0/24', 'fd00:2::/64', '10.244.3.0/24', '10.244.4.0/24'].map(
    (DestinationPrefix) => ({ Type: 'RemoteSubnetRoute', Settings: { DestinationPrefix } }),
  );
  const { IpConfigurations: _, ...unassigned } = sent;
  const noticesOf = (made: HostComputeEndpoint, count: number) =>
    translationNotices(made, {
      Name: 'overlay',
      Policies: policies.slice(0, count),
      SchemaVersion: sent.SchemaVersion,
    });
  const notice = (subnets: string) => [
    `the cluster's network is not excepted from outbound NAT: pods of other nodes (${subnets}) see the address of this node`,
  ];
  expect([noticesOf(sent, 0), noticesOf({ ...sent, Policies: [acl] }, 4)]).toEqual([[], []]);
  expect(noticesOf(sent, 2)).toEqual(notice('10.244.2.0/24'));
  expect(noticesOf(sent, 4)).toEqual(notice('10.244.2.0/24 and 2 more'));
  expect(noticesOf(unassigned, 4)).toEqual(notice('10.244.2.0/24 and 3 more'));
});
