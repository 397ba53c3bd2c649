import { afterEach, beforeEach, expect, test } from 'vitest';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

const ipam = { type: 'test-ipam' };

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

test('an ADD on a network without a free address says how to get one', async () => {
  const config = example('l2bridge', { subnets: [{ subnet: '10.244.1.0/30' }] });
  await node.add(config, node.newPod('pod1'));
  const { json } = await node.add(config, node.newPod('pod2'));
  expect(json).toMatchObject({
    code: 100,
    msg:
      'creating endpoint "pod2_l2bridge_eth0" as 3c57d3df-c9e4-5083-b23e-368edc388adb: HCN returned HCN_E_ADDR_INVALID_OR_RESERVED (0x803b002f): An address provided is invalid or reserved. ' +
      'Find the owner: win-hcn show ip ADDRESS. Delete leftovers: win-hcn gc --yes, and --other-plugins for those of other plugins. If pods use all addresses, use a larger subnet.',
  });
});

test('an ADD for an address that HNS refuses names it in the command that finds its owner', async () => {
  node.hns.inject({ function: 'HcnCreateEndpoint', effect: { hresult: 0x803b002f } });
  const { json } = await node.add(example('l2bridge', { ipam }));
  expect(json.msg).toContain('Find the owner: win-hcn show ip 10.244.1.10.');
});

test('an ADD into a missing namespace changes nothing', async () => {
  const pod = { containerId: 'c0ffee', netns: '01234567-0123-0123-0123-0123456789AB' };
  const answer = await node.add(example('l2bridge', { ipam }), pod);
  expect(answer).toMatchObject({
    exitCode: 1,
    json: {
      code: 3,
      msg: `HCN has no namespace ${pod.netns}: the sandbox is gone`,
      details: 'the runtime creates a new sandbox; win-hcn ls namespaces lists the existing namespaces',
    },
  });
  expect(node.ipam.runs).toEqual([]);
  expect(node.hns.dump()).toMatchObject({ endpoints: [], networks: [] });
});

/** Some IPAM plugins return the addresses that the container already has. */
test('a second ADD that cannot find the endpoint of the first one releases no address', async () => {
  const config = example('l2bridge', { ipam });
  const pod = node.newPod();
  const { stdout } = await node.add(config, pod);
  const { ips } = JSON.parse(stdout);
  node.ipam.override.set('ADD', { exitCode: 0, stdout: JSON.stringify({ cniVersion: '1.0.0', ips }) });
  node.hns.inject({ function: 'HcnOpenEndpoint', effect: { hresult: 0x80004005 } });
  expect(await node.add(config, pod)).toMatchObject({ exitCode: 1, json: { code: 100 } });
  expect([...node.ipam.leases.values()]).toEqual(['10.244.1.10']);
  expect(await node.add(config, pod)).toMatchObject({ exitCode: 1, json: { code: 101 } });
});
