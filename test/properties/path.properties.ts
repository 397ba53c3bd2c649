import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decideAcls } from '../../src/cli/traffic/acls.ts';
import { type Packet, replyTo } from '../../src/cli/traffic/packet.ts';
import type { Path } from '../../src/cli/traffic/path.ts';
import { walk } from '../../src/cli/traffic/walk.ts';
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

export const pathProperties: readonly Property[] = [
  {
    name: 'every packet ends somewhere in every node, with a reason',
    property: fc.property(walks, ({ paths }) => {
      assert.ok(paths.length > 0);
      for (const { because, hops, outcome } of paths) {
        assert.match(because, /[.?]$/);
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
    name: 'a packet passes the ACLs of its sender only if each form of it is allowed',
    property: fc.property(walks, ({ node, sender, source, to, paths }) => {
      if (sender === undefined || to.address === source || familyOf(source) !== familyOf(to.address)) return;
      const packet = packetFrom(source, to);
      const { decision } = decideAcls(sender, 'Out', [packet], node.inventory);
      if (decision !== 'allow') assert.deepEqual(paths.filter(settled), [], decision);
    }),
    runs: { test: 1000, fuzz: 20_000 },
  },
  {
    name: 'a packet arrives in a pod only if its ACLs allow it',
    property: fc.property(walks, ({ node, sender, paths }) => {
      for (const path of paths) {
        if (path.outcome !== 'arrives' || path.receiver.is !== 'pod') continue;
        const { endpoint: id } = path.receiver;
        const receiver = node.inventory.endpoints.find(({ ID }) => ID === id);
        if (receiver === undefined || receiver === sender) continue;
        assert.equal(decideAcls(receiver, 'In', [path.packet], node.inventory).decision, 'allow');
      }
    }),
    runs: { test: 600, fuzz: 10_000 },
  },
  {
    name: 'the reply to a packet that arrives has the addresses that its sender expects',
    property: fc.property(walks, ({ node, sender, source, to, paths }) => {
      for (const path of paths) {
        if (path.outcome !== 'arrives' || path.receiver.is !== 'pod') continue;
        const { endpoint: id } = path.receiver;
        const endpoint = node.inventory.endpoints.find(({ ID }) => ID === id);
        if (endpoint === undefined || endpoint === sender) continue;
        for (const reply of walk(node, { from: 'pod', endpoint, packet: replyTo(path.packet) }, path.state))
          if (
            reply.outcome === 'arrives' &&
            reply.receiver.is === 'pod' &&
            reply.receiver.endpoint === sender?.ID
          )
            assert.deepEqual(reply.packet, replyTo(packetFrom(source, to)));
      }
    }),
    runs: { test: 600, fuzz: 10_000 },
  },
];
