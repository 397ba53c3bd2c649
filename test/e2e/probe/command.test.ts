import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HcnUnavailable } from '../../../src/hcn/errors.ts';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import { type Node, startNode } from '../node.ts';
import { runProbe } from './run-probe.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

const row = ['--row', 'attachTwice'];
const twoRows = ['--row', 'emptyLoadBalancer', '--row', 'attachTwice'];
const objects = () => {
  const { networks, endpoints, namespaces, loadBalancers } = node.hns.dump();
  return [networks, endpoints, namespaces.slice(1), loadBalancers].flat();
};

test('prints a line for each row', async () => {
  expect(await runProbe(node, [...twoRows, '--row', 'callerIdsNAT'])).toEqual({
    exitCode: 0,
    stdout: `Windows: unknown, HNS: 15.5

verdict    row                observed        claim
not tried  callerIdsNAT       requires --nat  A new NAT network has the requested ID, and another process can open it
holds      attachTwice        refused         HNS refuses to add an endpoint to the namespace that it is in
holds      emptyLoadBalancer  refused         HNS refuses a load balancer without endpoints

2 hold, 0 do not hold, 1 not tried
`,
    stderr: '',
  });
});

test('exits with 1 if an assumption does not hold', async () => {
  await node.stop();
  node = await startNode({ switches: { attachTwice: 'accepted' } });
  const { exitCode, stdout } = await runProbe(node, row);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('\ndoes not hold  attachTwice  accepted  HNS refuses');
  expect(stdout).toContain('\n0 hold, 1 do not hold, 0 not tried\n');
});

test('-o json has every document that was sent, and every answer', async () => {
  const { stdout } = await runProbe(node, ['--row', 'emptyLoadBalancer', '-o', 'json']);
  const report = JSON.parse(stdout);
  const { calls } = report.rows[0];
  expect(report).toMatchObject({ hns: { Major: 15, Minor: 5 }, remaining: [] });
  expect(calls.map((call: { function: string }) => call.function)).toEqual([
    'HcnCreateNetwork',
    'HcnQueryNetworkProperties',
    'HcnCreateLoadBalancer',
    'HcnCreateEndpoint',
    'HcnQueryEndpointProperties',
    'HcnCreateLoadBalancer',
    'HcnQueryLoadBalancerProperties',
  ]);
  const network = { Name: expect.stringMatching(/^win-hcn-probe-\d+$/), Type: 'Private' };
  expect(calls.slice(0, 3)).toMatchObject([
    { sent: network, hresult: 'S_OK' },
    { hresult: 'S_OK', returned: network },
    {
      sent: { HostComputeEndpoints: [], PortMappings: [{ Protocol: 6, ExternalPort: expect.any(Number) }] },
      hresult: 'HCN_E_INVALID_POLICY',
      returned: { Success: false, ErrorCode: hresultOf('HCN_E_INVALID_POLICY') },
    },
  ]);
});

test('reads the Windows build and the versions of HCN files', async () => {
  const printed = {
    windows: 'Windows Server 2022 Datacenter 20348.2402',
    files: { 'computenetwork.dll': '10.0.20348.1' },
  };
  const powershell = () => ({ stdout: JSON.stringify(printed) });
  const { stdout } = await runProbe(node, [...row, '-o', 'json'], { powershell });
  expect(JSON.parse(stdout)).toMatchObject(printed);
});

test.each([
  [
    ['--adapter', 'Ethernet'],
    'Creates L2Bridge, L2Tunnel, Overlay and Transparent networks on adapter "Ethernet", one after the other, and deletes them.\n' +
      "Each creation and deletion interrupts the adapter's connections for some seconds.\n" +
      'The adapter may lose its static address.\n' +
      'The node briefly gets an interface with a probe address and a default route, which Windows may use.\n',
  ],
  [
    ['--restart-hns'],
    'Restarts the Host Network Service: new pods wait until it responds, and existing pods may lose their network.\n',
  ],
])('%s without --yes shows what it interrupts, and changes nothing', async (words, impact) => {
  expect(await runProbe(node, words)).toEqual({
    exitCode: 1,
    stdout: `${impact}No changes made. Rerun with --yes to apply.\n`,
    stderr: '',
  });
  expect(node.hns.calls.filter(({ function: name }) => /Create|Modify|Delete/.test(name))).toEqual([]);
});

test.each([
  [
    ['--row', 'noSuchRow'],
    2,
    'win-hcn: unknown row "noSuchRow". docs/notes/uncertain-hns.md lists the rows\n',
  ],
  [
    ['--adapter', 'Wi-Fi', '--yes'],
    1,
    'win-hcn: adapter "Wi-Fi" does not exist. Run Get-NetAdapter to list the adapters\n',
  ],
])('%s is refused', async (words, exitCode, message) => {
  const printed = await runProbe(node, words);
  expect(printed).toMatchObject({ exitCode, stdout: '' });
  expect(printed.stderr.startsWith(message)).toBe(true);
});

