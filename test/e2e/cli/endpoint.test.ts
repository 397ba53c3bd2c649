import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  container,
  type InventoryNode,
  loadBalancer,
  other,
  startInventoryNode,
  web,
} from './inventory-node.ts';
import { problem, runCli, success } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const deleteEndpoint = (...words: readonly string[]) =>
  runCli(['debug', 'endpoint', 'delete', ...words], { system: node.outside });
const nothing = 'No changes made. Rerun with --yes to apply.';

test('an endpoint is not deleted without --yes, which shows the effects', async () => {
  const before = node.hns.dump().endpoints;
  expect(await deleteEndpoint('5efcf8b5')).toEqual(
    problem(
      `1. delete endpoint "${container}_l2bridge_eth0" (${web})`,
      `Container ${container} loses interface eth0 (10.244.1.2/24).`,
      `Load balancer ${loadBalancer} loses a backend.`,
      'The IPAM plugin does not run: use win-hcn debug cni del to release the addresses too.',
      nothing,
    ),
  );
  expect(node.hns.dump().endpoints).toEqual(before);
});

test('an endpoint of another program is deleted with a warning about its owner', async () => {
  expect(await deleteEndpoint('by-hand', '--yes')).toEqual(
    success(
      `1. delete endpoint "by-hand" (${other})`,
      'Not created by win-hcn: its owner, such as kube-proxy, may not recreate it.',
      `endpoint "by-hand" ${other} was deleted`,
    ),
  );
  expect(node.hns.dump().endpoints.map(({ ID }) => ID)).not.toContain(other);
});

test('an endpoint of the host is deleted with a warning about the gateway of pods', async () => {
  await node.hcn.addEndpoint(node.hostNamespace, other);
  expect(await deleteEndpoint('by-hand')).toEqual(
    problem(
      `1. delete endpoint "by-hand" (${other})`,
      'The node loses its host endpoint (10.244.1.40/24), which may be the gateway of pods.',
      nothing,
    ),
  );
});

test('an endpoint that is gone in the meantime is reported', async () => {
  node.hns.inject({ function: 'HcnDeleteEndpoint', effect: { vanish: { kind: 'Endpoint', id: other } } });
  expect((await deleteEndpoint('by-hand', '--yes')).stdout).toContain(`${other} is gone already\n`);
});
