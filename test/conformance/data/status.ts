// Cases of STATUS.

import { expect } from 'vitest';
import { type Case, expectRefusal, type Row, stateOf } from '../case.ts';

const unavailable = (what: string, row: Omit<Row, 'what' | 'becomes'>, ...says: string[]): Row => ({
  ...row,
  what,
  command: 'STATUS',
  becomes: { error: 50, says },
});

const ipamSays = (code: number, becomes: number, msg: string): Case => ({
  spec: '2 SHOULD',
  says: "STATUS passes on the IPAM plugin's error",
  what: `${code}, ${msg}`,
  story: async ({ cni, ipam }) => {
    ipam.answer('STATUS', JSON.stringify({ code, msg }), 1);
    expect((await cni({ command: 'STATUS' })).json).toMatchObject({ code: becomes, msg });
  },
});

export const statusCases: readonly Case[] = [
  {
    spec: '2 MUST',
    says: 'STATUS of a healthy node prints and changes nothing',
    windows: 'too',
    story: async (node) => {
      await node.cni();
      const before = stateOf(node);
      node.hns.clearCalls();
      const answer = await node.cni({ command: 'STATUS' });
      expect(answer).toMatchObject({ ok: true, stderr: '' });
      expect(stateOf(node)).toEqual(before);
      const names = node.hns.calls.map((call) => call.function);
      expect(names).toEqual(['HcnOpenNetwork', 'HcnQueryNetworkProperties']);
    },
  },
  {
    spec: '2 MUST',
    says: 'STATUS is error 50 if no ADD can succeed',
    windows: 'too',
    rows: [
      unavailable('HNS is stopped', { env: { WIN_HCN_SIMULATED_HNS: '127.0.0.1:1' } }, '0x800706d9'),
      unavailable(
        'the network is missing and createNetwork is never',
        { config: { createNetwork: 'never' } },
        '"n1"',
      ),
    ],
  },
  {
    spec: '2 MUST',
    says: 'STATUS is error 50 if no ADD can succeed',
    rows: [
      unavailable('no HCN library', { env: { WIN_HCN_LIBRARY: '' } }, 'WIN_HCN_LIBRARY'),
      unavailable(
        'an HCN library that cannot be loaded',
        { env: { WIN_HCN_LIBRARY: '/nowhere.so' } },
        '/nowhere.so',
      ),
    ],
  },
  {
    spec: '2 MUST',
    says: 'STATUS succeeds when HCN does not respond in time',
    deviation: {
      requires: 'STATUS fails if no ADD can succeed',
      because: 'HNS can be busy for seconds, and any error makes the node not ready',
    },
    story: async ({ cni, hns }) => {
      hns.inject({ effect: { hang: true } });
      const answer = await cni({ command: 'STATUS', config: { hcnTimeoutSeconds: 1 }, hangs: true });
      expect(answer).toMatchObject({ ok: true });
      expect(answer.milliseconds).toBeLessThan(5000);
    },
  },
  {
    spec: '2 SHOULD',
    says: 'STATUS succeeds when HNS has no free address',
    deviation: {
      requires: 'STATUS fails if addresses are exhausted',
      because: 'counting queries all endpoints; an IPAM plugin can count',
    },
    story: async ({ cni, hns }) => {
      const config = { subnets: [{ subnet: '10.5.0.0/30' }], ipam: undefined };
      expect(await cni({ config })).toMatchObject({ ok: true });
      const second = { CNI_CONTAINERID: 'c2', CNI_NETNS: hns.createNamespace() };
      expectRefusal(await cni({ config, env: second }), 100, 'HCN_E_ADDR_INVALID_OR_RESERVED');
      expect(await cni({ command: 'STATUS', config })).toMatchObject({ ok: true });
    },
  },
  ipamSays(50, 50, 'the range is full'),
  ipamSays(11, 11, 'in a minute'),
  {
    spec: '2 MUST',
    says: 'STATUS fails if the IPAM plugin is missing',
    rows: [
      {
        command: 'STATUS',
        config: { ipam: { type: 'nowhere' } },
        becomes: { error: [7, 50], says: ['"nowhere"'] },
      },
    ],
  },
  {
    spec: '2 MUST',
    says: 'STATUS is error 50 within 10 s if the IPAM plugin hangs',
    story: async ({ cni, ipam }) => {
      ipam.on('STATUS', 'echo $$ > "$d/pid"; exec sleep 60');
      const answer = await cni({ command: 'STATUS' });
      expectRefusal(answer, 50, 'test-ipam');
      expect(answer.milliseconds).toBeGreaterThan(9000);
    },
  },
  {
    spec: '2 MUST',
    says: 'ADD does not depend on STATUS',
    story: async ({ cni }) => {
      expectRefusal(await cni({ command: 'STATUS', env: { WIN_HCN_SIMULATED_HNS: '127.0.0.1:1' } }), 50);
      expect(await cni()).toMatchObject({ ok: true });
    },
  },
];
