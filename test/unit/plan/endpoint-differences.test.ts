import { describe, expect, test } from 'vitest';
import type { HostComputeEndpoint } from '../../../src/hcn/documents.ts';
import {
  endpointFailures,
  endpointNotices,
  healthNotice,
  stateFailures,
  translationNotices,
} from '../../../src/plan/endpoint-differences.ts';

const remedy =
  'Delete the pod so that it is recreated. If new endpoints fail too, find the failed policy with Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20 and correct it, or drain the node and run Restart-Service hns.';

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
    ['equal to what was sent', {}],
    [
      'in another notation',
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
      'with another address',
      { IpConfigurations: [{ IpAddress: '10.244.1.6', PrefixLength: 24 }] },
      [
        'HNS assigned 10.244.1.6 to the endpoint, expected 10.244.1.5: run win-hcn show ip 10.244.1.5 to see what uses it',
      ],
    ],
    [
      'with two other addresses',
      {
        IpConfigurations: [
          { IpAddress: '10.244.1.6', PrefixLength: 24 },
          { IpAddress: 'fd00:1::6', PrefixLength: 64 },
        ],
      },
      [
        'HNS assigned 10.244.1.6, fd00:1::6 to the endpoint, expected 10.244.1.5: run win-hcn show ip 10.244.1.5 to see what uses it',
      ],
    ],
    [
      'with its gateway as its address',
      { Routes: [{ NextHop: '10.244.1.5', DestinationPrefix: '0.0.0.0/0' }] },
      [
        'HNS assigned 10.244.1.5 to the endpoint, which is the requested gateway: request another gateway, or use an IPAM plugin',
      ],
    ],
    [
      'without any of its ACLs',
      { Policies: [nat, narrow] },
      [
        'HNS dropped every ACL of the endpoint, which would not be isolated: update Windows (cmd /c ver shows the build)',
      ],
    ],
    ['in state Degraded', { State: 5 }, [`HNS reports the endpoint as degraded. ${remedy}`]],
  ])('%s is unusable, for reasons that include the fix', (_, change, expected) => {
    expect(endpointFailures(sent, { ...sent, ...change })).toEqual(expected);
  });

  test.each([
    [
      'with another MAC address',
      { MacAddress: '00-15-5D-52-C0-01' },
      ['HNS assigned MAC address 00-15-5D-52-C0-01 to the endpoint, expected 0E-2A-0A-F4-01-05'],
    ],
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
    ['with all rules', [block, allow], true],
    ['with one rule for several ports', [settings({ RemotePorts: '25,26' }), allow], true],
    ['with a rule whose settings cannot be read', [{ Type: 'ACL' }], true],
    ['with the action as a number', [settings({ Action: 1 })], true],
    ['without the rule that blocks, and with one that allows the rest', [allow], false],
    ['with a rule that blocks the other direction', [settings({ Direction: 'In' }), allow], false],
  ])('%s is isolated: %s', (_, Policies, isIsolated) => {
    const failures = endpointFailures({ ...sent, Policies: [block, allow] }, { ...sent, Policies });
    const dropped = `HNS dropped ${JSON.stringify(block)} of the endpoint, which would not be isolated: update Windows (cmd /c ver shows the build)`;
    expect(failures).toEqual(isIsolated ? [] : [dropped]);
  });

  test.each([
    [
      'a route to its own address',
      { Routes: [{ NextHop: '10.244.1.5', DestinationPrefix: '10.244.1.0/24' }] },
    ],
    [
      'a route to the loopback interface',
      { Routes: [{ NextHop: '127.0.0.1', DestinationPrefix: '127.0.0.0/8' }] },
    ],
    ['zeros as its MAC address until it is attached', { MacAddress: '00-00-00-00-00-00' }],
  ])('with %s that HNS adds is usable', (_, change) => {
    expect(endpointFailures(sent, { ...sent, ...change })).toEqual([]);
  });

  test('with two ACLs merged is usable, with a notice', () => {
    const two = { ...sent, Policies: [acl, acl, nat, narrow] };
    expect(endpointFailures(two, sent)).toEqual([]);
    expect(endpointNotices(two, sent)).toEqual([
      'HNS returned fewer ACL policies for the endpoint than were sent',
    ]);
  });

  test('without a MAC address is usable, with a notice', () => {
    const { MacAddress: _, ...made } = sent;
    expect(endpointFailures(sent, made)).toEqual([]);
    expect(endpointNotices(sent, made)).toEqual([
      'HNS assigned MAC address none to the endpoint, expected 0E-2A-0A-F4-01-05',
    ]);
    expect(endpointNotices(made, sent)).toEqual([]);
  });

  const long = `x${'y'.repeat(100)}`;
  const route = (DestinationPrefix: string, NextHop: string) => ({ DestinationPrefix, NextHop });

  test.each([
    ['address 0.0.0.0/24', { IpConfigurations: [{ IpAddress: '0.0.0.0', PrefixLength: 24 }] }],
    ['address 224.0.0.1/32', { IpConfigurations: [{ IpAddress: '224.0.0.1' }] }],
    ['address ::/128', { IpConfigurations: [{ IpAddress: '::' }] }],
    ['next hop 127.0.0.1 of route 0.0.0.0/0', { Routes: [route('0.0.0.0/0', '127.0.0.1')] }],
    ['next hop fd00::1 of route 0.0.0.0/0', { Routes: [route('0.0.0.0/0', 'fd00::1')] }],
    ['MAC address "01-00-5E-00-00-01"', { MacAddress: '01-00-5E-00-00-01' }],
    [`MAC address "x${'y'.repeat(79)}"`, { MacAddress: long }],
  ])('with the invalid %s is unusable', (invalid, change) => {
    const [made] = endpointFailures({ ...sent, IpConfigurations: [] }, { ...sent, ...change });
    expect(made).toBe(
      `HNS assigned ${invalid} to the endpoint, which no pod can use: ` +
        'run win-hcn show network 9c1f0a2e-1d0b-4c2e-8a3f-5b6c7d8e9f00 and correct its subnets, or drain the node and run Restart-Service hns',
    );
  });

  test('with routes on-link and to next hops, and without a MAC address, is usable', () => {
    const { MacAddress: _, ...made } = sent;
    const Routes = [
      route('0.0.0.0/0', '10.244.1.1'),
      route('10.0.0.0/8', '0.0.0.0'),
      route('::/0', 'fe80::1'),
      route('fd00::/8', '::'),
    ];
    expect(endpointFailures(sent, { ...made, Routes })).toEqual([]);
    expect(endpointFailures(sent, { ...made, MacAddress: '', Routes: [] })).toEqual([]);
  });

  test('in a preview has a text in place of the address', () => {
    const IpConfigurations = [{ IpAddress: 'assigned by HNS' }];
    expect(endpointFailures({ ...sent, IpConfigurations: [] }, { ...sent, IpConfigurations })).toEqual([]);
  });
});

