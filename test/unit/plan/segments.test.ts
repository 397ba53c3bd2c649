import { describe, expect, test } from 'vitest';
import type { HostComputeNetwork, Policy } from '../../../src/hcn/documents.ts';
import { findOverlaps, isOnOneSegment, segmentOfAddress } from '../../../src/plan/segments.ts';
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

describe('the segment of an address', () => {
  const ofNetwork = (given: HostComputeNetwork, ...Policies: readonly Policy[]) => ({
    ...given,
    Policies: [...(given.Policies ?? []), ...Policies],
  });

  test.each([
    [
      'the VLAN of the whole network',
      ofNetwork(bridge, isolation('VLAN', 8)),
      'adapter "Ethernet" with VLAN 8',
    ],
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

  const overlapsOf = (one: HostComputeNetwork, ...others: readonly HostComputeNetwork[]) =>
    findOverlaps(one, others, hostAdapters);

  test.each<[string, HostComputeNetwork, HostComputeNetwork, boolean | undefined]>([
    ['on two adapters', bridge, other('L2Bridge', 'Ethernet 2', subnet), false],
    ['of which one is invalid', bridge, other('L2Bridge', 'Ethernet', 'x'), undefined],
    ['of which one is a placeholder', bridge, other('L2Bridge', 'Ethernet', '0.0.0.0/0'), undefined],
    ['of which one is very wide', bridge, other('L2Bridge', 'Ethernet', '0.0.0.0/1'), true],
  ])('%s overlap on one segment: %j', (_, one, second, onOne) => {
    expect(overlapsOf(one, second).map(isOnOneSegment)).toEqual(onOne === undefined ? [] : [onOne]);
  });
});
