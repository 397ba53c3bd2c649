import { describe, expect, test } from 'vitest';
import { newStepTargets } from '../../../src/plugin/command-context.ts';
import { run } from '../../../src/plugin/run.ts';
import { type System, system } from '../../../src/system.ts';
import { example } from '../../e2e/example.ts';
import { smallHcn } from '../hcn/small-hcn.ts';

const netns = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';

/** Runs a request on a node without HCN objects. Returns its answer, the lines of the log file and the written log entries. */
async function requested(command: string, config: object) {
  const lines: string[] = [];
  const entries: object[] = [];
  const node: System = {
    ...system,
    environment: {
      CNI_COMMAND: command,
      CNI_CONTAINERID: 'c0ffee',
      CNI_IFNAME: 'eth0',
      CNI_NETNS: netns,
      CNI_PATH: '/opt/cni/bin',
    },
    executable: '/opt/cni/bin/win-hcn',
    logFile: 'win-hcn.log',
    readStdin: () => Buffer.from(JSON.stringify(config)),
    loadLibrary: async () => smallHcn().library,
    now: () => 0,
    newRequestId: () => '0badcafe',
    openLog: () => (text) => {
      lines.push(text);
      return true;
    },
  };
  const { exitCode, stdout } = await run(node, (entry) => entries.push(entry));
  return { answer: exitCode === 0 ? stdout : JSON.parse(stdout), lines, entries };
}

const details = 'logged in win-hcn.log as request 0badcafe';
const withIpam = (type: string) => example('nat', { cniVersion: '1.1.0', ipam: { type } });

test.each([
  ['CHECK', '0.3.1', '0.4.0'],
  ['GC', '1.0.0', '1.1.0'],
  ['STATUS', '1.0.0', '1.1.0'],
])('%s in version %s is error 1, which names the version that has it', async (command, cniVersion, since) => {
  const msg = `cniVersion ${cniVersion} does not have ${command}: set cniVersion to ${since} or later`;
  const { answer } = await requested(command, example('nat', { cniVersion }));
  expect(answer).toEqual({ cniVersion, code: 1, msg, details });
});

describe('win-hcn as its own IPAM plugin', () => {
  const msg = '/ipam/type is "WIN-HCN.EXE", which is this plugin itself: use a plugin that assigns addresses';

  test.each([
    ['ADD', { cniVersion: '1.1.0', code: 7, msg, details }],
    ['STATUS', { cniVersion: '1.1.0', code: 50, msg, details }],
    ['DEL', ''],
    ['GC', ''],
  ])(
    'is refused by what assigns addresses, and ignored by what releases them: %s',
    async (command, answer) => {
      const config = { ...withIpam('WIN-HCN.EXE'), 'cni.dev/valid-attachments': [] };
      expect((await requested(command, config)).answer).toEqual(answer);
    },
  );
});

test('the age of a lease from the future is its distance from now', () => {
  const node: System = {
    ...system,
    environment: { CNI_PATH: '/opt/cni/bin' },
    windows: false,
    isFile: () => true,
    findFile: () => ({ id: 'a', modified: 601_000 }),
    clock: () => new Date(0),
  };
  const { locateIpam } = newStepTargets('ADD', withIpam('host-local'), '', node, () => undefined);
  expect(locateIpam()?.findLease?.('10.244.1.5')).toEqual({ id: 'a', seconds: 601 });
});

test('the log has the first 100 characters of a name, and nothing of a STATUS that succeeds', async () => {
  const name = 'n'.repeat(101);
  const { lines, entries } = await requested('STATUS', example('nat', { cniVersion: '1.1.0', name }));
  const configuration = {
    event: 'configuration',
    name: 'n'.repeat(100),
    type: 'win-hcn',
    cniVersion: '1.1.0',
  };
  expect(entries[1]).toEqual(configuration);
  expect(entries.at(-1)).toEqual({ event: 'answer', milliseconds: 0, code: 0 });
  expect(lines).toEqual([]);
});
