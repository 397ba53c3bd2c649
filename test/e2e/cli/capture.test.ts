// capture with a scripted pktmon, which prints published forms. Not run on Windows.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PktmonResult } from '../../../src/cli/terminal/run-program.ts';
import { component, report } from '../../unit/cli/capture/log-lines.ts';
import { accessDenied } from '../../unit/cli/capture/recorded.ts';
import { type ScriptedOptions, scriptedPktmon } from '../../unit/cli/capture/scripted-pktmon.ts';
import { container, type InventoryNode, startInventoryNode, web } from './inventory-node.ts';
import { type CliEnvironment, failure, newGuid, runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const own = 'win-hcn-capture-4711';
const etl = `C:\\temp\\${own}-${newGuid}.etl`;
const text = etl.replace('.etl', '.txt');
/** A file that was there, so that the folder exists. */
const neighbor = 'C:\\temp\\notes.txt';
const file = 'C:\\temp\\web.pcapng';
const waiting = 'capturing for 10 s (Ctrl+C ends it early)\nreading the capture\n';

const [from, to] = ['10.244.1.2.50000', '8.8.8.8.53'];
const log = [
  report({ packet: 1, component: 57, from, to }),
  report({ packet: 1, component: 135, from, to }),
  report({ packet: 2, component: 57, from, to }),
  report({ packet: 2, component: 135, from, to, drop: '12' }),
  report({ packet: 3, component: 57, from: to, to: from }),
  report({ packet: 4, component: 99, from: '10.0.0.1.1', to: '10.0.0.2.2' }),
  component({
    id: 57,
    type: 'Miniport',
    driver: 'vmsmp.sys',
    name: 'Container adapter',
    properties: { PhysAddress: '0x00155D52C000', IfIndex: '31' },
  }),
  component({
    id: 135,
    type: 'VmsMiniport',
    driver: 'vmswitch.sys',
    name: `${container}_l2bridge_eth0`,
    properties: { VMSwitchName: 'l2bridge', PhysAddress: '0x00155D52C000' },
  }),
].join('');

/** Runs capture; `pktmon` is what the scripted one did, and `files` what is left besides `neighbor`. */
async function capture(
  words: readonly string[],
  options: ScriptedOptions = {},
  environment: CliEnvironment = {},
) {
  const pktmon = scriptedPktmon({ log, ...options });
  Object.assign(pktmon.files, { [neighbor]: '' }, environment.files);
  const printed = await runCli(['capture', '0e12d1', ...words], {
    system: node.outside,
    environment: { TEMP: 'C:\\temp' },
    pktmon: pktmon.run,
    removeFile: pktmon.removeFile,
    ...environment,
    files: pktmon.files,
  });
  delete pktmon.files[neighbor];
  return { ...printed, pktmon };
}

const dropped = [
  '1 packet from the pod was dropped at port of container 0e12d1d5a8cfb on l2bridge: FailedSecurityPolicy (12).',
  'Seen: 2 from the pod, 1 to the pod.',
];
const untouched = { state: { filters: [], running: undefined }, files: {} };
const usual = [
  'status',
  'filter list',
  `filter add ${own} -m 00-15-5D-52-C0-00`,
  `filter add ${own} -i 10.244.1.2`,
  'filter list',
  `start --capture --pkt-size 128 --file-name ${etl}`,
  'status',
  'stop',
  'filter list',
  'filter remove',
  `etl2txt ${etl} --out ${text}`,
];

test('prints what each hop saw, and where packets were dropped', async () => {
  const { exitCode, stdout, stderr, pktmon } = await capture([]);
  expect(stdout.split('\n')).toEqual([
    ...dropped,
    '',
    `container ${container}, filters: MAC 00-15-5D-52-C0-00, 10.244.1.2`,
    'seen at                                      component  sent  received  other  dropped',
    'adapter of container 0e12d1d5a8cfb           57         2     1         0      -',
    'port of container 0e12d1d5a8cfb on l2bridge  135        2     0         0      1: FailedSecurityPolicy (12)',
    'component 99                                 99         0     0         1      -',
    '',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: waiting });
  expect(pktmon).toMatchObject({ ...untouched, calls: usual });
});

test('writes whole packets to a file, which --force replaces', async () => {
  const passing = log.replaceAll(/, DropReason.*? , DropLocation 0x\w+/g, '');
  const words = ['--seconds', '30', '--file', file, '-o', 'json'];
  const first = await capture(words, { log: passing });
  expect(first.exitCode).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({
    file,
    says: ['Seen: 2 from the pod, 1 to the pod; pktmon reports no drop.'],
    lacks: [],
    isProblem: false,
  });
  expect(first.pktmon.calls).toContain(`start --capture --pkt-size 0 --file-name ${etl}`);
  const files = { [file]: 'old' };
  const { stderr } = await capture(words, {}, { files });
  expect(stderr).toContain(`win-hcn: ${file} already exists: replace it with --force`);
  const { pktmon } = await capture([...words, '--force'], {}, { files });
  expect(pktmon.files).toEqual({ [file]: 'packets' });
});

test('without pcapng or the text of the log, what is missing is reported, and the log is kept', async () => {
  const { exitCode, stdout, pktmon } = await capture(['--file', file], {
    fault: (words) => (/^etl2/.test(words) ? { exitCode: 1, output: 'Failed.' } : undefined),
  });
  expect(exitCode).toBe(1);
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'No packet matched the filters in 10 s. Send traffic during the capture.',
    `Missing: pktmon cannot convert the log to text: pktmon etl2txt ${etl} --out ${text} failed with exit code 1: Failed.`,
    `Missing: pktmon cannot convert the log to pcapng: pktmon etl2pcap ${etl} --out ${file} failed with exit code 1: Failed; the log is kept until the next capture: ${etl}.`,
    '',
  ]);
  expect(pktmon.state).toEqual(untouched.state);
  expect(Object.keys(pktmon.files)).toEqual([etl]);
});

