import { win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CapturePort } from '../../../../src/cli/capture/pktmon.ts';
import { type Recorded, record } from '../../../../src/cli/capture/record.ts';
import type { PktmonResult } from '../../../../src/cli/terminal/pktmon.ts';
import { accessDenied, componentsJson } from './recorded.ts';
import { type ScriptedOptions, type ScriptedPktmon, scriptedPktmon } from './scripted-pktmon.ts';

const name = 'win-hcn-capture-4711';
const secret = '3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d';
const log = `C:\\Windows\\Temp\\win-hcn-capture-4711-${secret}.etl`;
const filters = [{ macAddress: '00-15-5D-52-C0-00' }, { addresses: ['10.244.1.2'] as const }];

interface Outcome {
  readonly recorded?: Recorded;
  readonly error?: string;
  readonly pktmon: ScriptedPktmon;
  readonly reports: readonly string[];
}

/** Records with a scripted pktmon. `alive`: the processes that exist. `files`: the files that exist. */
async function recordWith(
  options: ScriptedOptions = {},
  alive: readonly number[] = [],
  files: readonly string[] = [],
): Promise<Outcome> {
  const pktmon = scriptedPktmon({ components: componentsJson, ...options });
  for (const file of files) pktmon.files[file] = '';
  const reports: string[] = [];
  const port: CapturePort = {
    run: async (args) => pktmon.run(args),
    readText: (path) => ({ text: pktmon.files[path] ?? '', isCut: false }),
    createCopy: () => undefined,
    removeFile: pktmon.removeFile,
    isRunning: (processId) => alive.includes(processId),
    processId: 4711,
    folder: 'C:\\Windows\\Temp',
    listFolder: () => Object.keys(pktmon.files).map((path) => win32.basename(path)),
    secret,
    wait: async () => void reports.push('waited'),
    report: (text) => void reports.push(text),
  };
  try {
    const recorded = await record({ filters, seconds: 10, file: undefined, force: false }, port);
    return { recorded, pktmon, reports };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), pktmon, reports };
  }
}

/** A pktmon without filters, capture and log. */
const untouched = { state: { filters: [], running: undefined }, files: {} };

const usual = [
  'status',
  'filter list',
  `filter add ${name} -m 00-15-5D-52-C0-00`,
  `filter add ${name} -i 10.244.1.2`,
  'filter list',
  `start --capture --pkt-size 128 --file-name ${log}`,
  'list --json',
  'status',
  'stop',
  'filter list',
  'filter remove',
  `etl2txt ${log} --out ${log.replace('.etl', '.txt')}`,
];

test('filters are added, packets are captured, and the filters are removed', async () => {
  const { recorded, pktmon, reports } = await recordWith();
  expect(pktmon.calls).toEqual(usual);
  expect(pktmon.state).toEqual(untouched.state);
  expect(pktmon.files).toEqual({});
  expect(recorded).toMatchObject({
    log: { events: [] },
    components: [{ id: 12 }],
    lacks: [],
    leftBehind: [],
    isWritten: false,
  });
  expect(reports).toEqual(['waited']);
});

describe('a call that', () => {
  const faults: readonly (readonly [string, PktmonResult])[] = [
    ['fails', { exitCode: 1168, output: 'Element not found.\r\n' }],
    ['hangs', { problem: 'it did not finish within 30 s', timedOut: true }],
    ['is refused', { exitCode: 5, output: accessDenied }],
  ];
  test.each(faults)('%s leaves nothing behind, whichever it is', async (_, result) => {
    for (const [index, words] of usual.entries()) {
      const { error, recorded, pktmon } = await recordWith({
        fault: (_words, call) => (call === index + 1 ? result : undefined),
      });
      expect(pktmon.state, words).toEqual(untouched.state);
      if (recorded === undefined) expect(pktmon.files, words).toEqual({});
      // After the capture has started, what is missing is reported; before, it fails.
      expect(error === undefined, words).toBe(index > 5);
    }
  });

  test('always fails is reported with what to run', async () => {
    const { recorded } = await recordWith({
      fault: (words) => (words === 'stop' ? { exitCode: 1, output: 'The service is busy.' } : undefined),
    });
    expect(recorded?.leftBehind).toEqual([
      'pktmon cannot stop the capture: pktmon stop failed with exit code 1: The service is busy. Run pktmon stop',
    ]);
  });
});

