// capture with a scripted pktmon, which prints published forms. Not run on Windows.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { component, report } from '../../unit/cli/capture/log-lines.ts';
import { type ScriptedOptions, scriptedPktmon } from '../../unit/cli/capture/scripted-pktmon.ts';
import { container, type InventoryNode, startInventoryNode, web } from './inventory-node.ts';
import { type CliEnvironment, failure, newGuid, runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const etl = `C:\\temp\\win-hcn-capture-4711-${newGuid}.etl`;
const text = etl.replace('.etl', '.txt');
const pcapng = etl.replace('.etl', '.pcapng');
/** A file that was there, so that the folder exists. */
const neighbor = 'C:\\temp\\notes.txt';
const waiting = 'capturing for 10 s (Ctrl+C ends it early)\nreading the capture\n';

const components = [
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
const packets = [
  report({ packet: 1, component: 57, from: '10.244.1.2.50000', to: '8.8.8.8.53' }),
  report({ packet: 1, component: 135, from: '10.244.1.2.50000', to: '8.8.8.8.53' }),
  report({ packet: 2, component: 57, from: '10.244.1.2.50000', to: '8.8.8.8.53' }),
  report({ packet: 2, component: 135, from: '10.244.1.2.50000', to: '8.8.8.8.53', drop: '12' }),
].join('');

/** Runs capture; `pktmon` is what the scripted one did. `meanwhile` happens during the capture. */
async function capture(
  words: readonly string[],
  options: ScriptedOptions = {},
  environment: CliEnvironment = {},
  meanwhile: (files: Record<string, string>) => void = () => undefined,
) {
  const pktmon = scriptedPktmon({ log: `${packets}${components}`, ...options });
  Object.assign(pktmon.files, { [neighbor]: '' }, environment.files);
  const printed = await runCli(['capture', '0e12d1', ...words], {
    system: node.outside,
    environment: { TEMP: 'C:\\temp' },
    pktmon: pktmon.run,
    removeFile: pktmon.removeFile,
    createCopy: (path, from) => {
      if (path in pktmon.files) throw Object.assign(new Error(), { code: 'EEXIST' });
      pktmon.files[path] = pktmon.files[from] ?? '';
    },
    pauses: [() => meanwhile(pktmon.files)],
    ...environment,
    files: pktmon.files,
  });
  delete pktmon.files[neighbor];
  return { ...printed, pktmon };
}

const dropped = [
  '1 packet from the pod was dropped at port of container 0e12d1d5a8cfb on l2bridge: FailedSecurityPolicy (12).',
  'Seen: 2 from the pod, 0 to the pod.',
];
const table = [
  'seen at                                      component  sent  received  other  dropped',
  'adapter of container 0e12d1d5a8cfb           57         2     0         0      -',
  'port of container 0e12d1d5a8cfb on l2bridge  135        2     0         0      1: FailedSecurityPolicy (12)',
];
const untouched = { state: { filters: [], running: undefined }, files: {} };

test('prints what each hop saw, and where packets were dropped', async () => {
  const { exitCode, stdout, stderr, pktmon } = await capture([]);
  expect(stdout.split('\n')).toEqual([
    ...dropped,
    '',
    `container ${container}, filters: MAC 00-15-5D-52-C0-00, 10.244.1.2`,
    ...table,
    '',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: waiting });
  expect(pktmon).toMatchObject(untouched);
});

test('writes the packets to a file, of whole packets', async () => {
  const file = 'C:\\temp\\web.pcapng';
  const { stdout, pktmon } = await capture(['--seconds', '30', '--file', file, '-o', 'json'], {
    log: packets.replaceAll(/, DropReason.*? , DropLocation 0x\w+/g, ''),
  });
  expect(JSON.parse(stdout)).toMatchObject({ file, lacks: [], isProblem: false });
  expect(pktmon.calls).toContain(`start --capture --pkt-size 0 --file-name ${etl}`);
  expect(pktmon.files).toEqual({ [file]: 'packets' });
});

test('without pcapng or the text of the log, what is missing is reported, and the log is kept', async () => {
  const { exitCode, stdout, pktmon } = await capture(['--file', 'C:\\temp\\web.pcapng'], {
    fault: (words) => (/^etl2/.test(words) ? { exitCode: 1, output: 'Failed.' } : undefined),
  });
  expect(exitCode).toBe(1);
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'No packet matched the filters in 10 s. Send traffic during the capture.',
    `Missing: pktmon cannot convert the log to text: pktmon etl2txt ${etl} --out ${text} failed with exit code 1: Failed.`,
    `Missing: pktmon cannot convert the log to pcapng: pktmon etl2pcap ${etl} --out ${pcapng} failed with exit code 1: Failed; the log is kept until the next capture: ${etl}.`,
    '',
  ]);
  expect(pktmon.state).toEqual(untouched.state);
  expect(Object.keys(pktmon.files)).toEqual([etl]);
});