test('Ctrl+C ends the capture early, and everything is removed', async () => {
  const pressed: (() => void)[] = [];
  const pauses = [() => pressed.at(-1)?.()];
  const onInterrupt = (handle: () => void) => pressed.push(handle);
  const { exitCode, stdout, stderr, pktmon } = await capture([], {}, { onInterrupt, pauses });
  expect({ exitCode, first: stdout.split('\n')[0] }).toEqual({ exitCode: 1, first: dropped[0] });
  expect(stderr).toBe(
    'capturing for 10 s (Ctrl+C ends it early)\n' +
      'win-hcn: ending the capture. Press Ctrl+C again to exit without removing the filters.\n' +
      'reading the capture\n',
  );
  expect(pktmon).toMatchObject(untouched);
});

describe('a call that', () => {
  test.each<[string, PktmonResult]>([
    ['fails', { exitCode: 1168, output: 'Element not found.\r\n' }],
    ['hangs', { problem: 'it did not finish within 30 s', timedOut: true }],
  ])('%s once leaves nothing behind, whichever it is', async (_, result) => {
    for (const [index, words] of usual.entries()) {
      const { stdout, pktmon } = await capture([], {
        fault: (_words, call) => (call === index + 1 ? result : undefined),
      });
      expect(pktmon, words).toMatchObject(untouched);
      // After the capture has started, what is missing is reported; before, it fails.
      expect(stdout !== '', words).toBe(index > 5);
    }
  });

  test('always fails is reported with what to run', async () => {
    const { stderr } = await capture([], {
      fault: (words) => (words === 'stop' ? { exitCode: 1, output: 'The service is busy.' } : undefined),
    });
    expect(stderr).toContain(
      'win-hcn: pktmon cannot stop the capture: pktmon stop failed with exit code 1: The service is busy. Run pktmon stop\n',
    );
  });
});

