// trace --live with a scripted pktmon, which prints published forms. Not run on Windows.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PktmonResult } from '../../../src/cli/terminal/run-program.ts';
import { component, report } from '../../unit/cli/capture/log-lines.ts';
import { accessDenied } from '../../unit/cli/capture/recorded.ts';
import { type ScriptedOptions, scriptedPktmon } from '../../unit/cli/capture/scripted-pktmon.ts';
import { doctorEnvironment } from './doctor-node.ts';
import { container, type InventoryNode, startInventoryNode, web } from './inventory-node.ts';
import { type CliEnvironment, failure, newGuid, runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const etl = `C:\\temp\\win-hcn-${newGuid}.etl`;
const text = etl.replace('.etl', '.txt');
/** A file that was there, so that the folder exists. */
const neighbor = 'C:\\temp\\notes.txt';
const file = 'C:\\temp\\web.pcapng';

const [from, to] = ['10.244.1.2.50000', '8.8.8.8.53'];
const log = [
  report({ packet: 1, component: 57, from, to }),
  report({ packet: 1, component: 135, from, to }),
  report({ packet: 2, component: 57, from, to }),
  report({ packet: 2, component: 135, from, to, drop: 'Filtered' }),
  report({ packet: 3, component: 57, from: to, to: from }),
  component({
    ...{ id: 57, type: 'Miniport', driver: 'vmsmp.sys', name: 'Container adapter' },
    properties: { PhysAddress: '0x00155D52C000', IfIndex: '31' },
  }),
  component({
    ...{ id: 135, type: 'VmsMiniport', driver: 'vmswitch.sys', name: `${container}_l2bridge_eth0` },
    properties: { VMSwitchName: 'l2bridge', PhysAddress: '0x00155D52C000' },
  }),
].join('');

/** Traces and records; `pktmon` is what the scripted one did, and its `files` what is left besides `neighbor`. */
async function trace(
  words: readonly string[] = [],
  options: ScriptedOptions = {},
  environment: CliEnvironment = {},
) {
  const pktmon = scriptedPktmon({ log, ...options });
  Object.assign(pktmon.files, { [neighbor]: '' }, environment.files);
  const printed = await runCli(['trace', '0e12d1', '8.8.8.8:53/udp', '--live', '10', ...words], {
    ...doctorEnvironment(node),
    environment: { TEMP: 'C:\\temp' },
    pktmon: pktmon.run,
    removeFile: pktmon.removeFile,
    ...environment,
    files: pktmon.files,
  });
  delete pktmon.files[neighbor];
  return { ...printed, pktmon };
}

const untouched = { state: { filters: 0, isRunning: false }, files: {} };
const usual = [
  'status',
  'filter list',
  'filter add win-hcn -i 10.244.1.2 8.8.8.8 -e',
  `start --capture --pkt-size 128 --file-name ${etl}`,
  'status',
  'stop',
  'filter list',
  'filter remove',
  `etl2txt ${etl} --out ${text}`,
];
const summary = 'pktmon saw in 10 s: 2 packets sent, 1 of replies, 1 dropped.';
const advice = '. Check with pktmon status and pktmon filter list that nothing is left';

test('trace --live prints what each component saw, and where packets were dropped', async () => {
  const { exitCode, stdout, stderr, pktmon } = await trace();
  const [, , observed = ''] = stdout.split('\n\n');
  expect(observed.split('\n')).toEqual([
    summary,
    'seen at                       component  sent  replies  dropped',
    'adapter of endpoint 5efcf8b5  57         2     1        -',
    'port of endpoint 5efcf8b5     135        2     0        1: Filtered',
    '',
  ]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'capturing for 10 s (Ctrl+C ends it early)\nreading the capture\n',
  });
  expect(pktmon).toMatchObject({ ...untouched, calls: usual });
});

test('trace --live also records packets as load balancers and OutBoundNAT translate them', async () => {
  await node.hcn.addPolicies(web, [{ Type: 'OutBoundNAT' }]);
  const { pktmon } = await trace();
  expect(pktmon.calls).toContain('filter add win-hcn -i 10.0.0.4 8.8.8.8 -e');
});

