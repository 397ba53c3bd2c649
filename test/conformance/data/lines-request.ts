// Lines 1 to 35: the process, its environment, the configuration, versions.

import { expect } from 'vitest';
import { expectOutcome } from '../case.ts';
import type { Line } from '../line.ts';

export const requestLines: readonly Line[] = [
  { line: 1, says: 'success is exit code 0, and nothing else is', by: [76, [39, 'a word']] },
  { line: 2, says: 'an error is one object on stdout, whatever is on stderr', by: [[81, 'stderr alone']] },
  {
    line: 3,
    says: 'stdin is one JSON object',
    by: [
      [39, 'two documents'],
      [41, '[]'],
    ],
  },
  { line: 4, says: "stderr is for words: the IPAM plugin's, and none of ours", by: [87] },
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
  { line: 6, says: 'no command depends on another one before it', by: [130, 113] },
  { line: 7, says: 'requests for several containers at once do not disturb each other', by: [96] },
  {
    line: 8,
    says: 'requests for one container at once corrupt nothing, though no runtime makes them',
    by: [97],
  },
  { line: 9, says: 'CNI_COMMAND is one of six words in capitals', by: [10, 11] },
  {
    line: 10,
    says: 'CNI_CONTAINERID is required, of letters, digits, "_", "." and "-", and of any length',
    by: [13, [22, '"../x"'], [22, '"_a"'], [22, '"abc\\n"'], 23],
  },
  { line: 11, says: 'CNI_NETNS is required for ADD and CHECK, and not for DEL', by: [16, 17] },
  {
    line: 12,
    says: 'CNI_IFNAME is required, and becomes the name of the interface',
    by: [18, [25, '15 bytes']],
  },
  {
    line: 13,
    says: 'CNI_IFNAME has at most 15 bytes, no slash, colon or white space, and may have a backslash',
    by: [25, [26, '"."'], [26, '"a/b"'], [26, '"a b"'], 27],
  },
  { line: 14, says: 'CNI_ARGS are optional, and passed on', by: [[107, 'may be anything']] },
  { line: 15, says: 'CNI_PATH is a list of folders, needed for delegation and for GC', by: [19, 20, 21, 37] },
  {
    line: 16,
    says: 'variables that are missing or malformed are error 4, which names all of them',
    by: [15, 28],
  },
  {
    line: 17,
    says: 'an empty variable is a missing one',
    story: async (node) => {
      for (const name of ['CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME']) {
        const says = [`${name} is missing`];
        await expectOutcome(node, { env: { [name]: '' }, becomes: { error: 4, says } });
      }
    },
  },
  { line: 18, says: 'GC and STATUS do not look at the variables of an attachment', by: [29] },
  { line: 19, says: 'CNI_NETNS_OVERRIDE has no effect, as on every Windows', by: [35] },
  { line: 20, says: 'variables of a trace are passed on to the IPAM plugin', by: [85] },
  { line: 21, says: 'a configuration without a version is of version 0.1.0', by: [61] },
  {
    line: 22,
    says: 'the name of the network is required, and made as a container id is',
    by: [58, [59, '../x'], [59, '"a b"']],
  },
  {
    line: 24,
    says: 'ipam.type is a bare name, and an empty or absent one means no delegation',
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
      [110, 'is none'],
    ],
  },
  { line: 26, says: 'capabilities that are left in the request are ignored', by: [[73, 'capabilities']] },
  {
    line: 27,
    says: 'an unknown key is error 2, which names it and its value, but where it is not ours',
    by: [73, 74],
  },
  {
    line: 28,
    says: 'each member of dns is optional and has its effect, and so has ipMasq',
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
    says: 'keys of the list that a runtime leaves in the request are ignored',
    by: [
      [73, 'cniVersions'],
      [73, 'disableCheck'],
      [73, 'disableGC'],
      [73, 'loadOnly'],
      [73, 'plugins'],
    ],
  },
  { line: 31, says: 'VERSION answers with all versions, and needs nothing but the command', by: [3, 6, 9] },
  { line: 32, says: 'VERSION answers in the version it is asked in, or else in the latest', by: [4, 5, 7] },
  {
    line: 33,
    says: 'a version we do not speak is error 1',
    by: [
      [63, '"9.9.9"'],
      [63, '"1.0"'],
    ],
  },
  { line: 34, says: 'CHECK, GC and STATUS in a version that has none are error 1', by: [67, 68, 69] },
  {
    line: 35,
    says: 'the result is of the version of the configuration',
    by: [
      [64, ': 0.2.0'],
      [64, ': 0.3.1'],
      [64, ': 1.0.0'],
    ],
  },
];
