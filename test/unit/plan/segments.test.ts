import { describe, expect, test } from 'vitest';
import type { HostComputeNetwork, Policy } from '../../../src/hcn/documents.ts';
import {
  describeOverlap,
  findOverlaps,
  isOnOneSegment,
  segmentOfAddress,
} from '../../../src/plan/segments.ts';
import { hostAdapters } from './host-adapters.ts';

const isolation = (Type: string, IsolationId?: number): Policy => ({ Type, Settings: { IsolationId } });
const network = (
  Type: string,
  Name: string,
  adapter: string | undefined,
  ...subnets: readonly (readonly [prefix: string, ...Policy[]])[]
): HostComputeNetwork => ({
  Name,
  Type,
  ...(adapter !== undefined && {
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: adapter } }],
  }),
  Ipams: [{ Subnets: subnets.map(([IpAddressPrefix, ...Policies]) => ({ IpAddressPrefix, Policies })) }],
  SchemaVersion: { Major: 2, Minor: 0 },
});
const subnet = '10.244.1.0/24';
const bridge = network('L2Bridge', 'a', 'Ethernet', [subnet]);
const overlay = network('Overlay', 'o', 'Ethernet', [subnet, isolation('VSID', 4096)]);

describe('the segment of an address', () => {
  const ofNetwork = (given: HostComputeNetwork, ...Policies: readonly Policy[]) => ({
    ...given,
    Policies: [...(given.Policies ?? []), ...Policies],
  });

  test.each([
    ['L2Bridge', bridge, 'adapter "Ethernet"'],
    ['L2Tunnel', network('L2Tunnel', 'a', 'Ethernet 2', [subnet]), 'adapter "Ethernet 2"'],
    [
      'a VLAN',
      network('Transparent', 'a', 'Ethernet', [subnet, isolation('VLAN', 7)]),
      'adapter "Ethernet" with VLAN 7',
    ],
    [
      'VLAN 1',
      network('Transparent', 'a', 'Ethernet', [subnet, isolation('vlan', 1)]),
      'adapter "Ethernet" with VLAN 1',
    ],
    [
      'VLAN 0, which is none',
      network('L2Bridge', 'a', 'Ethernet', [subnet, isolation('VLAN', 0)]),
      'adapter "Ethernet"',
    ],
    [
      'a VLAN policy without an ID',
      network('L2Bridge', 'a', 'Ethernet', [subnet, isolation('VLAN')]),
      'adapter "Ethernet"',
    ],
    [
      'the VLAN of the whole network',
      ofNetwork(bridge, isolation('VLAN', 8)),
      'adapter "Ethernet" with VLAN 8',
    ],
    [
      'the VLAN of the subnet before that of the network',
      ofNetwork(network('L2Bridge', 'a', 'Ethernet', [subnet, isolation('VLAN', 7)]), isolation('VLAN', 8)),
      'adapter "Ethernet" with VLAN 7',
    ],
    [
      'a VSID of a network without VSIDs',
      network('L2Bridge', 'a', 'Ethernet', [subnet, isolation('VSID', 7)]),
      'adapter "Ethernet"',
    ],
    ['Overlay', overlay, 'adapter "Ethernet" with VSID 4096'],
    ['Overlay without a VSID', network('Overlay', 'o', 'Ethernet', [subnet]), undefined],
    ['Overlay with a VLAN', network('Overlay', 'o', 'Ethernet', [subnet, isolation('VLAN', 7)]), undefined],
    ['an unknown adapter', network('L2Bridge', 'a', undefined, [subnet]), undefined],
    ['NAT', network('NAT', 'a', 'Ethernet', [subnet]), undefined],
    ['another subnet', network('L2Bridge', 'a', 'Ethernet', ['10.9.0.0/16']), undefined],
    [
      'the first subnet that contains it',
      network(
        'L2Bridge',
        'a',
        'Ethernet',
        ['x'],
        ['10.9.0.0/16'],
        [subnet, isolation('VLAN', 7)],
        ['10.0.0.0/8'],
      ),
      'adapter "Ethernet" with VLAN 7',
    ],
  ])('with %s', (_, given, expected) => {
    expect(segmentOfAddress(given, '10.244.1.9', hostAdapters)).toBe(expected);
  });
});

