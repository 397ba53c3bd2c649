import { describe, expect, test } from 'vitest';
import {
  flannelAnnotationsOf,
  nodeSideOf,
  reachesOtherNodes,
} from '../../../../src/cli/network/node-side.ts';
import type { ObservedNetwork, Policy } from '../../../../src/hcn/documents.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';

const vsid = { Type: 'VSID', Settings: { IsolationId: 4096 } };
const network = (Type: string, Policies: readonly Policy[] = []): ObservedNetwork => ({
  ID: 'aaaaaaaa-0000-4000-8000-000000000000',
  Name: 'cbr0',
  Type,
  Policies,
  Ipams: [
    {
      Subnets: ['10.244.1.0/24', 'FD00:10:244:1::/64'].map((IpAddressPrefix) => ({
        IpAddressPrefix,
        Policies: Type === 'Overlay' ? [vsid] : [],
      })),
    },
  ],
  SchemaVersion: { Major: 2, Minor: 0 },
});
const drMac = { Type: 'DrMacAddress', Settings: { Address: 'ba:c1:6f:91:17:c7' } };
const provider = (ProviderAddress: string) => ({ Type: 'ProviderAddress', Settings: { ProviderAddress } });
const [adapter] = hostAdapters;
const uplink = (managementAddress: string | undefined, ...addresses: readonly string[]) => ({
  managementAddress,
  adapters:
    adapter === undefined
      ? []
      : [{ ...adapter, addresses: addresses.map((address) => ({ address, length: 24 })) }],
});
const none = uplink(undefined);

const overlaySide = nodeSideOf(network('Overlay', [drMac, provider('10.0.0.4')]), none);
const bridgeSide = nodeSideOf(network('L2Bridge'), uplink('10.0.0.4', 'fe80::1', '10.0.0.4', 'fd00::4'));

describe("this node's side of a dual-stack network", () => {
  test('on Overlay has one provider address and MAC address for both families', () => {
    const tunnel = { providerAddress: '10.0.0.4', macAddress: 'BA-C1-6F-91-17-C7', vsid: 4096 };
    expect(overlaySide).toEqual({
      network: 'cbr0',
      type: 'Overlay',
      remoteSubnets: [
        { subnet: '10.244.1.0/24', ...tunnel },
        { subnet: 'fd00:10:244:1::/64', ...tunnel },
      ],
      missing: [],
    });
  });

  test('on L2Bridge has a next hop of each family, from the interface with the management address', () => {
    expect(bridgeSide).toEqual({
      network: 'cbr0',
      type: 'L2Bridge',
      remoteSubnets: [
        { subnet: '10.244.1.0/24', nextHop: '10.0.0.4' },
        { subnet: 'fd00:10:244:1::/64', nextHop: 'fd00::4' },
      ],
      missing: [],
    });
  });

  const later = 'HNS sets it seconds after the creation of the network';
  test.each([
    [
      'no DrMacAddress',
      network('Overlay', [provider('10.0.0.4')]),
      none,
      [`has no DrMacAddress yet: ${later}`],
    ],
    [
      'an address that other nodes cannot reach',
      network('Overlay', [drMac, provider('169.254.3.4')]),
      none,
      [`has no provider address yet: ${later}`],
    ],
    [
      'a provider address that is none',
      network('Overlay', [drMac, provider("10.0.0.4'; id; echo '")]),
      none,
      [`has no provider address yet: ${later}`],
    ],
    ['no management address', network('L2Bridge'), none, [`has no management address yet: ${later}`]],
  ])('lacks something with %s', (_, given, uplinkGiven, missing) => {
    expect(nodeSideOf(given, uplinkGiven)).toMatchObject({ remoteSubnets: [], missing });
  });

  test.each([undefined, 0, 'none'])('lacks a VSID if a subnet has %j', (IsolationId) => {
    const Policies = IsolationId === undefined ? [] : [{ Type: 'VSID', Settings: { IsolationId } }];
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Policies }] }];
    const given = { ...network('Overlay', [drMac, provider('10.0.0.4')]), Ipams };
    expect(nodeSideOf(given, none)).toMatchObject({
      remoteSubnets: [],
      missing: ['has no VSID for subnet 10.244.1.0/24'],
    });
  });

  test('has the smallest VSID', () => {
    const Policies = [{ Type: 'VSID', Settings: { IsolationId: 1 } }];
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Policies }] }];
    const given = { ...network('Overlay', [drMac, provider('10.0.0.4')]), Ipams };
    expect(nodeSideOf(given, none)).toMatchObject({ remoteSubnets: [{ vsid: 1 }], missing: [] });
  });

  test('on L2Bridge has the management address, and no link-local address', () => {
    const given = uplink('10.0.0.4', '10.0.0.3', '10.0.0.4', 'febf::1', 'fd00::fe80', 'fd00::5');
    expect(nodeSideOf(network('L2Bridge'), given).remoteSubnets).toEqual([
      { subnet: '10.244.1.0/24', nextHop: '10.0.0.4' },
      { subnet: 'fd00:10:244:1::/64', nextHop: 'fd00::fe80' },
    ]);
  });

  test('lacks the family that the node has no address of', () => {
    expect(nodeSideOf(network('L2Bridge'), uplink('10.0.0.4', '10.0.0.4', 'fe80::1'))).toMatchObject({
      remoteSubnets: [{ subnet: '10.244.1.0/24', nextHop: '10.0.0.4' }],
      missing: ['has no IPv6 address of the node for subnet fd00:10:244:1::/64'],
    });
  });
});

test.each([
  ['Overlay', true],
  ['overlay', true],
  ['L2Bridge', true],
  ['l2bridge', true],
  ['L2Tunnel', false],
  ['NAT', false],
])('other nodes reach the pods of a network of type %s: %j', (Type, expected) => {
  expect(reachesOtherNodes(network(Type))).toBe(expected);
});

const prefix = 'flannel.alpha.coreos.com';
const managed = { [`${prefix}/kube-subnet-manager`]: 'true' };
test.each([
  [
    'Overlay: the tunnel of the family of the provider address',
    overlaySide,
    {
      ...managed,
      [`${prefix}/backend-type`]: 'vxlan',
      [`${prefix}/backend-data`]: '{"VNI":4096,"VtepMAC":"ba:c1:6f:91:17:c7"}',
      [`${prefix}/public-ip`]: '10.0.0.4',
    },
    ['fd00:10:244:1::/64'],
  ],
  [
    'L2Bridge: the addresses of both families',
    bridgeSide,
    {
      ...managed,
      [`${prefix}/backend-type`]: 'host-gw',
      [`${prefix}/backend-data`]: 'null',
      [`${prefix}/public-ip`]: '10.0.0.4',
      [`${prefix}/backend-v6-data`]: 'null',
      [`${prefix}/public-ipv6`]: 'fd00::4',
    },
    [],
  ],
])("flannel's annotations on %s", (_, side, annotations, omitted) => {
  expect(flannelAnnotationsOf(side)).toEqual({ annotations, omitted });
});
