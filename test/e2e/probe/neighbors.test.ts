import { afterEach, beforeEach, expect, test } from 'vitest';
import { example } from '../example.ts';
import { type Node, startNode } from '../node.ts';
import { runProbe } from './run-probe.ts';

let node: Node;
beforeEach(async () => {
  const adapters = [
    { name: 'Ethernet', managementIp: '10.0.0.4' },
    { name: 'Ethernet 2', managementIp: '10.0.1.4' },
  ];
  node = await startNode({ adapters });
  const l2bridge = example('l2bridge', { cniVersion: '1.1.0' });
  for (const container of ['web', 'database']) await node.add(l2bridge, node.newPod(container));
  const [, endpoint] = node.hns.dump().endpoints;
  await node.hcn.createLoadBalancer('5a1a5ba1-0000-4000-8000-000000000001', {
    HostComputeEndpoints: [String(endpoint?.['ID'])],
    FrontendVIPs: ['10.96.0.10'],
    PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
    SchemaVersion: { Major: 2, Minor: 0 },
  });
});
afterEach(() => node.stop());

const objects = () => {
  const { networks, endpoints, namespaces, loadBalancers } = node.hns.dump();
  return { networks, endpoints, namespaces, loadBalancers };
};

test.each([
  ['without options', ['--yes']],
  ['with an adapter', ['--adapter', 'Ethernet 2', '--yes']],
])("a probe %s changes none of the pods' objects, and leaves none of its own", async (_, words) => {
  const before = objects();
  expect(before).toMatchObject({ networks: [{}], endpoints: [{}, {}], loadBalancers: [{}] });
  node.hns.clearCalls();
  await runProbe(node, words);
  expect(objects()).toEqual(before);
  const theirs = Object.values(before).flatMap((list) => list.map(({ ID }) => String(ID)));
  const changes = node.hns.calls.filter(
    ({ function: name, id = '' }) => /^Hcn(Create|Modify|Delete)/.test(name) && theirs.includes(id),
  );
  expect(changes).toEqual([]);
});

test('a probe refuses an adapter that a network uses', async () => {
  expect(await runProbe(node, ['--adapter', 'ethernet', '--yes'])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'win-hcn: adapter "ethernet" is used by network "l2bridge": the probe would affect its pods. Use another adapter\n',
  });
});