describe('--compare', () => {
  const other = (observed: string) =>
    JSON.stringify({ rows: [{ id: 'attachTwice', observed }, { id: 'gone' }] });
  const compare = (text: string, encoding: 'utf8' | 'utf16le' = 'utf8') =>
    runProbe(node, [...row, '--compare', 'other.json'], {
      files: { 'other.json': Buffer.from(text, encoding) },
    });

  test('shows the rows that differ, and exits with 1', async () => {
    const { exitCode, stdout } = await compare(other('accepted'));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/\n\nrow {10}this node {2}other node\nattachTwice {2}refused {4}accepted\n$/);
  });

  test('reads what PowerShell 5.1 redirects, and reports that nothing differs', async () => {
    const { exitCode, stdout } = await compare(`\ufeff${other('refused')}`, 'utf16le');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\n\nNo differences from the other report\.\n$/);
  });

  test('refuses a file that is no report, before it creates anything', async () => {
    expect(await compare('{"networks":[]}')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'win-hcn: other.json is not a report of win-hcn probe -o json: rows is not a list\n',
    });
    expect(node.hns.calls).toEqual([]);
  });
});

describe('if HNS cannot be probed, each row is not tried, with the reason', () => {
  const reasons = (stdout: string) => JSON.parse(stdout).rows.map(({ reason }: { reason: string }) => reason);

  test.each([
    ['win-hcn is not elevated', hresultOf('E_ACCESSDENIED'), 1, 'E_ACCESSDENIED'],
    ['the service is stopped', hresultOf('RPC_S_SERVER_UNAVAILABLE'), 3, 'RPC_S_SERVER_UNAVAILABLE'],
  ])('%s', async (_, hresult, expected, symbol) => {
    node.hns.inject({ ordinal: 'every', effect: { hresult } });
    const { exitCode, stdout } = await runProbe(node, [...twoRows, '-o', 'json']);
    expect(exitCode).toBe(expected);
    expect(reasons(stdout)).toEqual([expect.stringContaining(symbol), expect.stringContaining(symbol)]);
  });

  test('the service hangs', async () => {
    node.hns.inject({ ordinal: 'every', effect: { hang: true } });
    const { exitCode, stdout } = await runProbe(node, [...twoRows, '-o', 'json']);
    expect(exitCode).toBe(3);
    const reason = expect.stringMatching(/^HcnEnumerateNetworks did not respond within 30 s: /);
    expect(reasons(stdout)).toEqual([reason, reason]);
  });

  test('Windows lacks a function', async () => {
    const loadLibrary = () =>
      Promise.reject(
        new HcnUnavailable('cannot load computenetwork.dll: no HcnCreateLoadBalancer', undefined),
      );
    const { exitCode, stdout } = await runProbe(node, [...twoRows, '-o', 'json'], {
      system: { ...node.outside, loadLibrary },
    });
    expect(exitCode).toBe(3);
    expect(reasons(stdout)).toEqual(
      Array(2).fill('cannot load computenetwork.dll: no HcnCreateLoadBalancer'),
    );
  });
});

test('a call that hangs costs its row only, and what the row created is deleted', async () => {
  node.hns.inject({ function: 'HcnModifyNamespace', effect: { hang: true } });
  const { exitCode, stdout } = await runProbe(node, [...twoRows, '-o', 'json']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).rows).toMatchObject([
    {
      id: 'attachTwice',
      verdict: 'not tried',
      reason: expect.stringContaining('HcnModifyNamespace did not respond'),
    },
    { id: 'emptyLoadBalancer', verdict: 'holds' },
  ]);
  expect(objects()).toEqual([]);
});

test('a service that fails while an experiment runs gives no verdict, and ends the run if it stays away', async () => {
  node.hns.inject({
    function: 'HcnCreateLoadBalancer',
    effect: { hresult: hresultOf('RPC_S_SERVER_UNAVAILABLE') },
  });
  const { stdout } = await runProbe(node, [...twoRows, '-o', 'json']);
  expect(JSON.parse(stdout).rows).toMatchObject([
    { id: 'attachTwice', verdict: 'holds' },
    {
      id: 'emptyLoadBalancer',
      verdict: 'not tried',
      reason: expect.stringContaining('HcnCreateLoadBalancer'),
    },
  ]);
});

test('the experiments after a shared network that HNS did not create in time get a new one', async () => {
  node.hns.inject({ function: 'HcnCreateNetwork', effect: { hang: true } });
  const { stdout } = await runProbe(node, [...twoRows, '-o', 'json']);
  expect(JSON.parse(stdout).rows).toMatchObject([{ verdict: 'not tried' }, { verdict: 'holds' }]);
});