test('Ctrl+C ends the capture early, and everything is removed', async () => {
  let press = (): void => undefined;
  const { exitCode, stdout, stderr, pktmon } = await capture(
    [],
    {},
    {
      onInterrupt: (handle) => {
        press = handle;
      },
      pauses: [() => press()],
    },
  );
  expect({ exitCode, first: stdout.split('\n')[0] }).toEqual({ exitCode: 1, first: dropped[0] });
  expect(stderr).toBe(
    'capturing for 10 s (Ctrl+C ends it early)\n' +
      'win-hcn: ending the capture. Press Ctrl+C again to exit without removing the filters.\n' +
      'reading the capture\n',
  );
  expect(pktmon).toMatchObject(untouched);
});

describe('refuses without a change', () => {
  test('beside a capture', async () => {
    const { pktmon, ...printed } = await capture([], { running: 'C:\\PktMon.etl' });
    expect(printed).toEqual(
      failure(
        1,
        'win-hcn: a pktmon capture is running (log file C:\\PktMon.etl): win-hcn does not disturb it. End it with pktmon stop, and try again',
      ),
    );
    expect(pktmon.calls).toEqual(['status', 'filter list']);
  });

  test.each([
    [['x'], 1, 'win-hcn: HCN has no pod "x"'],
    [['c0ffee:99999'], 2, 'win-hcn: invalid address "c0ffee:99999". Use ADDRESS'],
    [['fd00::1'], 1, 'win-hcn: the pod has no IPv6 address'],
    [['10.244.1.2'], 1, "win-hcn: 10.244.1.2 is the pod's own address"],
    [['--seconds', '0'], 2, 'expected a number of seconds from 1 to 3600'],
    [['--file', 'web.zip'], 2, 'win-hcn: web.zip does not end with .pcapng'],
    [['--file', 'C:\\temp\\notes.txt:a.pcapng'], 2, 'is not the name of a file: it contains a colon'],
    [['--file', 'C:\\none\\a.pcapng'], 2, 'win-hcn: folder C:\\none does not exist'],
  ])('%j', async (words, exitCode, message) => {
    const { pktmon, ...printed } = await capture(words);
    expect(printed).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
    expect(pktmon.calls).toEqual([]);
  });

  test('to replace a file, unless --force is given', async () => {
    const file = 'C:\\temp\\web.pcapng';
    const files = { [file]: 'old' };
    const { stderr } = await capture(['--file', file], {}, { files });
    expect(stderr).toContain(`win-hcn: ${file} already exists: replace it with --force`);
    const { pktmon } = await capture(['--file', file, '--force'], {}, { files });
    expect(pktmon.files).toEqual({ [file]: 'packets' });
  });

  test('to replace a file with --force before the packets are converted', async () => {
    const file = 'C:\\temp\\web.pcapng';
    const { pktmon } = await capture(
      ['--file', file, '--force'],
      { fault: (words) => (words.startsWith('etl2pcap') ? { exitCode: 1, output: '' } : undefined) },
      { files: { [file]: 'old' } },
    );
    expect(pktmon.files[file]).toBe('old');
  });

  test('to replace a file that somebody creates during the capture', async () => {
    const file = 'C:\\temp\\web.pcapng';
    const { exitCode, stdout, pktmon } = await capture(['--file', file], {}, {}, (files) =>
      Object.assign(files, { [file]: 'theirs' }),
    );
    expect(pktmon.files).toEqual({ [file]: 'theirs', [etl]: 'log' });
    expect(stdout).toContain(
      `Missing: cannot create ${file}: it already exists; the log is kept until the next capture: ${etl}.`,
    );
    expect(exitCode).toBe(1);
  });
});

