import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HcnUnavailable } from '../../../src/hcn/errors.ts';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import type { Node } from '../node.ts';
import { everything, interceptedSystem, refusal, runProbe, startProbedNode } from './run-probe.ts';

let node: Node;
beforeEach(async () => {
  node = await startProbedNode();
});
afterEach(() => node.stop());

const row = ['--row', 'attachTwice', '--yes'];
const twoRows = ['--row', 'attachTwice', '--row', 'queryDeletedEndpoint', '--yes'];
const objects = () => {
  const { networks, endpoints, namespaces, loadBalancers } = node.hns.dump();
  return [networks, endpoints, namespaces.slice(1), loadBalancers].flat();
};
const changes = () => node.hns.calls.filter(({ function: name }) => /Create|Modify|Delete/.test(name));

describe('without --yes, nothing is created, and the preview shows', () => {
  test.each([
    [
      'a plain run',
      [],
      `probe tests 17 claims in up to 1 min. It creates and deletes a few endpoints and namespaces, and up to 3 Private networks at a time. It does not change other objects.
A pod's request may wait for one call of probe, usually less than a second.
No changes made. Rerun with --yes to apply.
`,
    ],
    [
      'a run with an adapter',
      ['--adapter', 'Ethernet 2'],
      `probe tests 31 claims in up to 3 min. It creates and deletes a few endpoints and namespaces, and up to 3 Private networks at a time. It does not change other objects.
It creates up to 2 networks on adapter "Ethernet 2", one at a time. The connections of this adapter are interrupted up to 4 times, for 6 to 20 s each. It may lose its static address.
The node briefly gets an interface with a probe address and a default route, which Windows may use.
A pod's request may wait up to 20 s while a network on the adapter is created or deleted.
No changes made. Rerun with --yes to apply.
`,
    ],
  ])('%s', async (_, words, stdout) => {
    expect(await runProbe(node, words)).toEqual({ exitCode: 1, stdout, stderr: '' });
    expect(changes()).toEqual([]);
  });
});

test('prints what was created, that the report is anonymous, and a line for each row', async () => {
  const { exitCode, stdout } = await runProbe(node, [...twoRows, '--row', 'hostRoute']);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: `Created 4 objects and removed 4; pods were not touched.
All tested claims hold on this node.
This report has no names, addresses or IDs of this node.

Windows: unknown, HNS: 15.5

verdict    row                   observed
not tried  hostRoute             requires --adapter
holds      attachTwice           refused
holds      queryDeletedEndpoint  HCN_E_OBJECT_USED_AFTER_UNLOAD
`,
  });
});

test('counts what differs, and exits with 1', async () => {
  await node.stop();
  node = await startProbedNode({ profile: 'ws2019', switches: { attachTwice: 'accepted' } });
  const { exitCode, stdout } = await runProbe(node, twoRows);
  expect({ exitCode, line: stdout.split('\n')[1] }).toEqual({
    exitCode: 1,
    line: '1 claim of docs/notes/uncertain-hns.md fails on this node: win-hcn is tested with that.',
  });
});

test('a race of two creations is not tried if HNS refuses both', async () => {
  for (const ordinal of [2, 3]) node.hns.inject(refusal('HcnCreateNetwork', 'E_FAIL', ordinal));
  const { stdout } = await runProbe(node, ['--row', 'simultaneousNetwork', '--yes', '-o', 'json']);
  expect(JSON.parse(stdout).rows).toMatchObject([
    { verdict: 'not tried', reason: 'both were refused: E_FAIL' },
  ]);
});

test('asks for a report of what win-hcn was not tested with', async () => {
  node.hns.inject(refusal('HcnOpenNetwork', 'E_FAIL'));
  const { stdout } = await runProbe(node, ['--row', 'openMissingNetwork', '--yes']);
  expect(stdout).toContain(
    '\nThis node differs from what win-hcn is tested with: openMissingNetwork (E_FAIL). Please report this.\n',
  );
});

describe('refuses', () => {
  test.each([
    ['an unknown row', ['--row', 'noSuchRow'], 2, 'unknown row "noSuchRow"'],
    ['an absent adapter', ['--adapter', 'Wi-Fi'], 1, 'adapter "Wi-Fi" does not exist'],
    [
      'an adapter with a default gateway',
      ['--adapter', 'Ethernet'],
      1,
      'adapter "Ethernet" has a default gateway: the probe would interrupt the node\'s connections. Use another adapter',
    ],
  ])('%s, with and without --yes', async (_, words, exitCode, message) => {
    for (const given of [words, [...words, '--yes']]) {
      const printed = await runProbe(node, given);
      expect(printed).toMatchObject({ exitCode, stdout: '' });
      expect(printed.stderr).toContain(`win-hcn: ${message}`);
    }
    expect(changes()).toEqual([]);
  });

  test('a node that uses the addresses of probes', async () => {
    await node.hcn.createNetwork('5a1a5ba1-0000-4000-8000-000000000002', {
      Name: 'lab',
      Type: 'Private',
      Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '198.18.0.0/24' }] }],
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    expect(await runProbe(node, ['--yes'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'win-hcn: this node uses addresses in 198.18.0.0/15, which probe needs\n',
    });
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
    expect(JSON.parse(stdout).summary[1]).toBe('No experiment was run.');
  });

  test('Windows lacks a function', async () => {
    const problem = 'cannot load computenetwork.dll: no HcnCreateLoadBalancer';
    const loadLibrary = () => Promise.reject(new HcnUnavailable(problem, undefined));
    const system = { ...node.outside, loadLibrary };
    const { exitCode, stdout, stderr } = await runProbe(node, [...twoRows, '-o', 'json'], { system });
    const reason = 'the libraries of HCN cannot be used on this node';
    expect({ exitCode, reasons: reasons(stdout) }).toEqual({ exitCode: 3, reasons: [reason, reason] });
    expect(stderr).toContain(problem);
    expect(JSON.parse(stdout)).toMatchObject({
      summary: [expect.any(String), 'No experiment was run.', expect.any(String)],
      remaining: [],
    });
  });
});