describe('the state of an endpoint', () => {
  test.each([undefined, 0, 1, 2, 3, 4, 7])('%j is not a failure', (State) => {
    expect(stateFailures({ ...sent, ...(State !== undefined && { State }) })).toEqual([]);
  });

  test.each([
    [5, `HNS reports the endpoint as degraded. ${remedy}`],
    [6, `HNS reports the endpoint as destroyed. ${remedy}`],
  ])('%d is a failure', (State, expected) => {
    expect(stateFailures({ ...sent, State })).toEqual([expected]);
  });
});

describe('the health of an endpoint', () => {
  test.each([{}, { Health: {} }, { Health: { Data: { LastErrorCode: 0 } } }])('%j is good', (given) => {
    expect(healthNotice({ ...sent, ...given })).toEqual([]);
  });

  test('with an error is reported with its unsigned number', () => {
    const Health = { Data: { LastErrorCode: -2_147_467_259 } };
    expect(healthNotice({ ...sent, Health })).toEqual([
      expect.stringMatching(
        /^HNS reports the endpoint as unhealthy: E_FAIL \(0x80004005\): Unspecified error\. ./,
      ),
    ]);
  });
});

describe('a notice about outbound NAT names the pods of other nodes to which it translates', () => {
  const remote = (DestinationPrefix: string) => ({
    Type: 'RemoteSubnetRoute',
    Settings: { DestinationPrefix, IsolationId: 4096, ProviderAddress: '10.0.0.5' },
  });
  const network = (...prefixes: readonly string[]) => ({
    Name: 'overlay',
    Type: 'Overlay',
    Policies: prefixes.map(remote),
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  const notice = (subnets: string) => [
    `the cluster's network is not excepted from outbound NAT: pods of other nodes (${subnets}) see the address of this node`,
  ];
  const with4 = { IpConfigurations: [{ IpAddress: '10.244.1.5', PrefixLength: 24 }] };
  const exceptions = (...Exceptions: readonly string[]) => ({
    Policies: [{ Type: 'OutBoundNAT', Settings: { Exceptions } }],
  });

  test.each([
    ['without exceptions', { Policies: [nat] }, ['10.244.2.0/24'], notice('10.244.2.0/24')],
    [
      'for all but the first',
      { Policies: [nat] },
      ['10.244.2.0/24', '10.244.3.0/24', '10.244.4.0/24'],
      notice('10.244.2.0/24 and 2 more'),
    ],
    [
      'that lack an exception',
      exceptions('10.244.2.0/24'),
      ['10.244.2.0/24', '10.244.3.0/24'],
      notice('10.244.3.0/24'),
    ],
    ['of the families of the endpoint', { Policies: [nat], ...with4 }, ['fd00:2::/64'], []],
    [
      'of all families if the endpoint has no address yet',
      { Policies: [nat], IpConfigurations: [] },
      ['fd00:2::/64'],
      notice('fd00:2::/64'),
    ],
    ['unless exceptions contain them', exceptions('10.244.0.0/16'), ['10.244.2.0/24'], []],
    ['unless it translates only some destinations', { Policies: [narrow] }, ['10.244.2.0/24'], []],
    ['unless there is none', { Policies: [acl] }, ['10.244.2.0/24'], []],
  ])('%s', (_, change, prefixes, expected) => {
    expect(translationNotices({ ...sent, ...change }, network(...prefixes))).toEqual(expected);
  });

  test('unless the endpoint has no policies, or the network no remote subnets', () => {
    const { Policies: _, IpConfigurations: __, ...bare } = sent;
    expect(translationNotices(bare, network('10.244.2.0/24'))).toEqual([]);
    expect(translationNotices({ ...sent, Policies: [nat] }, network())).toEqual([]);
  });
});