/** An ACL of the pod that blocks DNS. */
const blockedDns = {
  Type: 'ACL',
  Settings: {
    Direction: 'Out',
    Action: 'Block',
    RuleType: 'Switch',
    Priority: 100,
    Protocols: '17',
    RemotePorts: '53',
  },
};

describe('with a destination, prints the predicted path beside what was seen', () => {
  const about = `container ${container} to 8.8.8.8:53/udp, filters: udp 10.244.1.2 <-> 8.8.8.8:53, MAC 00-15-5D-52-C0-00 ARP`;

  test('and names the port if an ACL drops the packets', async () => {
    await node.hcn.addPolicies(web, [blockedDns]);
    const { exitCode, stdout, pktmon } = await capture(['8.8.8.8:53/udp']);
    expect(pktmon.calls.slice(2, 4)).toEqual([
      'filter add win-hcn-capture-4711 -t UDP -i 10.244.1.2 8.8.8.8 -p 53',
      'filter add win-hcn-capture-4711 -m 00-15-5D-52-C0-00 -d ARP',
    ]);
    expect(stdout.split('\n')).toEqual([
      ...dropped,
      'As predicted, packets are lost at port of container 0e12d1d5a8cfb on l2bridge.',
      'Predicted to be lost: Out ACL with priority 100 (udp, remote port 53) blocks it.',
      '',
      about,
      ...table,
      '',
      'hop                        predicted                                                         seen  dropped',
      'pod of endpoint 5efcf8b5   sends it to next hop 10.244.1.1 (route 0.0.0.0/0 via 10.244.1.1)  2     -',
      'port of endpoint 5efcf8b5  blocks it (Out ACL with priority 100 (udp, remote port 53))       2     1: FailedSecurityPolicy (12)',
      '',
    ]);
    expect(exitCode).toBe(1);
  });

  test('and where the paths part if the packets should pass', async () => {
    const { stdout } = await capture(['8.8.8.8:53/udp', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      says: [
        ...dropped,
        'The paths diverge at port of container 0e12d1d5a8cfb on l2bridge: packets are dropped there.',
        "Predicted to be lost: Nothing on this node has the pods' gateway 10.244.1.1: create a host endpoint (hostEndpoint).",
      ],
      isProblem: true,
      hops: [
        { component: 57, kind: 'pod', sent: 2 },
        { component: 135, kind: 'port', sent: 2 },
      ],
      predicted: [
        {
          outcome: 'lost',
          hops: [{ seen: 2 }, { seen: 2 }, { seen: 2 }, { hop: 'virtual switch l2bridge' }],
        },
      ],
    });
  });

  test('also for a pod of the node', async () => {
    const { stdout } = await capture(['c0ffee:80', '-o', 'json'], { log: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      container,
      destinations: [{ address: '10.244.1.30', port: 80, protocol: 6 }],
      filters: ['tcp 10.244.1.2 <-> 10.244.1.30:80', 'MAC 00-15-5D-52-C0-00 ARP'],
      hops: [],
      lacks: [],
    });
  });
});

test('traffic is also captured after a translation of its source', async () => {
  await node.hcn.addPolicies(web, [{ Type: 'OutBoundNAT' }]);
  const { pktmon } = await capture(['8.8.8.8:53/udp']);
  expect(pktmon.calls.filter((words) => words.startsWith('filter add'))).toEqual([
    'filter add win-hcn-capture-4711 -t UDP -i 10.244.1.2 8.8.8.8 -p 53',
    'filter add win-hcn-capture-4711 -t UDP -i 10.0.0.4 8.8.8.8 -p 53',
    'filter add win-hcn-capture-4711 -m 00-15-5D-52-C0-00 -d ARP',
  ]);
});
