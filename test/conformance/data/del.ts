// Cases of DEL.

import { expect } from 'vitest';
import { type Case, expectRefusal } from '../case.ts';
import type { Config, Node } from '../node.ts';

const gone = { CNI_NETNS: '' };

/** An object of an attachment is deleted meanwhile: DEL succeeds and releases the address. */
const deletedMeanwhile = (what: string, deleteObject: (node: Node) => unknown): Case => ({
  spec: '2 SHOULD',
  says: `DEL releases the address when ${what}`,
  story: async (node) => {
    await node.cni();
    await deleteObject(node);
    expect(await node.cni({ command: 'DEL' })).toMatchObject({ ok: true });
    expect([node.endpointNames(), node.ipam.leases]).toEqual([[], {}]);
  },
});

/** DEL gets another configuration than ADD. */
const changed = (says: string, ...changes: readonly Config[]): Case => ({
  spec: '2 SHOULD',
  says,
  story: async ({ cni, endpointNames }) => {
    for (const config of changes) {
      await cni();
      expect(await cni({ command: 'DEL', config })).toMatchObject({ ok: true });
      expect(endpointNames()).toEqual([]);
    }
  },
});

const idOf = (value: unknown): string => String(value);

/** The ordinals of the HCN calls of an ADD that creates its network: it is killed while HCN delays one of them. */
const calls = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export const delCases: readonly Case[] = [
  {
    spec: '2 SHOULD',
    says: 'DEL deletes the endpoint and lease, not the network',
    windows: 'too',
    story: async ({ cni, hns, ipam }) => {
      const config = { outboundNat: {} };
      await cni({ config });
      expect(hns.dump().endpoints).toMatchObject([{ Policies: [{ Type: 'OutBoundNAT' }] }]);
      expect(await cni({ command: 'DEL', config })).toMatchObject({ ok: true, stderr: '' });
      expect(hns.dump()).toMatchObject({ endpoints: [], networks: [{ Name: 'n1' }] });
      expect(ipam.leases).toEqual({});
    },
  },
  {
    spec: '2 MUST',
    says: 'repeated DELs succeed',
    windows: 'too',
    story: async ({ cni, endpointNames }) => {
      const added = await cni();
      const withResult = { config: { prevResult: added.json } };
      expect(await cni({ command: 'DEL', ...withResult })).toMatchObject({ ok: true });
      expect(endpointNames()).toEqual([]);
      expect(await cni({ command: 'DEL', env: gone })).toMatchObject({ ok: true });
      expect(await cni({ command: 'DEL', env: gone })).toMatchObject({ ok: true });
    },
  },
  {
    spec: '2 MUST',
    says: 'DEL without an ADD succeeds',
    rows: [{ command: 'DEL', becomes: 'nothing' }],
  },
  deletedMeanwhile('the namespace is gone', ({ hns, netns }) =>
    hns.inject({ effect: { vanish: { kind: 'Namespace', id: netns } } }),
  ),
  deletedMeanwhile('the network is gone', ({ hns }) =>
    hns.inject({ effect: { vanish: { kind: 'Network', id: idOf(hns.dump().networks[0]?.['ID']) } } }),
  ),
  changed(
    "DEL accepts another version than ADD's",
    { cniVersion: '0.2.0' },
    { cniVersion: undefined },
    { cniVersion: '0.4.0', prevResult: { cniVersion: '1.1.0', ips: [{ address: '10.5.0.2/24' }] } },
    { prevResult: { cniVersion: '0.2.0', ip4: { ip: '10.5.0.2/24' } } },
  ),
  changed(
    'DEL ignores an invalid prevResult',
    { prevResult: { ips: [{ address: 'x', interface: '0' }] } },
    { prevResult: 'x' },
  ),
  changed(
    'DEL ignores invalid and missing keys that it does not need',
    { networkType: undefined, subnets: undefined },
    { subnets: [{ subnet: '10.9.0.0/16' }], acls: [{ action: 'Maybe' }] },
    { runtimeConfig: { portMappings: [{ hostPort: 'x' }] } },
  ),
  {
    spec: '2 SHOULD; 4 SHOULD',
    says: 'DEL deletes the endpoint even if the IPAM plugin fails',
    story: async ({ cni, ipam, hns, endpointNames }) => {
      await cni();
      ipam.on('DEL', `echo '{"code":110,"msg":"the disk is full","details":"d"}'; exit 1`);
      const answer = await cni({ command: 'DEL' });
      expect(answer.json).toEqual({ cniVersion: '1.1.0', code: 110, msg: 'the disk is full', details: 'd' });
      expect(endpointNames()).toEqual([]);
      expect(hns.calls.at(-1)).toMatchObject({ function: 'HcnDeleteEndpoint', hresult: 0 });
      ipam.again('DEL');
      expect(await cni({ command: 'DEL' })).toMatchObject({ ok: true });
      expect(ipam.leases).toEqual({});
    },
  },
  {
    spec: '5',
    says: 'DEL without HNS is error 11 and keeps the lease',
    windows: 'too',
    story: async ({ cni, ipam, endpointNames }) => {
      await cni();
      const { leases, calls } = ipam;
      const answer = await cni({ command: 'DEL', env: { WIN_HCN_SIMULATED_HNS: '127.0.0.1:1' } });
      expectRefusal(answer, 11);
      expect(answer.stdout).not.toMatch(/not found|no such file/i);
      expect([endpointNames(), ipam.leases, ipam.calls]).toEqual([['c1_n1_eth0'], leases, calls]);
      expect(await cni({ command: 'DEL' })).toMatchObject({ ok: true });
      expect([endpointNames(), ipam.leases]).toEqual([[], {}]);
    },
  },
  {
    spec: '3',
    says: 'DEL cleans up an ADD killed at any HCN call',
    story: async ({ cni, start, hns, ipam }) => {
      const survived: number[] = [];
      for (const ordinal of calls) {
        hns.clearCalls();
        hns.inject({ ordinal, effect: { hang: true } });
        const killed = new AbortController();
        const ended = start({ signal: killed.signal });
        const reached = () => hns.calls.length >= ordinal;
        await Promise.race([ended, expect.poll(reached, { interval: 10 }).toBe(true)]);
        if (!reached()) survived.push(ordinal);
        killed.abort();
        await ended;
        hns.clearFaults();
        expect(await cni({ command: 'DEL' }), `after call ${ordinal}`).toMatchObject({ ok: true });
        expect(hns.dump().endpoints).toEqual([]);
        expect(ipam.leases).toEqual({});
      }
      expect(survived).not.toContain(6);
      expect(await cni()).toMatchObject({ ok: true });
    },
  },
];