describe('without a change, it refuses', () => {
  test.each<[string, ScriptedOptions, readonly number[], string]>([
    [
      'beside a capture',
      { running: 'C:\\Users\\ops\\PktMon.etl' },
      [],
      'a pktmon capture is running (log file C:\\Users\\ops\\PktMon.etl): win-hcn does not disturb it. End it with pktmon stop, and try again',
    ],
    [
      'beside filters of others',
      { filters: ['SenseNdr', 'SenseNdr', ''] },
      [],
      'pktmon has filters that win-hcn did not add: SenseNdr, (no name). They belong to another capture, or to a program such as ' +
        'Microsoft Defender for Endpoint (SenseNdr), and pktmon can only remove all filters at once. If they are not needed, run pktmon ' +
        'filter remove, and try again',
    ],
    [
      'beside another win-hcn capture',
      { running: 'C:\\Windows\\Temp\\win-hcn-capture-99.etl', filters: ['win-hcn-capture-99'] },
      [99],
      'win-hcn capture is already running (process 99). Wait until it ends; if process 99 is another program, run pktmon stop and pktmon ' +
        'filter remove, and try again',
    ],
    [
      'beside another win-hcn capture that has not started yet',
      { filters: ['win-hcn-capture-99'] },
      [99],
      'win-hcn capture is already running (process 99). Wait until it ends; if process 99 is another program, run pktmon stop and pktmon ' +
        'filter remove, and try again',
    ],
    [
      'without an administrator',
      { fault: () => ({ exitCode: 5, output: accessDenied }) },
      [],
      'pktmon cannot return its status: pktmon status failed with exit code 5: Failed to communicate with the PktMon driver. Access is ' +
        'denied. Run win-hcn in a console that was started as an administrator',
    ],
    [
      'if the status is unknown',
      { fault: (words) => (words === 'status' ? { exitCode: 0, output: '' } : undefined) },
      [],
      'a pktmon capture is running: win-hcn does not disturb it. End it with pktmon stop, and try again',
    ],
    [
      'if the filters are unknown',
      {
        fault: (words) =>
          words === 'filter list' ? { exitCode: 0, output: 'Filters\nin another\nform' } : undefined,
      },
      [],
      'pktmon cannot list its filters: it printed unexpected output',
    ],
    [
      'with an excerpt of a long message',
      { fault: () => ({ exitCode: 1, output: 'Z'.repeat(1_000_000) }) },
      [],
      `pktmon cannot return its status: pktmon status failed with exit code 1: ${'Z'.repeat(200)}..`,
    ],
    [
      'without pktmon',
      { fault: () => ({ problem: 'C:\\Windows\\System32\\pktmon.exe does not exist' }) },
      [],
      'cannot run pktmon status: C:\\Windows\\System32\\pktmon.exe does not exist',
    ],
  ])('%s', async (_, options, alive, message) => {
    const { error, pktmon } = await recordWith(options, alive);
    expect(error).toBe(message);
    expect(pktmon.state).toEqual({ filters: options.filters ?? [], running: options.running });
    expect(pktmon.calls.every((words) => ['status', 'filter list'].includes(words))).toBe(true);
  });
});

test('what a killed win-hcn left is stopped and removed first', async () => {
  const killed = 'C:\\Windows\\Temp\\win-hcn-capture-99.etl';
  const { pktmon, reports } = await recordWith({
    running: killed,
    filters: ['win-hcn-capture-99', 'win-hcn-capture-99'],
  });
  expect(reports).toEqual(['Removing the filters and the capture of an interrupted win-hcn.', 'waited']);
  expect(pktmon.calls.slice(0, 4)).toEqual(['status', 'filter list', 'stop', 'filter remove']);
  expect(pktmon.state).toEqual(untouched.state);
});

test('files and filters of killed captures are removed, those of running processes and of others stay', async () => {
  const folder = 'C:\\Windows\\Temp';
  const kept = [`win-hcn-capture-99-${secret}.etl`, 'win-hcn-capture-notes.txt', 'PktMon.etl'];
  const left = [`win-hcn-capture-98-${secret}.etl`, `win-hcn-capture-98-${secret}.txt`];
  const { pktmon } = await recordWith(
    {
      before: (words, state) => {
        if (words === 'list --json') state.filters.push('win-hcn-capture-98');
      },
    },
    [99],
    [...kept, ...left].map((one) => `${folder}\\${one}`),
  );
  expect(Object.keys(pktmon.files).sort()).toEqual(kept.map((one) => `${folder}\\${one}`).sort());
  expect(pktmon.state).toEqual(untouched.state);
});

describe('what others do meanwhile stays:', () => {
  test('filters, because pktmon can only remove all', async () => {
    const { recorded, pktmon } = await recordWith({
      before: (words, state) => {
        if (words === 'list --json') state.filters.push('Theirs');
      },
    });
    expect(pktmon.state.filters).toEqual([name, name, 'Theirs']);
    expect(recorded?.leftBehind).toEqual([
      `the filters ${name} were not removed: another program has added Theirs, and pktmon can only remove all at once. Run pktmon filter remove`,
    ]);
  });

  test('a capture that took the place of ours', async () => {
    const { recorded, pktmon } = await recordWith({
      before: (words, state) => {
        if (words === 'list --json') Object.assign(state, { running: 'C:\\theirs.etl', filters: [] });
      },
    });
    expect(pktmon.state).toEqual({ filters: [], running: 'C:\\theirs.etl' });
    expect(recorded?.leftBehind).toEqual([
      'another capture is running (log file C:\\theirs.etl), which win-hcn did not stop. Run pktmon stop',
    ]);
  });

  test('a capture without a log file, which ours always has', async () => {
    const { recorded, pktmon } = await recordWith({
      before: (words, state) => {
        if (words === 'list --json') state.running = '';
      },
    });
    expect(pktmon.state.running).toBe('');
    expect(recorded?.leftBehind).toEqual([
      'another capture is running (log file unknown), which win-hcn did not stop. Run pktmon stop',
    ]);
  });

  test('a capture of unknown owner, because pktmon does not return its status', async () => {
    let isStarted = false;
    const { recorded, pktmon } = await recordWith({
      before: (words, state) => {
        isStarted ||= words.startsWith('start');
        if (words === 'list --json') state.running = 'D:\\theirs.etl';
      },
      fault: (words) =>
        isStarted && words === 'status' ? { exitCode: 1, output: 'The service is busy.' } : undefined,
    });
    expect(pktmon.state.running).toBe('D:\\theirs.etl');
    expect(recorded?.leftBehind).toEqual([
      'pktmon cannot return its status: pktmon status failed with exit code 1: The service is busy. Run pktmon stop',
    ]);
  });

  test('filters between the check and ours, without a capture', async () => {
    const { error, pktmon } = await recordWith({
      before: (words, state) => {
        if (words.startsWith('filter add') && state.filters.length === 0) state.filters.push('Theirs');
      },
    });
    expect(error).toContain(
      `pktmon lists filters other than the 2 of this capture: Theirs, ${name}, ${name}`,
    );
    expect(pktmon.calls).not.toContain('filter remove');
  });
});