describe('the subnets of two networks', () => {
  const other = (Type: string, adapter: string, prefix: string, ...policies: readonly Policy[]) =>
    network(Type, 'b', adapter, [prefix, ...policies]);
  const vlan = (id: number) => isolation('VLAN', id);
  const overlapsOf = (one: HostComputeNetwork, ...others: readonly HostComputeNetwork[]) =>
    findOverlaps(one, others, hostAdapters);

  test.each<[string, HostComputeNetwork, HostComputeNetwork, boolean | undefined]>([
    ['on one adapter', bridge, other('L2Bridge', 'ETHERNET', '10.244.0.0/16'), true],
    ['on one adapter, in the other order', other('L2Bridge', 'ETHERNET', '10.244.0.0/16'), bridge, true],
    [
      'in one VLAN',
      network('L2Bridge', 'a', 'Ethernet', [subnet, vlan(7)]),
      other('Transparent', 'Ethernet', subnet, vlan(7)),
      true,
    ],
    ['with one VSID', overlay, other('Overlay', 'Ethernet', subnet, isolation('VSID', 4096)), true],
    ['on two adapters', bridge, other('L2Bridge', 'Ethernet 2', subnet), false],
    [
      'in two VLANs',
      network('L2Bridge', 'a', 'Ethernet', [subnet, vlan(7)]),
      other('L2Bridge', 'Ethernet', subnet, vlan(8)),
      undefined,
    ],
    [
      'with a VLAN and without',
      network('L2Bridge', 'a', 'Ethernet', [subnet, vlan(7)]),
      other('L2Bridge', 'Ethernet', subnet),
      undefined,
    ],
    ['without a VLAN and with one', bridge, other('L2Bridge', 'Ethernet', subnet, vlan(7)), undefined],
    ['with two VSIDs', overlay, other('Overlay', 'Ethernet', subnet, isolation('VSID', 4097)), undefined],
    ['that are disjoint', bridge, other('L2Bridge', 'Ethernet', '10.244.2.0/24'), undefined],
    ['of which one is a placeholder', bridge, other('L2Bridge', 'Ethernet', '0.0.0.0/0'), undefined],
    ['of which one is invalid', bridge, other('L2Bridge', 'Ethernet', 'x'), undefined],
    ['of which one is very wide', bridge, other('L2Bridge', 'Ethernet', '0.0.0.0/1'), true],
    ['of which one is on an unknown segment', bridge, other('NAT', 'Ethernet', subnet), undefined],
  ])('%s overlap on one segment: %j', (_, one, second, onOne) => {
    expect(overlapsOf(one, second).map(isOnOneSegment)).toEqual(onOne === undefined ? [] : [onOne]);
  });

  test('are described with their networks and the consequence', () => {
    const wide = other('L2Bridge', 'Ethernet', '10.244.0.0/16', vlan(7));
    const inVlan = network('L2Bridge', 'a', 'Ethernet', ['10.9.0.0/16', vlan(7)], [subnet, vlan(7)]);
    expect(overlapsOf(inVlan, overlay, wide).map(describeOverlap)).toEqual([
      'subnet 10.244.1.0/24 of network "a" overlaps with 10.244.0.0/16 of network "b" on adapter "Ethernet" with VLAN 7: ' +
        'pods of both networks can get the same address',
    ]);
    expect(overlapsOf(bridge, other('L2Bridge', 'Ethernet 2', '10.244.0.0/16')).map(describeOverlap)).toEqual(
      [
        'subnet 10.244.1.0/24 of network "a" on adapter "Ethernet" overlaps with 10.244.0.0/16 of network "b" on adapter "Ethernet 2": ' +
          'the node sends traffic to an address in both through one of the adapters only',
      ],
    );
  });
});
