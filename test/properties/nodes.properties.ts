import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ClusterNode } from '../../src/cli/network/cluster-node.ts';
import { readNodeList } from '../../src/cli/network/cluster-node.ts';
import { clusterRoutes, holderOf, type OwnSide } from '../../src/cli/network/cluster-routes.ts';
import { CniError } from '../../src/cni/error.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import type { Property } from './property.ts';

/** A value that no member of a node should have. */
const odd = fc.oneof(
  { maxDepth: 2 },
  fc.constantFrom<unknown>(null, '', 0, -1, true, [], {}, [null], { a: [] }, '\u0000', '__proto__'),
  fc.json().map((text): unknown => JSON.parse(text)),
);
/** Mostly the right value. */
const mostly = <T>(...values: readonly fc.Arbitrary<T>[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.oneof(...values) }, { weight: 1, arbitrary: odd });

const subnet = fc.constantFrom(
  '10.244.1.0/24',
  '10.244.2.0/24',
  '10.244.2.128/25',
  '10.244.3.7/24',
  '10.244.0.0/16',
  'fd00:10:244:2::/64',
  'FD00:10:244:2:0::/64',
  'fd00:10:244::/48',
  '::ffff:10.244.2.0/120',
  '0.0.0.0/0',
  '10.0.0.0/8',
  '10.244.2.0/33',
  '300.0.0.0/8',
);
const address = fc.constantFrom(
  '10.0.0.4',
  '10.0.0.5',
  '10.0.0.6',
  '10.244.2.1',
  '127.0.0.1',
  '0.0.0.0',
  '224.0.0.1',
  'fd00::5',
  'fe80::5%3',
  'node-1',
);
const backendData = fc.oneof(
  fc
    .record({
      VNI: mostly(fc.constantFrom(1, 4095, 4096, 5000, 16_777_215)),
      VtepMAC: mostly(
        fc.constantFrom('00:15:5d:00:00:02', '00-15-5D-00-00-02', '0e:2a:00:00:00:03', 'ff:ff:ff:ff:ff:ff'),
      ),
    })
    .map((data) => JSON.stringify(data)),
  fc.constantFrom('null', '{', '[]', '"vxlan"', ''),
);
const key = (name: string) => `flannel.alpha.coreos.com/${name}`;
const annotations = fc.record(
  {
    [key('backend-type')]: mostly(fc.constantFrom('vxlan', 'host-gw', 'wireguard')),
    [key('backend-data')]: mostly(backendData),
    [key('backend-v6-data')]: mostly(backendData),
    [key('public-ip')]: mostly(address),
    [key('public-ip-overwrite')]: mostly(address),
    [key('public-ipv6')]: mostly(address),
  },
  { requiredKeys: [] },
);
const nodeObject = fc.record(
  {
    kind: fc.constantFrom('Node', 'Node', 'Node', undefined),
    metadata: mostly(
      fc.record(
        { name: mostly(fc.constantFrom('a', 'b', 'c', 'd')), annotations: mostly(annotations) },
        { requiredKeys: ['name'] },
      ),
    ),
    spec: mostly(
      fc.record(
        { podCIDRs: mostly(fc.array(mostly(subnet), { maxLength: 2 })), podCIDR: mostly(subnet) },
        { requiredKeys: [] },
      ),
    ),
    status: mostly(
      fc.record({
        addresses: mostly(
          fc.array(
            mostly(fc.record({ type: fc.constantFrom('InternalIP', 'Hostname'), address: mostly(address) })),
            { maxLength: 2 },
          ),
        ),
      }),
    ),
  },
  { requiredKeys: ['metadata'] },
);
const own = {
  kind: 'Node',
  metadata: { name: 'own' },
  spec: { podCIDRs: ['10.244.1.0/24'] },
  status: { addresses: [{ type: 'InternalIP', address: '10.0.0.4' }] },
};
const nodeObjects = fc
  .tuple(fc.array(nodeObject, { maxLength: 6 }), fc.boolean())
  .map(([nodes, hasOwn]): readonly unknown[] => (hasOwn ? [own, ...nodes] : nodes));

