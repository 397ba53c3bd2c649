// Cases 1 to 12: the process, VERSION, and what it says when no runtime runs it.

import { expect } from 'vitest';
import type { Case } from '../case.ts';

export const supportedVersions = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'];
export const latest = { cniVersion: '1.1.0', supportedVersions };

const attachment = ['CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME', 'CNI_PATH'];
/** VERSION as libcni's probe has it at most: nothing of an attachment. */
const alone = Object.fromEntries(attachment.map((name) => [name, undefined]));

export const processCases: readonly Case[] = [
  {
    number: 1,
    says: 'without a command it says on stderr what it is and which versions it speaks, and succeeds',
    windows: 'too',
    story: async ({ start }) => {
      const env = { ...alone, CNI_COMMAND: undefined };
      const { exitCode, stdout, stderr } = await start({ env, stdin: '' });
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
      expect(stderr).toMatch(/^win-hcn \S+/);
      expect(stderr).toContain(
        'CNI protocol versions supported: 0.1.0, 0.2.0, 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0',
      );
    },
  },
  {
    number: 2,
    says: 'an empty CNI_COMMAND is none, whatever else is there',
    story: async ({ start, hns }) => {
      const { exitCode, stdout, stderr } = await start({ env: { CNI_COMMAND: '' } });
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
      expect(stderr).toContain('CNI protocol versions supported: 0.1.0, ');
      expect(hns.dump().endpoints).toEqual([]);
    },
  },
  {
    number: 3,
    says: 'VERSION needs nothing but the command',
    windows: 'too',
    story: async ({ cni }) => {
      const answer = await cni({ command: 'VERSION', env: alone, stdin: '' });
      expect(answer).toMatchObject({ ok: true, stderr: '' });
      expect(answer.json).toEqual(latest);
    },
  },
  {
    number: 4,
    says: 'VERSION answers in the version it is asked in (by decision: where skel has its latest)',
    windows: 'too',
    rows: supportedVersions.map((cniVersion) => ({
      what: cniVersion,
      command: 'VERSION',
      stdin: JSON.stringify({ cniVersion }),
      becomes: { result: { cniVersion, supportedVersions } },
    })),
  },
  {
    number: 5,
    says: 'VERSION answers in the latest version when it cannot use the one it is asked in',
    rows: [
      { what: 'one from the future', stdin: '{"cniVersion":"9.9.9"}' },
      { what: 'no JSON', stdin: 'hello' },
      { what: 'no object', stdin: '[]' },
      { what: 'a version that is no text', stdin: '{"cniVersion":1}' },
    ].map((row) => ({ ...row, command: 'VERSION', becomes: { result: latest } })),
  },
  {
    number: 5,
    says: 'VERSION reads past a byte-order mark',
    rows: [
      {
        command: 'VERSION',
        stdin: '\ufeff{"cniVersion":"0.4.0"}',
        becomes: { result: { cniVersion: '0.4.0', supportedVersions } },
      },
    ],
  },
  {
    number: 6,
    says: "VERSION answers libcni's probe, whose variables are dummies",
    windows: 'too',
    rows: [
      {
        command: 'VERSION',
        env: { CNI_CONTAINERID: undefined, CNI_NETNS: 'dummy', CNI_IFNAME: 'dummy', CNI_PATH: 'dummy' },
        stdin: '{"cniVersion":"1.1.0"}',
        becomes: { result: latest },
      },
    ],
  },
  {
    number: 7,
    says: 'VERSION answers within a second on a stdin that never ends',
    story: async ({ cni }) => {
      const answer = await cni({ command: 'VERSION', stdin: () => {} });
      expect(answer.json).toEqual(latest);
      expect(answer.milliseconds).toBeLessThan(1000);
    },
  },
  {
    number: 8,
    says: 'VERSION answers without a stdin',
    windows: 'too',
    rows: [{ what: 'NUL', command: 'VERSION', stdinFrom: 'nul', becomes: { result: latest } }],
  },
  {
    number: 8,
    says: 'VERSION answers without a stdin',
    rows: [{ what: 'closed', command: 'VERSION', stdinFrom: 'closed', becomes: { result: latest } }],
  },
  {
    number: 9,
    says: 'VERSION needs no HCN',
    rows: ['/nowhere.so', ''].map((library) => ({
      what: library === '' ? 'none on this machine' : 'one that cannot be loaded',
      command: 'VERSION',
      env: { WIN_HCN_LIBRARY: library, WIN_HCN_SIMULATED_HNS: undefined },
      stdin: '',
      becomes: { result: latest },
    })),
  },
  {
    number: 10,
    says: 'a command that is none, in exactly these letters, is refused by its name',
    rows: ['add', 'Add', 'UPDATE', ' ADD'].map((command) => ({
      what: command,
      command,
      becomes: { error: 4, says: [JSON.stringify(command)] },
    })),
  },
  {
    number: 11,
    says: 'an unknown command is error 4 even without a configuration (by decision: skel reads stdin first)',
    windows: 'too',
    rows: [{ command: 'UPDATE', stdin: '', becomes: { error: 4, says: ['UPDATE'] } }],
  },
  {
    number: 12,
    says: 'arguments on the command line change nothing',
    windows: 'too',
    story: async ({ cni, endpointNames }) => {
      expect(await cni({ args: ['foo', '--version', 'DEL'] })).toMatchObject({ ok: true });
      expect(endpointNames()).toEqual(['c1_n1_eth0']);
    },
  },
];