test('trace --live writes whole packets to a file, which --force replaces', async () => {
  const words = ['--file', file, '-o', 'json'];
  const { stdout, pktmon } = await trace(words);
  expect(JSON.parse(stdout)).toMatchObject({ container, live: { seconds: 10, file, hops: [{}, {}] } });
  expect(pktmon.calls).toContain(`start --capture --pkt-size 0 --file-name ${etl}`);
  const files = { [file]: 'old' };
  expect((await trace(words, {}, { files })).stderr).toContain(`${file} already exists`);
  expect((await trace([...words, '--force'], {}, { files })).pktmon.files).toEqual({ [file]: 'packets' });
});

test('trace --live reports that no packet was seen', async () => {
  const { exitCode, stdout } = await trace([], { log: '' });
  expect(exitCode).toBe(1);
  expect(stdout).toContain('\n\npktmon saw no packet in 10 s. Send traffic during the capture.\n');
});

test('Ctrl+C ends the recording early, and everything is removed', async () => {
  const { stdout, pktmon } = await trace([], {}, { signal: AbortSignal.abort() });
  expect(stdout).toContain(summary);
  expect(pktmon).toMatchObject(untouched);
});

describe('a call of pktmon that', () => {
  test.each<[string, PktmonResult]>([
    ['fails', { exitCode: 1168, output: 'Element not found.\r\n' }],
    ['hangs', { problem: 'it did not finish within 30 s', timedOut: true }],
  ])('%s once leaves nothing behind, whichever it is', async (_, result) => {
    for (const index of usual.keys()) {
      const { pktmon } = await trace([], {
        fault: (_words, call) => (call === index + 1 ? result : undefined),
      });
      expect(pktmon, usual[index]).toMatchObject(untouched);
    }
  });

  test('always fails is reported with what to check', async () => {
    const busy = { exitCode: 1, output: 'The service is busy.' };
    const printed = await trace([], { fault: (words) => (words === 'stop' ? busy : undefined) });
    expect(printed).toMatchObject({ exitCode: 1, stdout: '' });
    expect(printed.stderr).toContain(
      `win-hcn: pktmon stop failed with exit code 1: The service is busy${advice}\n`,
    );
  });
});

test('filters that others add meanwhile stay, because pktmon can only remove all', async () => {
  const { stderr, pktmon } = await trace([], {
    before: (words, state) => {
      if (words === 'stop') state.filters += 1;
    },
  });
  expect(pktmon.state.filters).toBe(2);
  expect(stderr).toContain(
    `win-hcn: pktmon still has the filters of this capture: another program has added some, and pktmon can only remove all at once${advice}\n`,
  );
});

describe('trace --live refuses without a change', () => {
  const inUse = (how: string) =>
    `pktmon is in use: ${how}. Another capture, an interrupted win-hcn or a program such as Microsoft Defender for Endpoint (SenseNdr) ` +
    'uses it. See pktmon status and pktmon filter list. If they are not needed, run pktmon stop and pktmon filter remove, and try again';
  test.each<[string, ScriptedOptions, string]>([
    ['beside a capture', { isRunning: true }, inUse('a capture is running')],
    ['beside filters of others', { filters: 3 }, inUse('it has 3 filters')],
    [
      'without an administrator',
      { fault: () => ({ exitCode: 5, output: accessDenied }) },
      'pktmon status failed with exit code 5: Failed to communicate with the PktMon driver. Access is denied. Run win-hcn in a console ' +
        'that was started as an administrator',
    ],
    [
      'if the filters are unknown',
      { fault: (words) => (words === 'filter list' ? { exitCode: 0, output: 'a\nb\nc' } : undefined) },
      inUse('it has unreadable filters'),
    ],
  ])('%s', async (_, options, message) => {
    const { pktmon, ...printed } = await trace([], options);
    expect(printed).toEqual(failure(1, `win-hcn: ${message}`));
    expect(pktmon.calls.every((words) => ['status', 'filter list'].includes(words))).toBe(true);
  });

  test.each([
    [['--live', '3601'], 2, 'expected seconds from 1 to 3600'],
    [['--file', 'C:\\none\\a.pcapng'], 2, 'win-hcn: folder C:\\none does not exist'],
  ])('with %j', async (words, exitCode, message) => {
    const { pktmon, ...printed } = await trace(words);
    expect(printed).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
    expect(pktmon.calls).toEqual([]);
  });

  test('with a file that it does not record to', async () => {
    const printed = await runCli(['trace', '0e12d1', '8.8.8.8', '--file', file], { system: node.outside });
    expect(printed).toEqual(
      failure(2, 'win-hcn: --file requires --live', "Run 'win-hcn trace --help' for usage."),
    );
  });
});
