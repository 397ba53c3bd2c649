// The CNI_* variables.

import { expect } from 'vitest';
import { type Case, expectRefusal, type Row, stateOf } from '../case.ts';

/** Rows with invalid values of one variable, which the error names. */
const refused = (name: string, values: readonly string[], command = 'ADD'): readonly Row[] =>
  values.map((value) => ({
    what: JSON.stringify(value),
    command,
    env: { [name]: value },
    becomes: { error: 4, says: [name, JSON.stringify(value)] },
  }));

const unset = (command: string, ...names: readonly string[]): Row => ({
  what: `${command} without ${names.join(', ')}`,
  command,
  env: Object.fromEntries(names.map((name) => [name, undefined])),
  becomes: { error: 4, says: names },
});

const badIds = ['a/b', '..', '../x', '-a', '_a', '.a', 'a b', 'a\\b', 'é', 'a:b', 'a%b', 'abc\n'];
const goodIds = ['a..b', 'a.', 'f'.repeat(64), 'a'.repeat(300), 'k8s.io-c1', 'cnitool-47114225a1baa2503dd7'];
const twins = ['CON', 'NUL', 'abc.', 'abc', 'Abc'];

export const environmentCases: readonly Case[] = [
  {
    spec: '5 MUST',
    says: 'a missing CNI_CONTAINERID is named',
    windows: 'too',
    rows: [
      unset('ADD', 'CNI_CONTAINERID'),
      unset('DEL', 'CNI_CONTAINERID'),
      unset('CHECK', 'CNI_CONTAINERID'),
    ],
  },
  {
    spec: '2 MUST',
    says: 'an empty CNI_CONTAINERID counts as missing',
    rows: [{ env: { CNI_CONTAINERID: '' }, becomes: { error: 4, says: ['CNI_CONTAINERID is missing'] } }],
  },
  {
    spec: '5 MUST',
    says: 'one error lists all missing variables (skel: CNI_PATH too)',
    rows: [unset('ADD', 'CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME')],
  },
  {
    spec: '5 MUST',
    says: 'a missing CNI_NETNS is named if required',
    rows: [unset('ADD', 'CNI_NETNS'), unset('CHECK', 'CNI_NETNS')],
  },
  {
    spec: '2',
    says: 'DEL does not need CNI_NETNS',
    windows: 'too',
    rows: [{ command: 'DEL', env: { CNI_NETNS: undefined }, becomes: 'nothing' }],
  },
  { spec: '2', says: 'DEL needs CNI_IFNAME', rows: [unset('DEL', 'CNI_IFNAME')] },
  { spec: '4', says: 'ADD with an IPAM plugin needs CNI_PATH', rows: [unset('ADD', 'CNI_PATH')] },
  {
    spec: '2',
    says: 'ADD without an IPAM plugin does not need it (skel does)',
    windows: 'too',
    rows: [
      {
        env: { CNI_PATH: undefined },
        config: { ipam: undefined },
        becomes: { result: { ips: [{ address: '10.5.0.2/24' }] } },
      },
    ],
  },
  {
    spec: '2',
    says: 'GC needs CNI_PATH',
    rows: [
      {
        command: 'GC',
        env: { CNI_PATH: undefined },
        config: { 'cni.dev/valid-attachments': [] },
        becomes: { error: 4, says: ['CNI_PATH'] },
      },
    ],
  },
  {
    spec: '2 MUST',
    says: 'a malformed CNI_CONTAINERID is refused',
    rows: refused('CNI_CONTAINERID', badIds),
  },
  {
    spec: '2',
    says: 'CNI_CONTAINERID may have any length and dots',
    story: async ({ cni, endpointNames }) => {
      for (const CNI_CONTAINERID of goodIds) {
        expect(await cni({ env: { CNI_CONTAINERID } })).toMatchObject({ ok: true });
        expect(endpointNames()).toEqual([`${CNI_CONTAINERID}_n1_eth0`]);
        await cni({ command: 'DEL', env: { CNI_CONTAINERID } });
        expect(endpointNames()).toEqual([]);
      }
    },
  },
  {
    says: 'container IDs may be device names, or differ only in case',
    windows: 'too',
    story: async ({ cni, endpointNames, hns }) => {
      for (const CNI_CONTAINERID of twins)
        expect(await cni({ env: { CNI_CONTAINERID } })).toMatchObject({ ok: true });
      expect(endpointNames()).toEqual(twins.map((id) => `${id}_n1_eth0`));
      expect(new Set(hns.dump().endpoints.map(({ ID }) => ID)).size).toBe(twins.length);
      await cni({ command: 'DEL', env: { CNI_CONTAINERID: 'abc' } });
      expect(endpointNames()).toEqual(['CON', 'NUL', 'abc.', 'Abc'].map((id) => `${id}_n1_eth0`));
    },
  },
  {
    spec: 'libcni',
    says: 'a CNI_IFNAME of 16 bytes is refused',
    rows: refused('CNI_IFNAME', ['abcdefghijklmnop', 'éééééééé']),
  },
  {
    spec: 'libcni',
    says: 'an invalid CNI_IFNAME is refused',
    rows: refused('CNI_IFNAME', ['.', '..', 'a/b', 'a:b', 'a b', 'a\tb', 'a\u00a0b']),
  },
  {
    spec: 'libcni',
    says: 'CNI_IFNAME may have a backslash',
    rows: [{ env: { CNI_IFNAME: 'a\\b' }, becomes: { result: { interfaces: [{ name: 'a\\b' }] } } }],
  },
  {
    spec: '5 MUST',
    says: 'one error lists malformed and missing variables',
    windows: 'too',
    rows: [
      {
        env: { CNI_CONTAINERID: '../x', CNI_IFNAME: undefined },
        becomes: { error: 4, says: ['CNI_CONTAINERID', 'CNI_IFNAME'] },
      },
    ],
  },
  {
    spec: '2',
    says: 'other commands ignore variables of an attachment',
    rows: ['STATUS', 'GC'].map((command) => ({
      what: command,
      command,
      env: { CNI_CONTAINERID: '../x', CNI_IFNAME: 'a/b', CNI_NETNS: 'none' },
      config: { 'cni.dev/valid-attachments': [] },
      becomes: 'nothing' as const,
    })),
  },
  {
    says: 'DEL with a malformed CNI_CONTAINERID deletes nothing',
    story: async (node) => {
      await node.cni();
      const before = stateOf(node);
      const answer = await node.cni({ command: 'DEL', env: { CNI_CONTAINERID: '../x' } });
      expectRefusal(answer, 4, 'CNI_CONTAINERID');
      expect(stateOf(node)).toEqual(before);
    },
  },
  {
    says: 'a CNI_NETNS without a GUID is refused',
    rows: refused('CNI_NETNS', ['not-a-guid', '/proc/1/ns/net', 'none', 'container:abc', '{}']),
  },
  {
    says: 'its GUID may be in braces and uppercase',
    windows: 'too',
    story: async ({ cni, netns, hns }) => {
      const forms = [`{${netns}}`, netns.toUpperCase(), `/var/run/netns/${netns}`];
      for (const CNI_NETNS of forms) {
        const added = await cni({ env: { CNI_NETNS } });
        expect(added).toMatchObject({ ok: true, json: { interfaces: [{ sandbox: CNI_NETNS }] } });
        expect(hns.dump().endpoints).toMatchObject([{ HostComputeNamespace: netns }]);
        const config = { prevResult: added.json };
        expect(await cni({ command: 'CHECK', env: { CNI_NETNS }, config })).toMatchObject({ ok: true });
        await cni({ command: 'DEL', env: { CNI_NETNS } });
      }
    },
  },
  {
    says: 'CNI_NETNS may be a path that ends in a GUID, as from cnitool',
    windows: 'too',
    story: async ({ cni, netns, hns }) => {
      const CNI_NETNS = `C:\\x\\${netns}`;
      const added = await cni({ env: { CNI_NETNS } });
      expect(added.json).toMatchObject({ interfaces: [{ name: 'eth0', sandbox: CNI_NETNS }] });
      expect(hns.dump().endpoints).toMatchObject([{ HostComputeNamespace: netns }]);
    },
  },
  {
    spec: '5',
    says: 'ADD to a missing namespace is error 3',
    windows: 'too',
    rows: [
      {
        env: { CNI_NETNS: 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444' },
        becomes: { error: 3, says: ['c08cb7b8-9b3c-408e-8e30-5e16a3aeb444'] },
      },
    ],
  },
  {
    spec: '2 SHOULD',
    says: 'DEL from a missing namespace releases the address',
    story: async ({ cni, ipam }) => {
      await cni();
      const env = { CNI_NETNS: 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444' };
      expect(await cni({ command: 'DEL', env })).toMatchObject({ ok: true });
      expect(ipam.calls).toEqual(['ADD', 'DEL']);
      expect(ipam.leases).toEqual({});
    },
  },
  {
    says: 'CNI_NETNS_OVERRIDE has no effect',
    story: async (node) => {
      for (const CNI_NETNS_OVERRIDE of ['1', 'TRUE', 'x']) {
        const added = await node.cni({ env: { CNI_NETNS_OVERRIDE } });
        expect(added.json).toMatchObject({ interfaces: [{ sandbox: node.netns }] });
        expect(await node.cni({ command: 'DEL', env: { CNI_NETNS_OVERRIDE } })).toMatchObject({ ok: true });
      }
    },
  },
];