test('a call that hangs ends the run, and its objects are deleted', async () => {
  node.hns.inject({ function: 'HcnModifyNamespace', effect: { hang: true } });
  const { exitCode, stdout } = await runProbe(node, [...twoRows, '-o', 'json']);
  const reason = expect.stringContaining('HcnModifyNamespace did not respond');
  expect(JSON.parse(stdout)).toMatchObject({
    rows: [
      { id: 'attachTwice', verdict: 'not tried', reason },
      { id: 'queryDeletedEndpoint', verdict: 'not tried', reason },
    ],
    remaining: [],
  });
  expect({ exitCode, objects: objects() }).toEqual({ exitCode: 3, objects: [] });
});

describe('no second network is created on the adapter while the first one may be on it:', () => {
  const twoNetworks = [...everything, '--row', 'adapterName', '--row', 'providerAddress', '-o', 'json'];

  test('HNS refuses its deletion', async () => {
    node.hns.inject(refusal('HcnDeleteNetwork', 'ERROR_BUSY', 'every'));
    const { stdout } = await runProbe(node, twoNetworks);
    expect(JSON.parse(stdout).summary[0]).toMatch(/^Created \d objects? and did not remove all; pods/);
    expect(JSON.parse(stdout).rows).toMatchObject([
      { verdict: 'holds' },
      { verdict: 'not tried', reason: 'HNS did not delete a network of the probe' },
    ]);
    expect(node.hns.takeInterruptions().creations).toBe(1);
  });

  test('HNS does not respond to its creation', async () => {
    node.hns.inject({ function: 'HcnCreateNetwork', effect: { hang: true } });
    const { stdout } = await runProbe(node, twoNetworks);
    const { rows, remaining } = JSON.parse(stdout);
    expect(rows.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['not tried', 'not tried']);
    expect(remaining).toEqual([
      expect.stringMatching(
        /^HcnCreateNetwork did not respond within 30 s.*, and may still create an object$/,
      ),
    ]);
  });
});

test('a Private network that HNS refuses at first is created again', async () => {
  node.hns.inject(refusal('HcnCreateNetwork', 'E_FAIL'));
  const { exitCode, stdout } = await runProbe(node, [...row, '-o', 'json']);
  expect({ exitCode, rows: JSON.parse(stdout).rows }).toMatchObject({
    exitCode: 0,
    rows: [{ verdict: 'holds' }],
  });
});

test('a report has none of what HNS returns of the node', async () => {
  const hostile = 'NODE-7 contoso 10.7.0.4';
  let calls = 0;
  const system = interceptedSystem(node, async (call, make) => {
    const response = await make();
    calls += 1;
    if (!/Create|Query|Modify/.test(call.name) || calls % 3 > 0) return response;
    return { ...response, hresult: hresultOf('E_FAIL'), errorRecord: JSON.stringify({ Error: hostile }) };
  });
  const { stdout, stderr } = await runProbe(node, [...everything, '-o', 'json'], { system });
  expect(stdout).toContain('E_FAIL');
  expect(`${stdout}${stderr}`).not.toMatch(/NODE-7|contoso|10\.7\.0\.4|Ethernet|10\.0\.1\.4/);
});

test('Ctrl+C ends the run after the current experiment, and nothing is left', async () => {
  const controller = new AbortController();
  const system = interceptedSystem(node, ({ name }, make) => {
    if (name === 'HcnModifyNamespace') controller.abort();
    return make();
  });
  const { signal } = controller;
  const { exitCode, stdout } = await runProbe(node, [...twoRows, '-o', 'json'], { signal, system });
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout).rows).toMatchObject([
    { id: 'attachTwice', verdict: 'holds' },
    { id: 'queryDeletedEndpoint', verdict: 'not tried', reason: 'interrupted' },
  ]);
  expect(objects()).toEqual([]);
});

test('reports what could not be deleted', async () => {
  node.hns.inject(refusal('HcnDeleteNetwork', 'ERROR_BUSY', 'every'));
  const { exitCode, stdout } = await runProbe(node, row);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /\nnot deleted, which the next probe retries: network [0-9a-f-]{36}: HCN returned ERROR_BUSY /,
  );
});

test('pauses before each experiment', async () => {
  const waits: number[] = [];
  const timer: Node['outside']['timer'] = (milliseconds, callback) => {
    waits.push(milliseconds);
    if (node.outside.timer === undefined) throw new Error('a node has a timer');
    return node.outside.timer(milliseconds, callback);
  };
  await runProbe(node, twoRows, { system: { ...node.outside, timer } });
  expect(waits.filter((milliseconds) => milliseconds === 250)).toHaveLength(2);
});