describe('refuses without a change', () => {
  const running = (process: number) => `C:\\Windows\\Temp\\win-hcn-capture-${process}.etl`;
  const runningAlready =
    'win-hcn capture is already running (process 99). Wait until it ends; if process 99 is another program, run pktmon stop and pktmon ' +
    'filter remove, and try again';
  test.each<[string, ScriptedOptions, string]>([
    [
      'beside a capture',
      { running: 'C:\\PktMon.etl' },
      'a pktmon capture is running (log file C:\\PktMon.etl): win-hcn does not disturb it. End it with pktmon stop, and try again',
    ],
    [
      'beside filters of others',
      { filters: ['SenseNdr', 'SenseNdr', ''] },
      'pktmon has filters that win-hcn did not add: SenseNdr, (no name). They belong to another capture, or to a program such as ' +
        'Microsoft Defender for Endpoint (SenseNdr), and pktmon can only remove all filters at once. If they are not needed, run pktmon ' +
        'filter remove, and try again',
    ],
    ['beside another win-hcn capture', { running: running(99) }, runningAlready],
    ['beside one that has not started yet', { filters: ['win-hcn-capture-99'] }, runningAlready],
    [
      'without an administrator',
      { fault: () => ({ exitCode: 5, output: accessDenied }) },
      'pktmon cannot return its status: pktmon status failed with exit code 5: Failed to communicate with the PktMon driver. Access is ' +
        'denied. Run win-hcn in a console that was started as an administrator',
    ],
    [
      'if the filters are unknown',
      { fault: (words) => (words === 'filter list' ? { exitCode: 0, output: 'a\nb\nc' } : undefined) },
      'pktmon cannot list its filters: it printed unexpected output',
    ],
  ])('%s', async (_, options, message) => {
    const { pktmon, ...printed } = await capture([], options, { isRunning: (id) => id === 99 });
    expect(printed).toEqual(failure(1, `win-hcn: ${message}`));
    expect(pktmon.state).toEqual({ filters: options.filters ?? [], running: options.running });
    expect(pktmon.calls.every((words) => ['status', 'filter list'].includes(words))).toBe(true);
  });

  test.each([
    [['x'], 1, 'win-hcn: HCN has no pod "x"'],
    [['c0ffee:99999'], 2, 'win-hcn: invalid address "c0ffee:99999". Use ADDRESS'],
    [['10.244.1.2'], 1, "win-hcn: 10.244.1.2 is the pod's own address"],
    [['--seconds', '3601'], 2, 'expected a number of seconds from 1 to 3600'],
    [['--file', 'web.zip'], 2, 'win-hcn: web.zip does not end with .pcapng'],
    [['--file', 'C:\\none\\a.pcapng'], 2, 'win-hcn: folder C:\\none does not exist'],
  ])('%j', async (words, exitCode, message) => {
    const { pktmon, ...printed } = await capture(words);
    expect(printed).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
    expect(pktmon.calls).toEqual([]);
  });
});

test('what a killed win-hcn left is removed first; files of running processes and of others stay', async () => {
  const kept = [`win-hcn-capture-99-${newGuid}.etl`, 'win-hcn-capture-notes.txt', 'PktMon.etl'];
  const left = [`win-hcn-capture-98-${newGuid}.etl`, `win-hcn-capture-98-${newGuid}.txt`];
  const { stderr, pktmon } = await capture(
    [],
    { running: `C:\\temp\\${left[0]}`, filters: ['win-hcn-capture-98'] },
    {
      isRunning: (processId) => processId === 99,
      files: Object.fromEntries([...kept, ...left].map((name) => [`C:\\temp\\${name}`, ''])),
    },
  );
  expect(stderr).toContain('win-hcn: Removing the filters and the capture of an interrupted win-hcn.\n');
  expect(pktmon.calls.slice(0, 4)).toEqual(['status', 'filter list', 'stop', 'filter remove']);
  expect(pktmon.state).toEqual(untouched.state);
  expect(Object.keys(pktmon.files)).toEqual(kept.map((name) => `C:\\temp\\${name}`));
});

