import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HcnUnavailable } from '../../../src/hcn/errors.ts';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import { example } from '../example.ts';
import type { Node } from '../node.ts';
import { everything, refusal, runProbe, startProbedNode } from './run-probe.ts';

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
  test('a plain run', async () => {
    expect(await runProbe(node, [])).toEqual({
      exitCode: 1,
      stdout: `probe runs 19 experiments, and creates at most
  3 Private networks
  5 endpoints, 1 namespace, 0 load balancers
and deletes them. This takes about 1 minute.
After a timeout, it may create some again, but at most 3 Private networks.
A pod's request may wait for one call of probe, usually less than a second.
probe pauses after each experiment. It does not change other objects.
No adapter is interrupted.
No changes made. Rerun with --yes to apply.
`,
      stderr: '',
    });
    expect(changes()).toEqual([]);
  });

  test('a run with every option', async () => {
    const words = everything.filter((word) => word !== '--yes');
    expect(await runProbe(node, words)).toEqual({
      exitCode: 1,
      stdout: `probe runs 42 experiments, and creates at most
  3 Private networks
  2 NAT or Internal networks, each of which adds an interface to the node
  2 networks on adapter "Ethernet 2", one at a time: L2Bridge, Overlay
  11 endpoints, 2 namespaces, 2 load balancers
and deletes them. This takes about 5 minutes.
After a timeout, it may create some again, but at most 3 Private networks.
A pod's request may wait for one call of probe, usually less than a second, up to 20 s while a network on the adapter is created or deleted.
probe pauses after each experiment. It does not change other objects.
The connections of adapter "Ethernet 2" are interrupted 4 times, for 6 to 20 s each. It may lose its static address.
The node briefly gets an interface with a probe address and a default route, which Windows may use.
HNS restarts once: requests of pods wait until it responds.
No changes made. Rerun with --yes to apply.
`,
      stderr: '',
    });
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
19 hold, 0 do not hold, 23 not tried. Use -o wide for every row
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
  const { stdout } = await runProbe(node, [...twoRows, '--row', 'natVlan', '-o', 'wide']);
  expect(stdout.split('\n\n')[2]).toBe(
    `verdict    row                   observed                        ground                claim
not tried  natVlan               requires --nat                                        A new NAT network shows no VLAN that was not sent
holds      attachTwice           refused                         on a Private network  HNS refuses to add an endpoint to the namespace that it is in
holds      queryDeletedEndpoint  HCN_E_OBJECT_USED_AFTER_UNLOAD  on a Private network  Querying a deleted endpoint through an open handle returns HCN_E_OBJECT_USED_AFTER_UNLOAD`,
  );
});

test('-o json has every document that was sent, and every answer', async () => {
  const { stdout } = await runProbe(node, ['--row', 'adapterName', ...everything, '-o', 'json']);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ hns: { Major: 15, Minor: 5 }, created: 1, remaining: [] });
  expect(report.rows[0].on).toBe('L2Bridge');
  expect(report.rows[0].calls).toMatchObject([
    {
      function: 'HcnCreateNetwork',
      sent: {
        Name: expect.stringMatching(/^win-hcn-probe-\d+$/),
        Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: '<text>' } }],
      },
      hresult: 'S_OK',
    },
    {
      function: 'HcnQueryNetworkProperties',
      hresult: 'S_OK',
      returned: {
        Type: 'L2Bridge',
        Policies: expect.arrayContaining([
          { Type: 'NetAdapterName', Settings: { NetworkAdapterName: '<text>' } },
        ]),
      },
    },
  ]);
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

test('a call that hangs skips the experiments that share it, and their objects are deleted', async () => {
  node.hns.inject({ function: 'HcnModifyNamespace', effect: { hang: true } });
  const { stdout } = await runProbe(node, [...twoRows, '-o', 'json']);
  expect(JSON.parse(stdout).rows).toMatchObject([
    { verdict: 'not tried', reason: expect.stringContaining('HcnModifyNamespace did not respond') },
    { verdict: 'holds' },
  ]);
  expect(objects()).toEqual([]);
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

test('reports what could not be deleted, and may have been created', async () => {
  node.hns.inject(refusal('HcnDeleteNetwork', 'ERROR_BUSY', 'every'));
  node.hns.inject({ function: 'HcnCreateNamespace', effect: { hang: true } });
  const { exitCode, stdout } = await runProbe(node, row);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/\nnot deleted: network [0-9a-f-]{36}: HCN returned ERROR_BUSY /);
  expect(stdout).toMatch(/\nnot deleted: namespace [0-9a-f-]{36}: HCN did not respond to its creation/);
  expect(stdout).toMatch(
    /\nThe next probe deletes these objects, except a namespace to which HNS gave another ID\.\n$/,
  );
});

test('pauses after each experiment', async () => {
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
