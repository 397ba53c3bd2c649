// Exit, output and environment of the IPAM plugin.

import { expect } from 'vitest';
import { type Case, expectRefusal, stateOf } from '../case.ts';
import type { Ipam } from '../ipam.ts';

/** The IPAM plugin fails: ADD fails, makes the plugin release the address, and leaves nothing. */
const failing = (
  says: string,
  prepare: (ipam: Ipam) => void,
  code: number | readonly number[],
  ...texts: readonly string[]
): Case => ({
  spec: '4',
  says,
  story: async (node) => {
    const before = stateOf(node);
    prepare(node.ipam);
    expectRefusal(await node.cni(), code, ...texts);
    expect(node.ipam.calls).toEqual(['ADD', 'DEL']);
    expect(stateOf(node)).toEqual(before);
  },
});

const lease = '{"ips":[{"address":"10.5.0.7/24"}]}';
const unreadable: readonly [string, string][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a line before its result', `a line\n${lease}`],
  ['two results', lease + lease],
];
const error = { code: 11, msg: 'm', details: 'd' };

export const delegationCases: readonly Case[] = [
  ...unreadable.map(([what, text]) =>
    failing(
      `an IPAM plugin that prints ${what} fails ADD`,
      (ipam) => ipam.answer('ADD', text),
      6,
      'test-ipam',
    ),
  ),
  {
    spec: '4 SHOULD',
    says: "ADD passes on the plugin's error, and releases the address",
    story: async ({ cni, ipam }) => {
      ipam.answer('ADD', JSON.stringify({ cniVersion: '1.0.0', ...error }), 1);
      expect((await cni()).json).toEqual({ cniVersion: '1.1.0', ...error });
      expect(ipam.calls).toEqual(['ADD', 'DEL']);
    },
  },
  failing(
    'a plugin that fails without output is named, with its exit code',
    (ipam) => ipam.on('ADD', 'exit 2'),
    103,
    'test-ipam',
    'exit code 2',
  ),
  failing(
    'a plugin that prints an error and exits with 0 fails ADD',
    (ipam) => ipam.answer('ADD', JSON.stringify(error)),
    103,
    'no address',
  ),
  failing(
    'a plugin that returns no address fails ADD',
    (ipam) => ipam.answer('ADD', '{"cniVersion":"1.1.0","ips":[]}'),
    103,
    'no address',
  ),
  {
    spec: '4 SHOULD',
    says: 'a missing plugin is named with the searched folders',
    story: async (node) => {
      const before = stateOf(node);
      const answer = await node.cni({ config: { ipam: { type: 'nowhere' } } });
      expectRefusal(answer, 7, '"nowhere"', `CNI_PATH ${node.ipam.folder}`);
      expect(stateOf(node)).toEqual(before);
    },
  },
  {
    spec: '4 MUST',
    says: "the plugin gets win-hcn's environment, during rollback too",
    story: async ({ cni, ipam, hns, netns }) => {
      const more = {
        CNI_ARGS: 'K8S_POD_NAME=a;IgnoreUnknown=1;;X==',
        TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        HTTP_PROXY: 'http://127.0.0.1:3128',
        odd: ' two  spaces ',
      };
      hns.inject({ function: 'HcnCreateEndpoint', effect: { hresult: 0x80070005 } });
      expectRefusal(await cni({ env: more }), 100);
      const attachment = {
        CNI_CONTAINERID: 'c1',
        CNI_IFNAME: 'eth0',
        CNI_NETNS: netns,
        CNI_PATH: ipam.folder,
      };
      const { PWD: _1, ...added } = ipam.environment('ADD');
      const { PWD: _2, ...deleted } = ipam.environment('DEL');
      const mark = { WIN_HCN_DELEGATING: 'test-ipam' };
      expect(added).toEqual({ ...hns.environment, ...attachment, ...more, ...mark, CNI_COMMAND: 'ADD' });
      expect(deleted).toEqual({ ...added, CNI_COMMAND: 'DEL' });
    },
  },
  {
    spec: '4 SHOULD',
    says: 'the plugin gets the exact bytes of stdin',
    story: async ({ cni, ipam, config }) => {
      const stdin = ` ${JSON.stringify(config({ 'x-n': 2 ** 60 }))}\r\n`;
      const added = await cni({ stdin });
      const check = ` ${JSON.stringify(config({ prevResult: added.json }))} `;
      await cni({ stdin: check, command: 'CHECK' });
      await cni({ stdin, command: 'STATUS' });
      await cni({ stdin, command: 'DEL' });
      expect(['ADD', 'CHECK', 'STATUS', 'DEL'] as const).toEqual(ipam.calls);
      expect([ipam.stdin('ADD'), ipam.stdin('CHECK')]).toEqual([stdin, check]);
      expect([ipam.stdin('STATUS'), ipam.stdin('DEL')]).toEqual([stdin, stdin]);
    },
  },
  {
    spec: '4 SHOULD',
    says: "the plugin's stderr is passed on to stderr only",
    story: async ({ cni, ipam }) => {
      ipam.on('ADD', `echo first >&2; echo '${lease}'; echo last >&2`);
      expect(await cni()).toMatchObject({ ok: true, stderr: 'first\nlast\n' });
    },
  },
  {
    spec: '3',
    says: 'DEL cleans up an ADD that was killed while the plugin hung',
    story: async ({ cni, start, ipam, endpointNames }) => {
      ipam.on(
        'ADD',
        'echo "$CNI_CONTAINERID $CNI_IFNAME" > "$d/lease-10.5.0.9"; echo $$ > "$d/pid"; exec sleep 60',
      );
      const end = new AbortController();
      const ended = start({ signal: end.signal });
      await expect.poll(() => ipam.leases).toEqual({ '10.5.0.9': 'c1 eth0' });
      const killed = performance.now();
      end.abort();
      expect(await ended).toMatchObject({ exitCode: undefined, stdout: '' });
      expect(performance.now() - killed).toBeLessThan(5000);
      expect(await cni({ command: 'DEL' })).toMatchObject({ ok: true });
      expect([ipam.leases, endpointNames()]).toEqual([{}, []]);
    },
  },
  {
    says: "ADD does not wait for the plugin's child processes",
    story: async ({ cni, ipam }) => {
      ipam.on('ADD', `sleep 60 & echo $! > "$d/pid"; echo '${lease}'`);
      const answer = await cni();
      expect(answer.json).toMatchObject({ ips: [{ address: '10.5.0.7/24' }] });
      expect(answer.milliseconds).toBeLessThan(3000);
    },
  },
];
