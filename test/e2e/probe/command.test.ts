import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HcnUnavailable } from '../../../src/hcn/errors.ts';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import { example } from '../example.ts';
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
      `probe tests 17 claims, which takes about 1 minute. It creates and deletes a few endpoints, namespaces and load balancers, and
  up to 3 Private networks at a time
A pod's request may wait for one call of probe, usually less than a second.
probe pauses before each experiment. It does not change other objects.
No adapter is interrupted.
No changes made. Rerun with --yes to apply.
`,
    ],
    [
      'a run with every option',
      everything.filter((word) => word !== '--yes'),
      `probe tests 36 claims, which takes about 6 minutes. It creates and deletes a few endpoints, namespaces and load balancers, and
  up to 3 Private networks at a time
  a NAT and an Internal network, each of which adds an interface to the node
  2 networks on adapter "Ethernet 2", one at a time: L2Bridge, Overlay
A pod's request may wait for one call of probe, usually less than a second, up to 20 s while a network on the adapter is created or deleted.
probe pauses before each experiment. It does not change other objects.
The connections of adapter "Ethernet 2" are interrupted 4 times, for 6 to 20 s each. It may lose its static address.
The node briefly gets an interface with a probe address and a default route, which Windows may use.
HNS restarts once: requests of pods wait until it responds.
No changes made. Rerun with --yes to apply.
`,
    ],
  ])('%s', async (_, words, stdout) => {
    expect(await runProbe(node, words)).toEqual({ exitCode: 1, stdout, stderr: '' });
    expect(changes()).toEqual([]);
  });
});

test('begins with what was created, what differs, and that the report is anonymous', async () => {
  expect(await runProbe(node, ['--yes'])).toEqual({
    exitCode: 0,
    stdout: `Created 7 objects and removed 7; pods were not touched.
All tested claims hold on this node.
This report has no names, addresses or IDs of this node.

Windows: unknown, HNS: 15.5
17 hold, 0 do not hold, 19 not tried. Use -o wide for every row
`,
    stderr: '',
  });
});

test('names what differs, with the ground, and exits with 1', async () => {
  await node.stop();
  node = await startProbedNode({ profile: 'ws2019', switches: { attachTwice: 'accepted' } });
  const { exitCode, stdout } = await runProbe(node, [...everything, '--row', 'hostRoute', ...twoRows]);
  expect(exitCode).toBe(1);
  expect(stdout.split('\n').slice(0, 6)).toEqual([
    expect.stringMatching(/^Created \d+ objects and removed \d+; pods were not touched\.$/),
    'This node differs in 1 point, and win-hcn is tested with it.',
    'This report has no names, addresses or IDs of this node.',
    '',
    'Windows: unknown, HNS: 9.5',
    'attachTwice: accepted on L2Bridge on the adapter',
  ]);
});

test('asks for a report of what win-hcn was not tested with', async () => {
  node.hns.inject(refusal('HcnOpenNetwork', 'E_FAIL'));
  const { stdout } = await runProbe(node, ['--row', 'openMissingNetwork', '--yes']);
  expect(stdout).toContain(
    '\nThis node differs in 1 point. win-hcn is not tested with openMissingNetwork (E_FAIL): please report this.\n',
  );
});

test('-o wide prints a line for each row', async () => {
  const { stdout } = await runProbe(node, [...twoRows, '--row', 'subnetOverlap', '-o', 'wide']);
  expect(stdout.split('\n\n')[2]).toBe(
    `verdict    row                   observed                        ground                claim
not tried  subnetOverlap         requires --nat                                        HNS refuses a network with the subnet of a NAT network with ERROR_DUP_NAME or ERROR_ALREADY_EXISTS
holds      attachTwice           refused                         on a Private network  HNS refuses to add an endpoint to the namespace that it is in
holds      queryDeletedEndpoint  HCN_E_OBJECT_USED_AFTER_UNLOAD  on a Private network  Querying a deleted endpoint through an open handle returns HCN_E_OBJECT_USED_AFTER_UNLOAD`,
  );
});

describe('refuses', () => {
  const pod = () => node.add(example('l2bridge', { cniVersion: '1.1.0' }), node.newPod('web'));

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

  test.each(['--restart-hns', '--restart-hns --yes'])('%s while pods run', async (words) => {
    await pod();
    node.hns.clearCalls();
    const { exitCode, stderr } = await runProbe(node, words.split(' '));
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        'win-hcn: 1 endpoint is attached to pods or unreadable, and a restart of HNS may delete it. Drain the node before --restart-hns\n',
    });
    expect(changes()).toEqual([]);
  });

  test('a node that uses both ranges of addresses', async () => {
    const Subnets = ['198.18.0.0/24', '100.64.0.0/24'].map((IpAddressPrefix) => ({ IpAddressPrefix }));
    await node.hcn.createNetwork('5a1a5ba1-0000-4000-8000-000000000002', {
      Name: 'lab',
      Type: 'Private',
      Ipams: [{ Type: 'Static', Subnets }],
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    const { exitCode, stderr } = await runProbe(node, ['--yes']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        'win-hcn: this node uses addresses in 198.18.0.0/15 and in 100.64.0.0/10: probe needs one of them\n',
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
      summary: ['Created no objects; pods were not touched.', 'No experiment was run.', expect.anything()],
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
  for (const format of ['json', 'wide']) {
    const { stdout, stderr } = await runProbe(node, [...everything, '-o', format], { system });
    expect(stdout).toContain('E_FAIL');
    expect(`${stdout}${stderr}`).not.toMatch(/NODE-7|contoso|10\.7\.0\.4|Ethernet|10\.0\.1\.4/);
  }
});

test('Ctrl+C ends the run after the current experiment, and nothing is left', async () => {
  const controller = new AbortController();
  const loadLibrary = async () => {
    const library = await node.outside.loadLibrary?.();
    if (library === undefined) throw new Error('a node has a library');
    const modify: typeof library.modify = (...given) => {
      controller.abort();
      return library.modify(...given);
    };
    return { ...library, modify };
  };
  const { exitCode, stdout } = await runProbe(node, [...twoRows, '-o', 'json'], {
    signal: controller.signal,
    system: { ...node.outside, loadLibrary },
  });
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
  expect(stdout).toMatch(/\nnot deleted: network [0-9a-f-]{36}: HCN returned ERROR_BUSY /);
  expect(stdout).toMatch(
    /\nThe next probe deletes these objects, except a namespace to which HNS gave another ID\.\n$/,
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

test('shows progress on a terminal', async () => {
  const { stderr } = await runProbe(node, row, { stderrWidth: 30 });
  expect(stderr).toContain('[1/1] attachTwice\n');
});
