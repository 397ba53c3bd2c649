// Cases 126 to 130: STATUS.

import { expect } from 'vitest';
import { type Case, expectRefusal, type Row, stateOf } from '../case.ts';

const unavailable = (what: string, row: Omit<Row, 'what' | 'becomes'>, ...says: string[]): Row => ({
  ...row,
  what,
  command: 'STATUS',
  becomes: { error: 50, says },
});

const ipamSays = (code: number, becomes: number, msg: string): Case => ({
  number: 128,
  says: "STATUS passes on the IPAM plugin's error",
  what: `${code}, ${msg}`,
  story: async ({ cni, ipam }) => {
    ipam.answer('STATUS', JSON.stringify({ code, msg }), 1);
    expect((await cni({ command: 'STATUS' })).json).toMatchObject({ code: becomes, msg });
  },
});

export const statusCases: readonly Case[] = [
  {
    number: 126,
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
    number: 127,
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
    number: 127,
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
    number: 127,
    says: 'STATUS succeeds when HCN does not respond in time',
    story: async ({ cni, hns }) => {
      hns.inject({ effect: { hang: true } });
      const answer = await cni({ command: 'STATUS', config: { hcnTimeoutSeconds: 1 }, hangs: true });
      expect(answer).toMatchObject({ ok: true });
      expect(answer.milliseconds).toBeLessThan(5000);
    },
  },
  ipamSays(50, 50, 'the range is full'),
  ipamSays(11, 11, 'in a minute'),
  {
    number: 128,
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
    number: 129,
    says: 'STATUS is error 50 within 10 s if the IPAM plugin hangs',
    story: async ({ cni, ipam }) => {
      ipam.on('STATUS', 'echo $$ > "$d/pid"; exec sleep 60');
      const answer = await cni({ command: 'STATUS' });
      expectRefusal(answer, 50, 'test-ipam');
      expect(answer.milliseconds).toBeGreaterThan(9000);
    },
  },
  {
    number: 130,
    says: 'ADD does not depend on STATUS',
    story: async ({ cni }) => {
      expectRefusal(await cni({ command: 'STATUS', env: { WIN_HCN_SIMULATED_HNS: '127.0.0.1:1' } }), 50);
      expect(await cni()).toMatchObject({ ok: true });
    },
  },
];
