import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeObject, vxlanNode } from '../../unit/cli/nodes/node-list.ts';
import { type Node, startNode } from '../node.ts';
import { createNetwork, l2bridge, overlay, sync } from './sync-node.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: '10.0.0.4', prefixLength: 16 }] });
});
afterEach(() => node.stop());

/** Nodes 1 to `count`; node 1 is this one. */
const members = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const number = at + 1;
    const octets = `${number >> 8}.${number & 255}`;
    const [high, low] = [number >> 8, number & 255].map((octet) => octet.toString(16).padStart(2, '0'));
    return {
      name: `node-${number}`,
      podCIDRs: [number === 1 ? '10.244.1.0/24' : `172.${16 + (number >> 8)}.${number & 255}.0/24`],
      address:
        number === 1 ? '10.0.0.4' : `10.0.${octets.replace(/^0\./, '1.').replace(/^(\d+)\.(\d+)$/, '$1.$2')}`,
      mac: `00:15:5d:00:${high}:${low}`,
    };
  });
const cases = [
  { type: 'Overlay', config: overlay(), member: vxlanNode },
  { type: 'L2Bridge', config: l2bridge(), member: nodeObject },
];

test.each(cases)(
  'on an $type network, the calls of a sync grow with the differences, and not with the nodes',
  async ({ config, member }) => {
    await createNetwork(node, config);
    /** The number of calls that a sync makes. */
    const callsOf = async (count: number) => {
      const before = node.hns.calls.length + node.hns.ipHelperCalls.length;
      const { exitCode, stderr } = await sync(
        node,
        config,
        members(count).map((one) => member(one)),
      );
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return node.hns.calls.length + node.hns.ipHelperCalls.length - before;
    };
    await callsOf(10);
    const same = await callsOf(10);
    const one = await callsOf(11);
    await callsOf(999);
    expect(await callsOf(999)).toBe(same);
    expect(await callsOf(1000)).toBe(one);
    expect(one).toBeLessThan(same + 6);
  },
);