const subnets = [['10.244.1.0/24'], ['10.244.1.0/24', 'fd00:10:244:1::/64']];
const side: fc.Arbitrary<OwnSide> = fc.record({
  network: fc.constant('pods'),
  underlay: fc.constantFrom<OwnSide['underlay']>(
    { type: 'Overlay', vsid: 4096 },
    {
      type: 'L2Bridge',
      onLink: [
        { address: '10.0.0.4', length: 24 },
        { address: 'fd00::4', length: 64 },
      ],
    },
  ),
  subnets: fc.constantFrom(...subnets),
  addresses: fc.constantFrom(['10.0.0.4', '127.0.0.1'], ['192.0.2.1']),
  gateways: fc.constant(['10.0.0.1']),
  configured: fc.constantFrom<readonly string[]>([], ['10.244.2.0/24']),
});

/** Undefined if the list is refused, which must be in words. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof CniError, String(error));
    return undefined;
  }
}

function readNodes(items: readonly unknown[]): readonly ClusterNode[] | undefined {
  const text = JSON.stringify({ kind: 'List', items });
  return attempt(() => readNodeList(new TextEncoder().encode(text), 'nodes.json'));
}

/** A configuration with these remote subnets and the network of the side. */
function configOf({ underlay, subnets: prefixes }: OwnSide, remoteSubnets: readonly object[]): object {
  const overlay = underlay.type === 'Overlay' ? { vsid: 4096 } : {};
  return {
    cniVersion: '1.0.0',
    name: 'pods',
    type: 'win-hcn',
    networkType: underlay.type,
    subnets: prefixes.map((prefix) => ({ subnet: prefix, ...overlay })),
    remoteSubnets,
  };
}

export const nodeProperties: readonly Property[] = [
  {
    name: 'whatever the nodes of a cluster say, their remote subnets are a valid configuration, and no node is left out silently',
    property: fc.property(nodeObjects, side, (items, given) => {
      const nodes = readNodes(items);
      const chosen = nodes && attempt(() => clusterRoutes(nodes, given));
      if (nodes === undefined || chosen === undefined) return;
      const { wanted, skipped } = chosen;
      const config = { ...configOf(given, [...wanted]) };
      assert.deepEqual(readNetworkConfig(config).remoteSubnets, wanted);
      const reached = new Set(wanted.map(({ subnet: text }) => text));
      for (const node of nodes.filter((one) => one !== chosen.own)) {
        const isReached = node.podSubnets?.some((text) => reached.has(text)) === true;
        assert.ok(isReached || skipped.some(({ name }) => name === node.name), `${node.name} is left out`);
      }
    }),
    runs: { test: 2000, fuzz: 20_000 },
  },
  {
    name: 'a skipped node keeps the remote subnets that it has, unless the configuration has them',
    property: fc.property(nodeObjects, side, (items, given) => {
      const nodes = readNodes(items);
      const chosen = nodes && attempt(() => clusterRoutes(nodes, { ...given, configured: [] }));
      if (nodes === undefined || chosen === undefined) return;
      const reached = new Set(chosen.wanted.map(({ subnet: text }) => text));
      // Two pages of a list may contain the same node.
      const isOwn = (one: ClusterNode) => JSON.stringify(one) === JSON.stringify(chosen.own);
      for (const { name, podSubnets } of nodes.filter((one) => !isOwn(one)))
        for (const text of podSubnets ?? ['192.0.2.0/24']) {
          const isOther = given.subnets.every((mine) => mine.includes(':') !== text.includes(':'));
          if (isOther || reached.has(text)) continue;
          const holder = holderOf({ subnet: text, via: undefined }, chosen.skipped);
          assert.ok(holder !== undefined, `${text} of ${name} is removed`);
        }
    }),
    runs: { test: 2000, fuzz: 20_000 },
  },
  {
    name: 'the order of the nodes does not change their remote subnets',
    property: fc.property(nodeObjects, side, (items, given) => {
      const nodes = readNodes(items);
      if (nodes === undefined) return;
      const decide = (list: readonly ClusterNode[]) => {
        const chosen = attempt(() => clusterRoutes(list, given));
        return chosen?.wanted.map((one) => JSON.stringify(one)).toSorted();
      };
      assert.deepEqual(decide(nodes.toReversed()), decide(nodes));
    }),
    runs: { test: 1000, fuzz: 10_000 },
  },
];
