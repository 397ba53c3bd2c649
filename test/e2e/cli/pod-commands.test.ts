// What commands about a pod do without a result.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { container, type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { failure, runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
  node.hns.attachContainer(node.newPod('lonely').netns, 'lonely');
});
afterEach(() => node.stop());

const listAll = 'List all objects with win-hcn ls -o wide --remote.';
const useAddress =
  'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide.';

const run = (command: string) => runCli(command.split(' '), { system: node.outside });

test.each([
  ['show f00d --diff 0e12d1', `HCN has no pod "f00d". ${listAll}`],
  ['show 0e12d1 --diff f00d', `HCN has no pod "f00d". ${listAll}`],
  ['trace f00d 8.8.8.8', `HCN has no pod "f00d". ${listAll}`],
  ['trace 0e12d1 f00d', `HCN has no pod "f00d". ${useAddress}`],
  ['capture f00d', `HCN has no pod "f00d". ${listAll}`],
  ['trace lonely 10.9.0.7', 'container lonely has no endpoint. It has no network: recreate the pod.'],
])('%s exits with 1: %s', async (command, problem) => {
  expect(await run(command)).toEqual(failure(1, `win-hcn: ${problem}`));
});

test('trace exits with 1 if an unrelated object is unreadable, and shows the result', async () => {
  const { stdout } = await run('trace 0e12d1 10.9.0.7:80');
  node.hns.inject({ function: 'HcnQueryLoadBalancerProperties', effect: { answer: '{' } });
  expect(await run('trace 0e12d1 10.9.0.7:80')).toEqual({
    exitCode: 1,
    stdout,
    stderr:
      'win-hcn: left out: querying load balancer d4e6032f-bbf7-4b5a-880f-667bebc65504: HCN returned "{", expected JSON. ' +
      'The Host Network Service is broken or stopping. Run Get-Service hns to check it. If this persists, drain the node and run Restart-Service hns.\n',
  });
});

test('trace exits with 1 if the endpoint of the pod is unreadable', async () => {
  node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { answer: '{' } });
  const { exitCode, stdout, stderr } = await run('trace 0e12d1 10.9.0.7:80');
  expect({ exitCode, stdout, last: stderr.split('\n').at(-2) }).toEqual({
    exitCode: 1,
    stdout: '',
    last: `win-hcn: container ${container} has no endpoint among the readable objects. ${listAll}`,
  });
});

const invalidAddress = (address: string) =>
  `invalid address "${address}". Use ADDRESS, ADDRESS:PORT or [IPV6]:PORT, with an optional /PROTOCOL: 10.96.0.10:53/udp. Protocols: ` +
  'icmp, icmpv4, igmp, tcp, udp, icmpv6. Only tcp and udp have ports, from 1 to 65535.';
test.each([['trace 0e12d1 c0ffee:80/icmp', invalidAddress('c0ffee:80/icmp')]])(
  '%s exits with 2: %s',
  async (command, problem) => {
    const usage = `Run 'win-hcn ${command.split(' ')[0]} --help' for usage.`;
    expect(await run(command)).toEqual(failure(2, `win-hcn: ${problem}`, usage));
  },
);

test.each(['show 0e12 --diff c0ffee', 'trace 0e12d1 8.8.8.8'])(
  '%s exits with 3 if the Host Network Service is stopped',
  async (command) => {
    node.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hresult: 0x80070426 } });
    expect(await run(command)).toMatchObject({ exitCode: 3, stdout: '' });
  },
);
