import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeList } from '../../unit/cli/network/node-list.ts';
import { type Node, startNode } from '../node.ts';
import { startBundle } from '../process.ts';
import { createNetwork, overlay, sync, tunnelNode, tunnels } from './sync-node.ts';

let node: Node;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-sync-'));
  node = await startNode();
  await createNetwork(node, overlay());
  await sync(
    node,
    overlay(),
    [1, 2, 3].map((n) => tunnelNode(n)),
  );
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await node.stop();
});

const finishing =
  'win-hcn: finishing the current remote subnet. Press Ctrl+C again to exit before it is complete.\n';

/** Starts a sync that changes nodes 2 and 3, and interrupts it between the removal and the addition of node 2. */
async function interruptedSync() {
  const changed = [2, 3].map((n) => tunnelNode(n, { address: `10.0.0.${n}${n}` }));
  writeFileSync(join(folder, 'net.conf'), JSON.stringify(overlay()));
  writeFileSync(join(folder, 'nodes.json'), nodeList(tunnelNode(1), ...changed));
  node.hns.inject({ function: 'HcnModifyNetwork', ordinal: 2, effect: { hold: 'before' } });
  const standing = node.hns.nextStanding();
  const files = [join(folder, 'net.conf'), '--nodes', join(folder, 'nodes.json')];
  const running = startBundle(node.hns.environment, '', ['network', 'sync', ...files, '--yes']);
  await Promise.race([standing, running.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  expect(tunnels(node)).toEqual(['10.244.3.0/24 via 10.0.0.6']);
  running.interrupt();
  await running.reported(finishing);
  return running;
}

test('Ctrl+C in the middle of a change finishes it, skips the others, and exits with 130', async () => {
  const { ended } = await interruptedSync();
  node.hns.release();
  expect(await ended).toMatchObject({
    exitCode: 130,
    stderr: `${finishing}win-hcn: interrupted: remote subnets: 1 changed, 0 failed, 1 skipped\n`,
  });
  expect(tunnels(node)).toEqual(['10.244.2.0/24 via 10.0.0.22', '10.244.3.0/24 via 10.0.0.6']);
});

test('a second Ctrl+C ends the process at once', async () => {
  const { interrupt, ended } = await interruptedSync();
  interrupt();
  expect(await ended).toMatchObject({ exitCode: null, stderr: finishing });
  expect(tunnels(node)).toEqual(['10.244.3.0/24 via 10.0.0.6']);
});
