import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { example } from '../example.ts';
import type { Node } from '../node.ts';
import { runProbe, startProbedNode } from './run-probe.ts';

let node: Node;
beforeEach(async () => {
  node = await startProbedNode();
});
afterEach(() => node.stop());

const ids = ['77696e68-636e-4070-a072-6f6265000001', '77696e68-636e-4070-a072-6f6265000002'] as const;

/** The L2Bridge network of an interrupted probe on an adapter. */
async function leaveBehind(adapter: string): Promise<void> {
  await node.hcn.createNetwork(ids[0], {
    Name: 'win-hcn-probe-1',
    Type: 'L2Bridge',
    Ipams: [
      {
        Type: 'Static',
        Subnets: [
          {
            IpAddressPrefix: '198.19.9.0/24',
            Routes: [{ NextHop: '198.19.9.1', DestinationPrefix: '0.0.0.0/0' }],
          },
        ],
      },
    ],
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: adapter } }],
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  node.hns.clearCalls();
}

const deletions = () => node.hns.calls.filter(({ function: name }) => name.startsWith('HcnDelete'));

describe('the preview shows the leftovers of an interrupted probe', () => {
  test('and the adapter that their deletion interrupts', async () => {
    await leaveBehind('Ethernet');
    const { stdout } = await runProbe(node, []);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'First, probe deletes what an interrupted probe left: 1 network.',
      'This interrupts the connections of adapter "Ethernet" for 6 to 20 s per network.',
    ]);
    expect(stdout).not.toContain('No adapter is interrupted');
    expect(deletions()).toEqual([]);
  });

  test('if the adapter of --adapter is on their network, which a run deletes first', async () => {
    await leaveBehind('Ethernet 2');
    const words = ['--adapter', 'Ethernet 2', '--row', 'adapterName'];
    const { stdout } = await runProbe(node, words);
    expect(stdout).toContain('adapter "Ethernet 2" for 6 to 20 s per network.');
    const { stdout: report } = await runProbe(node, [...words, '--yes', '-o', 'json']);
    expect(JSON.parse(report).rows).toMatchObject([{ verdict: 'holds' }]);
  });

  test('without an adapter', async () => {
    await node.hcn.createNamespace(ids[1], { Type: 'Host', SchemaVersion: { Major: 2, Minor: 0 } });
    const { stdout } = await runProbe(node, []);
    expect(stdout).toContain('First, probe deletes what an interrupted probe left: 1 namespace.\n');
    expect(stdout).toContain('No adapter is interrupted.');
  });
});

describe("beside another program's NAT network", () => {
  beforeEach(async () => {
    await node.add(example('nat', { cniVersion: '1.1.0' }), node.newPod('web'));
    node.hns.clearCalls();
  });
  const words = ['--nat', '--row', 'subnetOverlap', '--row', 'callerIdsNAT', '--row', 'attachTwice'];

  test('no NAT network is created', async () => {
    const { stdout } = await runProbe(node, [...words, '--yes', '-o', 'json']);
    const reason = 'another program has a NAT network: with two, HNS may hang';
    expect(JSON.parse(stdout).rows).toMatchObject([
      { id: 'subnetOverlap', verdict: 'not tried', reason },
      { id: 'callerIdsNAT', verdict: 'not tried', reason },
      { id: 'attachTwice', verdict: 'holds' },
    ]);
    const created = node.hns.calls.filter(({ function: name }) => name === 'HcnCreateNetwork');
    expect(created.map(({ document }) => document)).toMatchObject([{ Type: 'Private' }]);
  });

  test('the preview says so, and shows none', async () => {
    const { stdout } = await runProbe(node, words);
    expect(stdout).toMatch(
      /^probe tests 1 claim, .+\n {2}up to 3 Private networks at a time\nExperiments on/,
    );
    expect(stdout).toContain(
      '\nExperiments on NAT networks are skipped: another program has a NAT network, and with two, HNS may hang.\n',
    );
  });
});
