import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeList } from '../../unit/cli/nodes/node-list.ts';
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
  tunnels,
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
  test('follows the list of nodes, logs each change once, and leaves the remote subnets when it ends', async () => {
    await createNetwork(node, overlay());
    const nothing = () => undefined;
    const printed = await watch(
      nothing,
      () => {
        files['nodes.json'] = nodesText(1, 3, 4);
      },
      nothing,
      () => {
        files['nodes.json'] = nodeList(tunnelNode(1), tunnelNode(3, { address: '10.0.0.33' }), tunnelNode(4));
      },
    );
    expect(printed).toEqual({
      exitCode: 0,
      log: [
        'TIME + 10.244.2.0/24 via 10.0.0.5',
        'TIME + 10.244.3.0/24 via 10.0.0.6',
        'TIME All remote subnets are in place.',
        'TIME - 10.244.2.0/24 via 10.0.0.5',
        'TIME + 10.244.4.0/24 via 10.0.0.7',
        'TIME ~ 10.244.3.0/24 via 10.0.0.33 (was 10.0.0.6)',
        'TIME Stopped. The remote subnets are kept.',
      ],
      stderr: '',
    });
    expect(tunnels(node)).toEqual(['10.244.3.0/24 via 10.0.0.33', '10.244.4.0/24 via 10.0.0.7']);
  });

  test('goes on when files cannot be read and HNS fails, changes nothing then, and logs each failure once', async () => {
    await createNetwork(node, overlay());
    const nothing = () => undefined;
    const printed = await watch(
      () => {
        files['nodes.json'] = '{"kind": "List", "items": [';
      },
      nothing,
      () => {
        files['nodes.json'] = nodesText(1, 2);
        files['net.conf'] = '{';
      },
      () => {
        files['net.conf'] = JSON.stringify(overlay());
        node.hns.inject({ function: 'HcnModifyNetwork', effect: { hresult: 0x80004005 } });
      },
      () => expect(tunnels(node)).toHaveLength(2),
    );
    expect(printed).toEqual({
      exitCode: 0,
      log: [
        'TIME + 10.244.2.0/24 via 10.0.0.5',
        'TIME + 10.244.3.0/24 via 10.0.0.6',
        'TIME All remote subnets are in place.',
        'TIME Not synced: nodes.json is not JSON: Unexpected end of JSON input',
        'pass the output of kubectl get nodes -o json',
        'TIME Not synced: net.conf cannot be used',
        'net.conf:1:1: problem: unexpected "{"',
        '  1 | {',
        '    | ^',
        'net.conf: 1 problem',
        'TIME Not synced: removing policies from network e941a803-679e-5586-ace2-ac2e9bd4a30e: HCN returned E_FAIL (0x80004005): ' +
          'Unspecified error. Retry; if it fails again, read the log: Get-WinEvent -LogName ' +
          'Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20.',
        'TIME - 10.244.3.0/24 via 10.0.0.6',
        'TIME All remote subnets are in place.',
        'TIME Stopped. The remote subnets are kept.',
      ],
      stderr: '',
    });
  });

  test('logs a half-written file once, however far it is written', async () => {
    await createNetwork(node, overlay());
    const write = (text: string) => () => {
      files['nodes.json'] = text;
    };
    const printed = await watch(write('{"kind": "L'), write('{"kind": "Li'), write('{"kind": "List'));
    expect(printed).toMatchObject({
      exitCode: 1,
      log: [
        'TIME + 10.244.2.0/24 via 10.0.0.5',
        'TIME + 10.244.3.0/24 via 10.0.0.6',
        'TIME All remote subnets are in place.',
        'TIME Not synced: nodes.json is not JSON: Unterminated string in JSON at position 11 (line 1 column 12)',
        'pass the output of kubectl get nodes -o json',
        'TIME Stopped. The remote subnets are kept.',
      ],
    });
  });

  test('waits for a network that the first ADD creates, and ends with exit code 1 if it never does', async () => {
    expect(await watch()).toEqual({
      exitCode: 1,
      log: [
        'TIME Not synced: HCN has no network "pods"',
        'create it with win-hcn network ensure FILE, or let the first ADD create it',
        'TIME Stopped. The remote subnets are kept.',
      ],
      stderr: '',
    });
    const printed = await watch(() => node.add(overlay()));
    expect(printed).toMatchObject({ exitCode: 0 });
    expect(tunnels(node)).toHaveLength(2);
  });

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
