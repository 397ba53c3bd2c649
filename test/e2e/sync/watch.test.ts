import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeList } from '../../unit/cli/network/node-list.ts';
import { runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';
import {
  addForeignRoute,
  createNetwork,
  l2bridge,
  overlay,
  plainNode,
  routes,
  tunnelNode,
} from './sync-node.ts';

let node: Node;
let files: Record<string, string>;
beforeEach(async () => {
  node = await startNode();
  files = { 'net.conf': JSON.stringify(overlay()), 'nodes.json': nodesText(1, 2, 3) };
});
afterEach(() => node.stop());

const nodesText = (...numbers: readonly number[]) => nodeList(...numbers.map((n) => tunnelNode(n)));

/** Runs network sync --watch, and calls each pause after a sync. */
async function watch(...pauses: readonly (() => unknown)[]) {
  const words = 'network sync net.conf --nodes nodes.json --yes --watch 10'.split(' ');
  const { exitCode, stdout, stderr } = await runCli(words, {
    system: { ...node.outside, clock: () => new Date(Date.UTC(2026, 0, 1)) },
    files,
    pauses,
  });
  return {
    exitCode,
    log: stdout.replaceAll('2026-01-01T00:00:00.000Z', 'TIME').trimEnd().split('\n'),
    stderr,
  };
}

describe('network sync --watch', () => {
  test('restores remote subnets after a restart of the node', async () => {
    const config = l2bridge();
    await createNetwork(node, config);
    files['net.conf'] = JSON.stringify(config);
    files['nodes.json'] = nodeList(...[1, 2, 3].map((n) => plainNode(n)));
    addForeignRoute(node, '10.244.3.0/24', '10.0.0.99');
    const printed = await watch(() => node.hns.reboot());
    expect(printed).toEqual({
      exitCode: 0,
      log: [
        'TIME + 10.244.2.0/24 via 10.0.0.5',
        'TIME 10.244.3.0/24 is not changed: another program has a route to it through 10.0.0.99, expected 10.0.0.6',
        'TIME + 10.244.2.0/24 via 10.0.0.5',
        'TIME + 10.244.3.0/24 via 10.0.0.6',
        'TIME All remote subnets are in place.',
        'TIME Stopped. The remote subnets are kept.',
      ],
      stderr: '',
    });
    expect(routes(node)).toEqual(['10.244.2.0/24 via 10.0.0.5', '10.244.3.0/24 via 10.0.0.6']);
  });

  test('keeps no HCN object open between two checks', async () => {
    await createNetwork(node, overlay());
    const open: number[] = [];
    const count = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      open.push(node.hns.dump().openHandles);
    };
    await watch(count, count, count);
    expect(new Set(open).size).toBe(1);
  });
});
