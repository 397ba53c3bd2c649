// Lines 1 to 35: process, environment, configuration and versions.

import { expect } from 'vitest';
import { expectOutcome } from '../case.ts';
import type { Line } from '../line.ts';

export const requestLines: readonly Line[] = [
  { line: 1, says: 'exit code 0 means success, every other code failure', by: [76, [39, 'a word']] },
  {
    line: 2,
    says: 'an error is one JSON object on stdout, independent of stderr',
    by: [[81, 'stderr alone']],
  },
  {
    line: 3,
    says: 'stdin is one JSON object',
    by: [
      [39, 'two documents'],
      [41, '[]'],
    ],
  },
  { line: 4, says: "stderr passes on the IPAM plugin's output; win-hcn adds nothing", by: [87] },
  {
    line: 5,
    says: 'ADD prints a result, and CHECK, STATUS, GC and DEL print nothing',
    story: async ({ cni }) => {
      const added = await cni();
      const prevResult = added.json;
      const valid = { 'cni.dev/valid-attachments': [{ containerID: 'c1', ifname: 'eth0' }] };
      expect(prevResult).toMatchObject({ cniVersion: '1.1.0', ips: [{ address: '10.5.0.2/24' }] });
      for (const command of ['CHECK', 'STATUS', 'GC', 'DEL'])
        expect(await cni({ command, config: { prevResult, ...valid } })).toMatchObject({
          ok: true,
          stdout: '',
        });
    },
  },
  { line: 6, says: 'no command depends on an earlier one', by: [130, 113] },
  { line: 7, says: 'concurrent requests for different containers do not affect each other', by: [96] },
  {
    line: 8,
    says: 'concurrent requests for one container corrupt nothing, although no runtime sends them',
    by: [97],
  },
  { line: 9, says: 'CNI_COMMAND is one of six uppercase words', by: [10, 11] },
  {
    line: 10,
    says: 'CNI_CONTAINERID is required and consists of letters, digits, "_", "." and "-", with no length limit',
    by: [13, [22, '"../x"'], [22, '"_a"'], [22, '"abc\\n"'], 23],
  },
  { line: 11, says: 'CNI_NETNS is required for ADD and CHECK, but not for DEL', by: [16, 17] },
  {
    line: 12,
    says: 'CNI_IFNAME is required and becomes the interface name',
    by: [18, [25, '15 bytes']],
  },
  {
    line: 13,
    says: 'CNI_IFNAME has at most 15 bytes and no slash, colon or white space; a backslash is allowed',
    by: [25, [26, '"."'], [26, '"a/b"'], [26, '"a b"'], 27],
  },
  { line: 14, says: 'CNI_ARGS is optional and passed on', by: [[107, 'may be any text']] },
  { line: 15, says: 'CNI_PATH is a list of folders, required for delegation and GC', by: [19, 20, 21, 37] },
  {
    line: 16,
    says: 'missing and malformed variables are error 4, which lists all of them',
    by: [15, 28],
  },
  {
    line: 17,
    says: 'an empty variable counts as missing',
    story: async (node) => {
      for (const name of ['CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME']) {
        const says = [`${name} is missing`];
        await expectOutcome(node, { env: { [name]: '' }, becomes: { error: 4, says } });
      }
    },
  },
  { line: 18, says: 'GC and STATUS ignore the variables of an attachment', by: [29] },
  { line: 19, says: 'CNI_NETNS_OVERRIDE has no effect, as always on Windows', by: [35] },
  { line: 20, says: 'trace variables are passed to the IPAM plugin', by: [85] },
  { line: 21, says: 'a configuration without cniVersion has version 0.1.0', by: [61] },
  {
    line: 22,
    says: 'the network name is required and follows the rules of container IDs',
    by: [58, [59, '../x'], [59, '"a b"']],
  },
  {
    line: 24,
    says: 'ipam.type is a bare name; without it, or if it is empty, nothing is delegated',
    by: [
      [71, '"../bin/echo"'],
      [71, '"sub/echo"'],
      [71, '"C:echo"'],
      [71, ': empty'],
      [71, ': no ipam'],
    ],
  },
  {
    line: 25,
    says: 'keys that the runtime generates are accepted',
    by: [
      [73, 'args'],
      [73, 'cni.dev/'],
      [110, 'counts as absent'],
    ],
  },
  { line: 26, says: 'capabilities in a request are ignored', by: [[73, 'capabilities']] },
  {
    line: 27,
    says: 'an unknown key is error 2 with its name and value, except in objects of others',
    by: [73, 74],
  },
  {
    line: 28,
    says: 'ipMasq and each member of dns are optional and take effect',
    story: async (node) => {
      const members = { nameservers: ['10.96.0.10'], domain: 'a.b', search: ['c.d'], options: ['ndots:5'] };
      for (const [key, value] of Object.entries(members)) {
        const dns = { [key]: value };
        expect((await node.cni({ config: { dns } })).json.dns).toEqual(dns);
        await node.cni({ command: 'DEL' });
      }
      await node.cni({ config: { ipMasq: true } });
      expect(node.hns.dump().endpoints).toMatchObject([{ Policies: [{ Type: 'OutBoundNAT' }] }]);
    },
  },
  {
    line: 29,
    says: 'keys of the conflist that a runtime passes on are ignored',
    by: [
      [73, 'cniVersions'],
      [73, 'disableCheck'],
      [73, 'disableGC'],
      [73, 'loadOnly'],
      [73, 'plugins'],
    ],
  },
  { line: 31, says: 'VERSION returns all versions and needs only CNI_COMMAND', by: [3, 6, 9] },
  {
    line: 32,
    says: 'VERSION returns a result in the requested version, or in the latest if that is not supported',
    by: [4, 5, 7],
  },
  {
    line: 33,
    says: 'an unsupported version is error 1',
    by: [
      [63, '"9.9.9"'],
      [63, '"1.0"'],
    ],
  },
  { line: 34, says: 'CHECK, GC and STATUS are error 1 in versions without them', by: [67, 68, 69] },
  {
    line: 35,
    says: 'the result has the version of the configuration',
    by: [
      [64, ': 0.2.0'],
      [64, ': 0.3.1'],
      [64, ': 1.0.0'],
    ],
  },
];
