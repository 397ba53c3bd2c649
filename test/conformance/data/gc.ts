// Cases of GC.

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { hcnClient } from '../../../src/hcn/client.ts';
import { schemaVersion as SchemaVersion } from '../../../src/hcn/documents.ts';
import { type Case, expectRefusal, stateOf } from '../case.ts';
import type { Config, Node } from '../node.ts';

const valid = 'cni.dev/valid-attachments';
const older = 'cni.dev/attachments';
const c1 = { containerID: 'c1', ifname: 'eth0' };
const both = ['c1_n1_eth0', 'c2_n1_eth0'];

/** Adds eth0 of containers c1 and c2. */
async function addTwo({ cni, hns }: Node): Promise<void> {
  expect(await cni()).toMatchObject({ ok: true });
  const env = { CNI_CONTAINERID: 'c2', CNI_NETNS: hns.createNamespace() };
  expect(await cni({ env })).toMatchObject({ ok: true });
}

const keeps = (says: string, list: Config, kept: readonly string[]): Case => ({
  spec: '2',
  says,
  story: async (node) => {
    await addTwo(node);
    expect(await node.cni({ command: 'GC', config: list })).toMatchObject({ ok: true });
    expect(node.endpointNames()).toEqual(kept);
  },
});

export const gcCases: readonly Case[] = [
  {
    spec: '2 MUST',
    says: 'GC keeps listed attachments only, and runs the IPAM plugin',
    windows: 'too',
    story: async (node) => {
      await addTwo(node);
      const list = { [valid]: [c1] };
      const { ipam } = node.config();
      expect(await node.cni({ command: 'GC', config: list })).toMatchObject({ ok: true, stderr: '' });
      expect(node.endpointNames()).toEqual(['c1_n1_eth0']);
      if (ipam === undefined) return;
      expect(node.ipam.calls).toEqual(['ADD', 'ADD', 'GC']);
      expect(node.ipam.stdin('GC')).toBe(JSON.stringify(node.config(list)));
    },
  },
  keeps('an empty list keeps nothing', { [valid]: [] }, []),
  {
    spec: '2',
    says: 'GC without a list is error 7',
    windows: 'too',
    story: async (node) => {
      await addTwo(node);
      const before = stateOf(node);
      expectRefusal(await node.cni({ command: 'GC' }), 7, valid);
      expect(stateOf(node)).toEqual(before);
      expect(node.ipam.calls).not.toContain('GC');
    },
  },
  keeps('the older key of the list is used alone', { [older]: [c1] }, ['c1_n1_eth0']),
  keeps('the newer key of the list takes precedence', { [older]: [c1], [valid]: [] }, []),
  {
    spec: '2 SHOULD',
    says: 'GC deletes other interfaces of a listed container',
    story: async ({ cni, endpointNames }) => {
      await cni();
      await cni({ env: { CNI_IFNAME: 'eth1' } });
      await cni({ command: 'GC', config: { [valid]: [{ containerID: 'c1', ifname: 'eth1' }] } });
      expect(endpointNames()).toEqual(['c1_n1_eth1']);
    },
  },
  {
    says: "GC changes only its network's own endpoints",
    hns: {
      adapters: [
        { name: 'Ethernet', managementIp: '10.0.0.4' },
        { name: 'Ethernet 2', managementIp: '10.0.1.4' },
      ],
    },
    story: async (node) => {
      const { cni, hns, endpointNames } = node;
      await addTwo(node);
      await cni({ config: { name: 'n2', subnets: [{ subnet: '10.6.0.0/24' }], ipam: undefined } });
      const network = String(hns.dump().networks.find(({ Name }) => Name === 'n1')?.['ID']);
      const hcn = hcnClient(hns.withoutDlls().library);
      for (const Name of ['Ethernet', 'c9_n1', 'c9_n1_eth0'])
        await hcn.createEndpoint(network, randomUUID(), { Name, HostComputeNetwork: network, SchemaVersion });
      const balancer = {
        HostComputeEndpoints: [String(hns.dump().endpoints[0]?.['ID'])],
        FrontendVIPs: ['10.96.0.10'],
        PortMappings: [{ Protocol: 6, InternalPort: 53, ExternalPort: 53 }],
        SchemaVersion,
      };
      await hcn.createLoadBalancer(randomUUID(), balancer);
      const [untouched] = [hns.dump().loadBalancers];
      expect(await cni({ command: 'GC', config: { [valid]: [c1] } })).toMatchObject({ ok: true });
      expect(endpointNames().toSorted()).toEqual([
        'Ethernet',
        'c1_n1_eth0',
        'c1_n2_eth0',
        'c9_n1',
        'c9_n1_eth0',
      ]);
      expect(hns.dump()).toMatchObject({
        loadBalancers: untouched,
        networks: [{ Name: 'n1' }, { Name: 'n2' }],
      });
    },
  },
  {
    says: 'GC refuses an invalid list',
    story: async (node) => {
      await addTwo(node);
      const lists = [[1], [{ containerID: 5, ifname: 'eth0' }], 'c1', {}, [{ containerID: 'c1' }], [null]];
      for (const list of lists) {
        expectRefusal(
          await node.cni({ command: 'GC', config: { [valid]: list } }),
          [6, 7],
          'valid-attachments',
        );
        expect(node.endpointNames()).toEqual(both);
      }
      expect(node.ipam.calls).toEqual(['ADD', 'ADD']);
    },
  },
  {
    spec: '2 SHOULD',
    says: 'GC continues after a failure, and reports it',
    story: async (node) => {
      await addTwo(node);
      node.hns.inject({ function: 'HcnDeleteEndpoint', effect: { hresult: 0x80004005 } });
      const answer = await node.cni({ command: 'GC', config: { [valid]: [] } });
      expectRefusal(answer, 100, 'E_FAIL (0x80004005)');
      expect(node.endpointNames()).toHaveLength(1);
      expect(node.ipam.calls).toEqual(['ADD', 'ADD', 'GC']);
      expect(await node.cni({ command: 'GC', config: { [valid]: [] } })).toMatchObject({ ok: true });
      expect(node.endpointNames()).toEqual([]);
    },
  },
  keeps(
    'the keys of the list are case-insensitive',
    {
      [valid]: [
        { ContainerID: 'c1', IfName: 'eth0' },
        { CONTAINERID: 'c2', IFNAME: 'eth0' },
      ],
    },
    both,
  ),
  {
    says: 'GC accepts an IPAM plugin that ignores GC',
    story: async ({ cni, ipam }) => {
      ipam.on('GC', 'exit 0');
      expect(await cni({ command: 'GC', config: { [valid]: [] } })).toMatchObject({ ok: true });
      expect(ipam.calls).toEqual(['GC']);
    },
  },
];
