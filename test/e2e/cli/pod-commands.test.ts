// What commands about a pod do without a result.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { container, type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
  node.hns.attachContainer(node.newPod('lonely').netns, 'lonely');
});
afterEach(() => node.stop());

const listAll = 'Run win-hcn ls --remote to list all objects.';
const useAddress =
  'pods of other nodes and services need their address (kubectl get pods,services --all-namespaces -o wide)';

const unknown = 'HCN has no pod "f00d", or its name is unknown';

const run = (command: string) => runCli(command.split(' '), { system: node.outside });

test.each([
  ['show f00d --diff 0e12d1', `${unknown}. ${listAll}`],
  ['show 0e12d1 --diff f00d', `${unknown}. ${listAll}`],
  ['trace f00d 8.8.8.8', `${unknown}. ${listAll}`],
  ['trace 0e12d1 f00d', `${unknown}; ${useAddress}. ${listAll}`],
  ['trace lonely 10.9.0.7', 'pod lonely, container lonely, has no endpoint: recreate the pod.'],
])('%s exits with 1: %s', async (command, problem) => {
  const { exitCode, stdout, stderr } = await run(command);
  expect({ exitCode, stdout, last: stderr.split('\n').at(-2) }).toEqual({
    exitCode: 1,
    stdout: '',
    last: `win-hcn: ${problem}`,
  });
});

test('trace exits with 1 if the endpoint of the pod is unreadable', async () => {
  node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { answer: '{' } });
  const { exitCode, stdout, stderr } = await run('trace 0e12d1 10.9.0.7:80');
  expect({ exitCode, stdout, last: stderr.split('\n').at(-2) }).toEqual({
    exitCode: 1,
    stdout: '',
    last: `win-hcn: pod 0e12d1, container ${container}, has no readable endpoint.`,
  });
});
