// Rollback of a failed ADD, and concurrent attachments.

import { expect } from 'vitest';
import { endpointId, networkId } from '../../../src/model/identity.ts';
import { type Case, expectRefusal, stateOf } from '../case.ts';
import type { Node } from '../node.ts';

const refusedBy = (name: string) => ({ function: name, effect: { hresult: 0x80070005 } });

/** A created network stays (docs/decisions/networks.md). */
const besidesNetworks = (node: Node) => ({ ...stateOf(node), networks: undefined });

const rolledBack = (says: string, refused: string): Case => ({
  spec: '3',
  says,
  story: async (node) => {
    const before = besidesNetworks(node);
    node.hns.inject(refusedBy(refused));
    expectRefusal(await node.cni(), 100, 'E_ACCESSDENIED (0x80070005)');
    expect(node.ipam.calls).toEqual(['ADD', 'DEL']);
    expect(besidesNetworks(node)).toEqual(before);
  },
});

export const attachmentCases: readonly Case[] = [
  rolledBack('a refused endpoint leaves nothing', 'HcnCreateEndpoint'),
  rolledBack('a refused attachment leaves nothing', 'HcnModifyNamespace'),
  {
    says: 'no address is an error in 0.2.0, and is rolled back',
    story: async (node) => {
      const before = besidesNetworks(node);
      const id = endpointId({ containerId: 'c1', ifname: 'eth0', network: 'n1' });
      const bare = { ID: id, Name: 'x', HostComputeNetwork: networkId('n1'), IpConfigurations: [] };
      const answer = JSON.stringify({ ...bare, SchemaVersion: { Major: 2, Minor: 0 } });
      for (let ordinal = 1; ordinal <= 20; ordinal += 1)
        node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal, effect: { answer } });
      expectRefusal(await node.cni({ config: { cniVersion: '0.2.0' } }), [11], 'HNS shows no address');
      expect(node.ipam.calls).toEqual(['ADD', 'DEL']);
      expect(besidesNetworks(node)).toEqual(before);
    },
  },
  {
    spec: '2 MUST',
    says: 'a second ADD of the same interface is error 101',
    windows: 'too',
    story: async (node) => {
      const first = await node.cni();
      const before = stateOf(node);
      expectRefusal(await node.cni(), 101, 'c1_n1_eth0');
      expect(stateOf(node)).toEqual(before);
      const config = { prevResult: first.json };
      expect(await node.cni({ command: 'CHECK', config })).toMatchObject({ ok: true });
    },
  },
  {
    spec: '2',
    says: 'a container can have two interfaces on one network',
    windows: 'too',
    story: async ({ cni, endpointNames }) => {
      const eth1 = { CNI_IFNAME: 'eth1' };
      expect(await cni()).toMatchObject({ ok: true });
      expect(await cni({ env: eth1 })).toMatchObject({
        ok: true,
        json: { interfaces: [{ name: 'eth1' }], ips: [{ address: '10.5.0.3/24' }] },
      });
      await cni({ command: 'DEL' });
      expect(endpointNames()).toEqual(['c1_n1_eth1']);
      await cni({ command: 'DEL', env: eth1 });
      expect(endpointNames()).toEqual([]);
    },
  },
  {
    spec: '2 MUST',
    says: 'an interface can have one name on two networks',
    deviation: {
      requires: 'ADD fails if the container has the interface',
      because: 'HNS names interfaces: CNI_IFNAME is only returned',
    },
    hns: {
      adapters: [
        { name: 'Ethernet', managementIp: '10.0.0.4' },
        { name: 'Ethernet 2', managementIp: '10.0.1.4' },
      ],
    },
    story: async ({ cni, endpointNames }) => {
      const other = { name: 'n2', subnets: [{ subnet: '10.6.0.0/24' }], ipam: undefined };
      expect(await cni()).toMatchObject({ json: { ips: [{ address: '10.5.0.2/24' }] } });
      expect(await cni({ config: other })).toMatchObject({ json: { ips: [{ address: '10.6.0.2/24' }] } });
      expect(endpointNames()).toEqual(['c1_n1_eth0', 'c1_n2_eth0']);
      expect(await cni({ command: 'DEL' })).toMatchObject({ ok: true });
      expect(endpointNames()).toEqual(['c1_n2_eth0']);
    },
  },
  {
    spec: '3 MUST',
    says: 'twenty concurrent ADDs get twenty addresses',
    story: async ({ cni, hns, ipam }) => {
      const numbers = Array.from({ length: 20 }, (_, index) => index);
      const answers = await Promise.all(
        numbers.map((number) =>
          cni({ env: { CNI_CONTAINERID: `pod${number}`, CNI_NETNS: hns.createNamespace() } }),
        ),
      );
      expect(answers.filter(({ ok }) => !ok).map(({ stdout }) => stdout)).toEqual([]);
      expect(new Set(answers.map(({ json }) => json.ips[0].address)).size).toBe(20);
      expect(Object.keys(ipam.leases)).toHaveLength(20);
      expect(hns.dump().networks).toHaveLength(1);
    },
  },
  {
    spec: '3',
    says: 'concurrent ADD and DEL corrupt nothing',
    story: async ({ cni, ipam, endpointNames, hns }) => {
      await cni({ env: { CNI_CONTAINERID: 'neighbor', CNI_NETNS: hns.createNamespace() } });
      const before = hns.dump().endpoints;
      for (const _ of [1, 2, 3]) {
        await Promise.all([cni(), cni({ command: 'DEL' }), cni({ command: 'DEL' })]);
        expect(await cni({ command: 'DEL' })).toMatchObject({ ok: true });
        expect(endpointNames()).toEqual(['neighbor_n1_eth0']);
      }
      expect(hns.dump().endpoints).toEqual(before);
      expect(ipam.leases).toEqual({ '10.5.0.2': 'neighbor eth0' });
    },
  },
];
