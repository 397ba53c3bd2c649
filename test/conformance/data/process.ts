// The process, VERSION, and the message without a runtime.

import { expect } from 'vitest';
import type { Case } from '../case.ts';

export const supportedVersions = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'];
export const latest = { cniVersion: '1.1.0', supportedVersions };

const attachment = ['CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME', 'CNI_PATH'];
/** VERSION without the variables of an attachment: libcni's probe sets no more than these. */
const alone = Object.fromEntries(attachment.map((name) => [name, undefined]));

export const processCases: readonly Case[] = [
  {
    spec: 'skel',
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
    spec: 'skel',
    says: 'an empty CNI_COMMAND counts as missing',
    story: async ({ start, hns }) => {
      const { exitCode, stdout, stderr } = await start({ env: { CNI_COMMAND: '' } });
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
      expect(stderr).toContain('CNI protocol versions supported: 0.1.0, ');
      expect(hns.dump().endpoints).toEqual([]);
    },
  },
  {
    spec: '2',
    says: 'VERSION needs only CNI_COMMAND',
    windows: 'too',
    story: async ({ cni }) => {
      const answer = await cni({ command: 'VERSION', env: alone, stdin: '' });
      expect(answer).toMatchObject({ ok: true, stderr: '' });
      expect(answer.json).toEqual(latest);
    },
  },
  {
    spec: '5 MUST',
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
    spec: '5 MUST',
    says: 'VERSION returns the latest version if the requested one is unsupported',
    deviation: { requires: 'the requested version', because: 'as skel' },
    rows: [{ stdin: '{"cniVersion":"9.9.9"}', command: 'VERSION', becomes: { result: latest } }],
  },
  {
    says: 'VERSION returns the latest version if stdin has none',
    rows: [
      { what: 'not JSON', stdin: 'hello' },
      { what: 'not an object', stdin: '[]' },
      { what: 'cniVersion is not a string', stdin: '{"cniVersion":1}' },
    ].map((row) => ({ ...row, command: 'VERSION', becomes: { result: latest } })),
  },
  {
    spec: 'libcni',
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
    says: 'VERSION ends if stdin never ends',
    story: async ({ cni }) => {
      expect((await cni({ command: 'VERSION', stdin: () => {} })).json).toEqual(latest);
    },
  },
  {
    says: 'VERSION succeeds without stdin',
    windows: 'too',
    rows: [{ what: 'NUL', command: 'VERSION', stdinFrom: 'nul', becomes: { result: latest } }],
  },
  {
    says: 'VERSION succeeds without stdin',
    rows: [{ what: 'closed', command: 'VERSION', stdinFrom: 'closed', becomes: { result: latest } }],
  },
  {
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
    spec: '5 MUST',
    says: 'an unknown command, or one in other case, is refused by name',
    rows: ['add', 'Add', 'UPDATE', ' ADD'].map((command) => ({
      what: command,
      command,
      becomes: { error: 4, says: [JSON.stringify(command)] },
    })),
  },
  {
    says: 'an unknown command is error 4 even without stdin (skel reads it first)',
    windows: 'too',
    rows: [{ command: 'UPDATE', stdin: '', becomes: { error: 4, says: ['UPDATE'] } }],
  },
  {
    says: 'command-line arguments have no effect',
    windows: 'too',
    story: async ({ cni, endpointNames }) => {
      expect(await cni({ args: ['foo', '--version', 'DEL'] })).toMatchObject({ ok: true });
      expect(endpointNames()).toEqual(['c1_n1_eth0']);
    },
  },
];