test('a row is not tried if HNS refuses what its experiment needs', async () => {
  node.hns.inject({ function: 'HcnCreateNamespace', effect: { hresult: hresultOf('E_FAIL') } });
  const { exitCode, stdout } = await runProbe(node, row);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /\nnot tried {2}attachTwice {2}creating the experiment's namespace: HCN returned E_FAIL /,
  );
  expect(objects()).toEqual([]);
});

test('Ctrl+C ends the run after the current experiment, and nothing is left', async () => {
  const controller = new AbortController();
  const loadLibrary = async () => {
    const library = await node.outside.loadLibrary?.();
    if (library === undefined) throw new Error('a node has a library');
    return {
      ...library,
      modify: (...given: Parameters<typeof library.modify>) => {
        controller.abort();
        return library.modify(...given);
      },
    };
  };
  const { exitCode, stdout } = await runProbe(node, [...twoRows, '-o', 'json'], {
    signal: controller.signal,
    system: { ...node.outside, loadLibrary },
  });
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout).rows).toMatchObject([
    { id: 'attachTwice', verdict: 'holds' },
    { id: 'emptyLoadBalancer', verdict: 'not tried', reason: 'interrupted' },
  ]);
  expect(objects()).toEqual([]);
});

test('reports what could not be deleted', async () => {
  node.hns.inject({
    function: 'HcnDeleteNetwork',
    ordinal: 'every',
    effect: { hresult: hresultOf('ERROR_BUSY') },
  });
  const { exitCode, stdout } = await runProbe(node, row);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /\nnot deleted: network [0-9a-f-]{36}: HCN returned ERROR_BUSY .*\nThe next probe deletes these objects, except a namespace to which HNS gave another ID\.\n$/,
  );
});

test('looks for what is left once more if HNS is busy at the end', async () => {
  // The first one is before the experiments.
  node.hns.inject({
    function: 'HcnEnumerateEndpoints',
    ordinal: 2,
    effect: { hresult: hresultOf('RPC_S_SERVER_UNAVAILABLE') },
  });
  const { exitCode, stdout } = await runProbe(node, [...row, '-o', 'json']);
  expect({ exitCode, remaining: JSON.parse(stdout).remaining }).toEqual({ exitCode: 0, remaining: [] });
});

test('reports a namespace whose creation may have taken effect', async () => {
  node.hns.inject({ function: 'HcnCreateNamespace', effect: { hang: true } });
  const { exitCode, stdout } = await runProbe(node, [...row, '-o', 'json']);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout).remaining).toEqual([
    expect.stringMatching(
      /^namespace [0-9a-f-]{36}: HCN did not respond to its creation, and may have created it, with this ID or another$/,
    ),
  ]);
});

test('detaches and deletes through a new handle if its own has become invalid', async () => {
  // After the two by which the experiment reads the IDs.
  node.hns.inject({
    function: 'HcnQueryEndpointProperties',
    ordinal: 2,
    effect: { hresult: hresultOf('E_HANDLE') },
  });
  await runProbe(node, row);
  expect(objects()).toEqual([]);
  const calls = node.hns.calls.map(({ function: name }) => name);
  expect(calls.lastIndexOf('HcnModifyNamespace')).toBeLessThan(calls.indexOf('HcnDeleteEndpoint'));
});

test('with --adapter, each row is not tried if HNS does not respond', async () => {
  node.hns.inject({ ordinal: 'every', effect: { hresult: hresultOf('RPC_S_SERVER_UNAVAILABLE') } });
  const { exitCode, stdout } = await runProbe(node, [...row, '--adapter', 'Ethernet', '--yes', '-o', 'json']);
  expect(exitCode).toBe(3);
  expect(JSON.parse(stdout).rows).toMatchObject([{ id: 'attachTwice', verdict: 'not tried' }]);
});

test('shows progress on a terminal', async () => {
  const { stderr } = await runProbe(node, row, { stderrWidth: 30 });
  expect(stderr).toContain(`\r[1/1] attachTwice\r${' '.repeat(17)}\r`);
});

test('keeps the report for collect', async () => {
  const appended: string[] = [];
  const openLog = (path: string) => (text: string) => appended.push(path, text) > 0;
  const system = { ...node.outside, logFile: 'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log', openLog };
  const { stdout } = await runProbe(node, [...row, '-o', 'json'], { system });
  expect(appended).toEqual([
    'C:\\ProgramData\\win-hcn\\logs\\probe.log',
    `${JSON.stringify(JSON.parse(stdout))}\n`,
  ]);
});
