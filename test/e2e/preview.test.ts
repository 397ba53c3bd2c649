import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { system } from '../../src/system.ts';
import { example } from './example.ts';
import { newBench } from './matrix/bench.ts';
import { adds, dels, dropInDels, gcs } from './matrix/scenarios.ts';
import { type Node, startNode } from './node.ts';
import { canonical } from './peer-documents.ts';
import { type Comparison, previewAndExecute } from './preview-and-execute.ts';

let node: Node;
afterEach(() => node.stop());

async function compare(
  command: Parameters<typeof previewAndExecute>[0],
  environment = {},
): Promise<Comparison> {
  const objects = () => {
    const { networks, endpoints, namespaces, loadBalancers } = node.hns.dump();
    return { networks, endpoints, namespaces, loadBalancers };
  };
  const before = objects();
  const leases = new Map(node.ipam.leases);
  return previewAndExecute(command, { ...system, ...node.outside, environment }, node.ipam, () => {
    expect(objects()).toEqual(before);
    expect(node.ipam.leases).toEqual(leases);
  });
}

function expectSame({ previewed, previewError, executed, executionError }: Comparison): void {
  expect(previewed).toEqual(executed);
  expect(previewError).toBe(executionError);
}

describe('the previewed steps are the executed steps', () => {
  test.each(readdirSync('conflist-examples').map((file) => file.replace('.conflist', '')))(
    'of ADD, a second ADD, DEL and GC with the example %s',
    async (name) => {
      node = await startNode({
        adapters: [
          { name: 'Ethernet', managementIp: '10.0.0.4' },
          { name: 'Ethernet 2', managementIp: '172.16.0.4', mac: '00-15-5D-00-00-01' },
        ],
      });
      const { ipam, ...config } = example(name);
      const [subnet, second] = Object(config['subnets'] ?? []);
      if (subnet !== undefined) node.ipam.prefix = subnet.subnet.replace(/0\/\d+$/, '');
      if (second !== undefined) node.ipam.prefix6 = second.subnet.replace(/\/\d+$/, '');
      const given = { ...config, ...(ipam !== undefined && { ipam: { type: 'test-ipam' } }) };
      const results: Comparison[] = [];
      const pods = [node.newPod(), node.newPod()] as const;
      for (const [command, pod] of [
        ['ADD', pods[0]],
        ['ADD', pods[1]],
        ['ADD', pods[1]],
        ['DEL', pods[0]],
        ['DEL', pods[0]],
        ['GC', pods[0]],
      ] as const)
        results.push(await compare({ command, config: given, ...pod }));
      for (const result of results) expectSame(result);
      expect(results.map(({ executionError }) => executionError)).toEqual([
        undefined,
        undefined,
        101,
        ...Array(3).fill(undefined),
      ]);
    },
  );

  test.each([...adds, ...dels, ...dropInDels, ...gcs].map((scenario) => [scenario.name, scenario] as const))(
    'of the crash matrix: %s',
    async (_, scenario) => {
      const bench = await newBench(scenario);
      node = bench.node;
      await scenario.attach?.(bench);
      const { config, command } = scenario;
      if (command !== 'ADD' && command !== 'DEL' && command !== 'GC') throw new Error(command);
      const { pod } = bench.call;
      const netns = scenario.withoutNetns ? '' : pod.netns;
      expectSame(await compare({ command, config, containerId: pod.containerId, netns }));
    },
  );

  test.each([
    ['in no namespace', false, undefined],
    ['of a running pod', true, 101],
  ])(
    'if HNS chooses IDs, of ADD with a host endpoint to create and a namesake %s',
    async (_, isAttached, error) => {
      node = await startNode({ switches: { callerIds: 'ignored' } });
      const { hostEndpoint, ...withoutHostEndpoint } = example('l2bridge-host-endpoint', {
        ipam: { type: '' },
      });
      const first = { config: withoutHostEndpoint, pod: node.newPod('first') };
      await node.cni('ADD', first);
      await node.cni('DEL', first);
      const HostComputeNetwork = String(node.hns.dump().networks[0]?.['ID']);
      await node.hcn.createEndpoint(HostComputeNetwork, '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d', {
        Name: 'pod_cbr0_eth0',
        HostComputeNetwork,
        IpConfigurations: [{ IpAddress: '10.244.2.50', PrefixLength: 24 }],
        SchemaVersion: { Major: 2, Minor: 0 },
      });
      const [namesake] = node.hns.dump().endpoints;
      const pod = node.newPod('pod');
      if (isAttached) await node.hcn.addEndpoint(pod.netns, String(namesake?.['ID']));
      const config = { ...withoutHostEndpoint, hostEndpoint };
      const result = await compare({ command: 'ADD', config, ...pod });
      expectSame({ ...result, executed: isAttached ? [] : result.executed });
      expect(result.executionError).toBe(error);
    },
  );

  const folder = 'test/e2e/vectors';
  test.each(readdirSync(folder))('of ADD and DEL with the recorded configuration %s', async (file) => {
    const { config, networksBefore, cniArgs, sent } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
    node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: '192.168.1.5' }] });
    for (const document of networksBefore)
      await node.hcn.createNetwork('aaaaaaaa-0000-4000-8000-000000000000', document);
    const [address] = canonical(sent.HcnCreateEndpoint).addresses;
    if (address !== undefined) {
      const ips = [{ address: `${address}/24`, gateway: address.replace(/\d+$/, '1') }];
      node.ipam.override.set('ADD', { exitCode: 0, stdout: JSON.stringify({ cniVersion: '1.0.0', ips }) });
    }
    const pod = node.newPod('c0ffee');
    for (const command of ['ADD', 'DEL'] as const) {
      const result = await compare({ command, config, ...pod }, { CNI_ARGS: cniArgs });
      expectSame(result);
      expect(result.executionError).toBeUndefined();
      expect(result.executed).not.toEqual([]);
    }
  });
});
