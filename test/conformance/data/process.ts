// Cases 1 to 12: the process, VERSION, and the message without a runtime.

import { expect } from 'vitest';
import type { Case } from '../case.ts';

export const supportedVersions = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'];
export const latest = { cniVersion: '1.1.0', supportedVersions };

const attachment = ['CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME', 'CNI_PATH'];
/** VERSION without the variables of an attachment: libcni's probe sets no more than these. */
const alone = Object.fromEntries(attachment.map((name) => [name, undefined]));

export const processCases: readonly Case[] = [
  {
    number: 1,
    says: 'without a command it prints its versions on stderr, and succeeds',
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
    says: 'an empty CNI_COMMAND counts as missing',
    story: async ({ start, hns }) => {
      const { exitCode, stdout, stderr } = await start({ env: { CNI_COMMAND: '' } });
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
      expect(stderr).toContain('CNI protocol versions supported: 0.1.0, ');
      expect(hns.dump().endpoints).toEqual([]);
    },
  },
  {
    number: 3,
    says: 'VERSION needs only CNI_COMMAND',
    windows: 'too',
    story: async ({ cni }) => {
      const answer = await cni({ command: 'VERSION', env: alone, stdin: '' });
      expect(answer).toMatchObject({ ok: true, stderr: '' });
      expect(answer.json).toEqual(latest);
    },
  },
  {
    number: 4,
    says: 'VERSION returns the requested version (skel: its latest)',
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
    says: 'VERSION returns the latest version if the requested one is unsupported',
    rows: [
      { what: 'a future version', stdin: '{"cniVersion":"9.9.9"}' },
      { what: 'not JSON', stdin: 'hello' },
      { what: 'not an object', stdin: '[]' },
      { what: 'cniVersion is not a string', stdin: '{"cniVersion":1}' },
    ].map((row) => ({ ...row, command: 'VERSION', becomes: { result: latest } })),
  },
  {
    number: 6,
    says: "VERSION succeeds for libcni's probe",
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
    says: 'VERSION ends if stdin never ends',
    story: async ({ cni }) => {
      expect((await cni({ command: 'VERSION', stdin: () => {} })).json).toEqual(latest);
    },
  },
  {
    number: 8,
    says: 'VERSION succeeds without stdin',
    windows: 'too',
    rows: [{ what: 'NUL', command: 'VERSION', stdinFrom: 'nul', becomes: { result: latest } }],
  },
  {
    number: 8,
    says: 'VERSION succeeds without stdin',
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
    says: 'an unknown command, or one in other case, is refused by name',
    rows: ['add', 'Add', 'UPDATE', ' ADD'].map((command) => ({
      what: command,
      command,
      becomes: { error: 4, says: [JSON.stringify(command)] },
    })),
  },
  {
    number: 11,
    says: 'an unknown command is error 4 even without stdin (skel reads it first)',
    windows: 'too',
    rows: [{ command: 'UPDATE', stdin: '', becomes: { error: 4, says: ['UPDATE'] } }],
  },
  {
    number: 12,
    says: 'command-line arguments have no effect',
    windows: 'too',
    story: async ({ cni, endpointNames }) => {
      expect(await cni({ args: ['foo', '--version', 'DEL'] })).toMatchObject({ ok: true });
      expect(endpointNames()).toEqual(['c1_n1_eth0']);
    },
  },
];
