import assert from 'node:assert/strict';
import fc from 'fast-check';
import { explainNat } from '../../src/cli/explain-nat/explain-nat.ts';
import type { NodeState } from '../../src/cli/path/node-state.ts';
import type { Packet } from '../../src/cli/path/packet.ts';
import type { Hop, Path } from '../../src/cli/path/path.ts';
import { walk } from '../../src/cli/path/walk.ts';
import { explainAcl } from '../../src/cli/traffic/acl-decision.ts';
import type { ObservedEndpoint } from '../../src/hcn/documents.ts';
import { familyOf } from '../../src/net/address.ts';
import { journey } from '../cluster/judge.ts';
import { router } from '../cluster/router.ts';
import { newWindowsNode } from '../cluster/windows-node.ts';
import { addresses, nodeStates } from './node-states.ts';
import type { Property } from './property.ts';

const destination = fc.record({
  address: addresses,
  port: fc.constantFrom(80, 8080, 443),
  protocol: fc.constantFrom(6, 17),
});

type Destination = typeof destination extends fc.Arbitrary<infer T> ? T : never;

function packetFrom(source: string, { address, port, protocol }: Destination): Packet {
  return { source, destination: address, protocol, sourcePort: 50_000, destinationPort: port };
}

/** A node, a packet of one of its pods, and the ways that it may take. */
const walks = fc.tuple(nodeStates, destination).map(([node, to]) => {
  const [sender] = node.inventory.endpoints;
  const source = sender?.IpConfigurations?.[0]?.IpAddress ?? '';
  const paths =
    sender === undefined ? [] : walk(node, { from: 'pod', endpoint: sender, packet: packetFrom(source, to) });
  return { node, sender, source, to, paths };
});

const settled = (path: Path) => path.outcome === 'arrives' || path.outcome === 'leaves';

/** Whether explain-nat and explain-acl know an endpoint to send: they do not look at its namespace or at the rest of its way. */
function isComparable(
  sender: ObservedEndpoint | undefined,
  source: string,
  to: Destination,
): sender is ObservedEndpoint {
  return sender !== undefined && to.address !== source && familyOf(source) === familyOf(to.address);
}

function hasMatchingService({ inventory, adapters }: NodeState, { address }: Destination): boolean {
  const own = adapters.flatMap((adapter) => adapter.addresses.map((one) => one.address));
  return inventory.loadBalancers.some(({ FrontendVIPs = own }) => FrontendVIPs.includes(address));
}

export const pathProperties: readonly Property[] = [
  {
    name: 'every packet ends somewhere in every node, with a reason',
    property: fc.property(walks, ({ paths }) => {
      assert.ok(paths.length > 0);
      for (const { because, hops, outcome } of paths) {
        assert.match(because, /\.$/);
        assert.ok(hops.length > 0 && hops.length < 100);
        assert.ok(['arrives', 'leaves', 'lost', 'unknown'].includes(outcome));
      }
    }),
    runs: { test: 500, fuzz: 5000 },
  },
  {
    name: 'the judge follows every packet in every cluster to an end',
    property: fc.property(
      fc.tuple(nodeStates, nodeStates),
      fc.tuple(addresses, destination),
      ([one, two], [from, { address, port }]) => {
        const cluster = {
          nodes: [
            newWindowsNode('win-1', one),
            newWindowsNode('win-2', two),
            router({ addresses: ['10.0.0.254/24'], outside: ['8.8.8.8'] }),
          ],
        };
        const to = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
        const isSomewhere = cluster.nodes.some((node) => node.owner(from) !== undefined);
        const { ways, worst } = journey(cluster, isSomewhere ? from : 'win-1', to);
        assert.ok(ways.includes(worst));
      },
    ),
    runs: { test: 400, fuzz: 3000 },
  },
  {
    name: 'a packet leaves or arrives only as explain-nat says, and not if explain-nat is uncertain',
    property: fc.property(walks, ({ node, sender, source, to, paths }) => {
      if (!isComparable(sender, source, to)) return;
      const { says, open } = explainNat(sender, to, node.inventory, node.adapters);
      const [verdict = ''] = says;
      const known = paths.filter(settled);
      if (open || verdict.startsWith('Lost')) {
        assert.deepEqual(known, [], verdict);
        return;
      }
      // Each text is an address, or `a node address` if it is not certain which one.
      const sources = [...verdict.matchAll(/as (a node address|[\d.]+|[\da-f:]+)/g)].map(([, text]) => text);
      const targets = [...verdict.matchAll(/(?:to|or|at) \[?([\d.]+|[\da-f:]+:[\da-f]*)\]?:(\d+)/g)];
      // The NAT of Windows translates after the port.
      const isWindowsNat = node.inventory.networks[0]?.Type === 'NAT';
      for (const path of known) {
        const port: Hop | undefined = path.hops.findLast(
          ({ place, id }) => place === 'port' && id === sender.ID,
        );
        assert.ok(port !== undefined);
        const { source: seen } = port.packet;
        assert.ok(
          isWindowsNat || sources.includes(seen) || sources.includes('a node address'),
          `${verdict} ${seen}`,
        );
        const reached = `${port.packet.destination} ${port.packet.destinationPort}`;
        if (targets.length > 0)
          assert.ok(
            targets.some(([, address, number]) => reached === `${address} ${number}`),
            `${verdict} ${reached}`,
          );
      }
    }),
    runs: { test: 1000, fuzz: 20_000 },
  },
  {
    name: 'a packet passes the ACLs of its sender only as explain-acl says, and not if explain-acl is uncertain',
    property: fc.property(walks, ({ node, sender, source, to, paths }) => {
      if (!isComparable(sender, source, to) || hasMatchingService(node, to)) return;
      const { action, within } = explainAcl(sender, { direction: 'Out', remote: to }, node.inventory);
      if (within !== undefined) return;
      const known = paths.filter(settled);
      if (action !== 'Allow') assert.deepEqual(known, [], `${action}`);
      else assert.ok(!paths.some(({ because }) => because.startsWith('Out ACL')));
    }),
    runs: { test: 1000, fuzz: 20_000 },
  },
  {
    name: 'a packet arrives in a pod only if explain-acl allows it',
    property: fc.property(walks, ({ node, sender, paths }) => {
      for (const path of paths) {
        if (path.outcome !== 'arrives' || path.receiver.is !== 'pod') continue;
        const { endpoint: id } = path.receiver;
        const receiver = node.inventory.endpoints.find(({ ID }) => ID === id);
        const { source, destinationPort: port, protocol, sourcePort } = path.packet;
        if (receiver === undefined || receiver === sender) continue;
        const remote = { address: source, ...(port && { port }), ...(protocol && { protocol }) };
        const { action } = explainAcl(
          receiver,
          { direction: 'In', remote, ...(sourcePort && { sourcePort }) },
          node.inventory,
        );
        assert.equal(action, 'Allow');
      }
    }),
    runs: { test: 600, fuzz: 10_000 },
  },
];