describe('what others do meanwhile stays:', () => {
  test('filters, because pktmon can only remove all', async () => {
    const { exitCode, stderr, pktmon } = await capture([], {
      before: (words, state) => {
        if (words === 'stop') state.filters.push('Theirs');
      },
    });
    expect(pktmon.state.filters).toEqual([own, own, 'Theirs']);
    expect(stderr).toContain(
      `win-hcn: the filters ${own} were not removed: another program has added Theirs, and pktmon can only remove all at once. Run pktmon filter remove\n`,
    );
    expect(exitCode).toBe(1);
  });

  test('a capture that took the place of ours', async () => {
    const { pktmon } = await capture([], {
      before: (words, state) => {
        if (words === 'status' && state.running === etl) state.running = 'C:\\theirs.etl';
      },
    });
    expect(pktmon.state).toEqual({ filters: [], running: 'C:\\theirs.etl' });
  });

  test('filters between the check and ours, without a capture', async () => {
    const { stderr, pktmon } = await capture([], {
      before: (words, state) => {
        if (words.startsWith('filter add') && state.filters.length === 0) state.filters.push('Theirs');
      },
    });
    expect(stderr).toContain(
      `filters other than the 2 of this capture: Theirs, ${own}, ${own}. Another capture`,
    );
    expect(pktmon.calls).not.toContain('filter remove');
  });
});

/** An ACL of the pod that blocks DNS. */
const Settings = {
  ...{ Direction: 'Out', Action: 'Block', RuleType: 'Switch' },
  ...{ Priority: 100, Protocols: '17', RemotePorts: '53' },
};

describe('with a destination,', () => {
  test('adds what is predicted', async () => {
    await node.hcn.addPolicies(web, [{ Type: 'ACL', Settings }]);
    const { exitCode, stdout, pktmon } = await capture(['8.8.8.8:53/udp']);
    expect(pktmon.calls.slice(2, 4)).toEqual([
      `filter add ${own} -t UDP -i 10.244.1.2 8.8.8.8 -p 53`,
      `filter add ${own} -m 00-15-5D-52-C0-00 -d ARP`,
    ]);
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      ...dropped,
      'Predicted to be lost: Out ACL with priority 100 (udp, remote port 53) blocks it.',
      '',
      `container ${container} to 8.8.8.8:53/udp, filters: udp 10.244.1.2 <-> 8.8.8.8:53, MAC 00-15-5D-52-C0-00 ARP`,
    ]);
    expect(exitCode).toBe(1);
  });

  test('also captures after a translation of its source', async () => {
    await node.hcn.addPolicies(web, [{ Type: 'OutBoundNAT' }]);
    const { pktmon } = await capture(['8.8.8.8:53/udp']);
    expect(pktmon.calls).toContain(`filter add ${own} -t UDP -i 10.0.0.4 8.8.8.8 -p 53`);
  });

  test('which can be a pod of the node, answers alone are a problem', async () => {
    const answers = report({ packet: 1, component: 57, from: '10.244.1.30.80', to: from });
    const { exitCode, stdout } = await capture(['c0ffee:80', '-o', 'json'], { log: answers });
    expect(JSON.parse(stdout)).toMatchObject({
      container,
      destinations: [{ address: '10.244.1.30', port: 80, protocol: 6 }],
      filters: ['tcp 10.244.1.2 <-> 10.244.1.30:80', 'MAC 00-15-5D-52-C0-00 ARP'],
      hops: [{ component: 57, where: 'component 57', sent: 0, received: 1, other: 0, drops: [] }],
      isProblem: true,
      lacks: [],
    });
    expect(exitCode).toBe(1);
  });
});
