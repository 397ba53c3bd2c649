import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InventoryNode, loadBalancer, startInventoryNode, web } from './inventory-node.ts';
import { failure, type Printed, problem, runCli, success } from './run-cli.ts';

const dns = {
  HostComputeEndpoints: [web],
  FrontendVIPs: ['10.96.0.11'],
  PortMappings: [{ Protocol: 17, ExternalPort: 53, InternalPort: 53, Flags: 2 }],
};
const id = 'a2e6b3a5-3ce3-5563-8f7a-2bea8027cb4f';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

function run(words: readonly string[], document: unknown = dns): Promise<Printed> {
  const files = { 'dns.json': JSON.stringify(document) };
  return runCli(['debug', 'loadbalancer', ...words], { files, system: node.outside });
}
const loadBalancers = () => node.hns.dump().loadBalancers;
const plan = [
  `1. delete load balancer ${loadBalancer} for 10.96.0.10`,
  '10.96.0.10 no longer accepts connections: 80->8080/tcp.',
  'Not created by win-hcn: its owner, such as kube-proxy, may not recreate it.',
];

test('create sends the document, and prints only the ID', async () => {
  const before = loadBalancers();
  expect(await run(['create', 'dns.json'])).toEqual(success(id));
  const created = { ...dns, ID: id, SchemaVersion: { Major: 2, Minor: 0 } };
  expect(loadBalancers()).toEqual([...before, expect.objectContaining(created)]);
  node.hns.clearCalls();
  expect(await run(['create', 'dns.json'])).toEqual({
    ...success(id),
    stderr: `win-hcn: load balancer ${id} already exists; no changes made\n`,
  });
});

test.each([
  [[], 'the file is [], expected an object'],
  [
    { ...dns, FrontendVIP: ['10.96.0.11'] },
    'FrontendVIP is an unknown key, expected ID, HostComputeEndpoints, SourceVIP, FrontendVIPs, PortMappings, Flags, SchemaVersion',
  ],
  [
    { ...dns, HostComputeEndpoints: [] },
    'HostComputeEndpoints is [], expected at least one ID of an endpoint',
  ],
  [{ ...dns, PortMappings: [{ Protocol: 'udp' }] }, 'PortMappings[0].Protocol is "udp", expected a number'],
])('create refuses %j without a call to HCN', async (document, problem) => {
  node.hns.clearCalls();
  expect(await run(['create', 'dns.json'], document)).toEqual(failure(1, `win-hcn: ${problem}`));
  expect(node.hns.calls).toEqual([]);
});

describe('delete', () => {
  test('shows the effects, and deletes nothing without --yes', async () => {
    expect(await run(['delete', 'd4e6'])).toEqual(
      problem(...plan, 'No changes made. Rerun with --yes to apply.'),
    );
    expect(loadBalancers()).toHaveLength(1);
  });

  test('deletes a load balancer of any program with --yes', async () => {
    expect(await run(['delete', 'd4e6', '--yes'])).toEqual(
      success(...plan, `load balancer ${loadBalancer} was deleted`),
    );
    expect(loadBalancers()).toEqual([]);
  });
});
