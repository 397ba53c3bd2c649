import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Node } from '../node.ts';
import { runProbe, startProbedNode } from './run-probe.ts';

let node: Node;
beforeEach(async () => {
  node = await startProbedNode();
});
afterEach(() => node.stop());

const ids = ['77696e68-636e-4070-a072-6f6265000001', '77696e68-636e-4070-a072-6f6265000002'] as const;

test('a preview names the leftovers of an interrupted probe, which a run deletes first', async () => {
  const Routes = [{ NextHop: '198.19.9.1', DestinationPrefix: '0.0.0.0/0' }];
  await node.hcn.createNetwork(ids[0], {
    Name: 'win-hcn-probe-1',
    Type: 'L2Bridge',
    Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '198.19.9.0/24', Routes }] }],
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet 2' } }],
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  await node.hcn.createNamespace(ids[1], { Type: 'Host', SchemaVersion: { Major: 2, Minor: 0 } });
  node.hns.clearCalls();
  const words = ['--adapter', 'Ethernet 2', '--row', 'adapterName'];
  const { stdout } = await runProbe(node, words);
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'First, probe deletes 2 objects that an interrupted probe left.',
    'This interrupts the connections of their adapter for 6 to 20 s per network.',
  ]);
  expect(node.hns.calls.filter(({ function: name }) => name.startsWith('HcnDelete'))).toEqual([]);
  const { stdout: report } = await runProbe(node, [...words, '--yes', '-o', 'json']);
  expect(JSON.parse(report)).toMatchObject({ rows: [{ verdict: 'holds' }], remaining: [] });
});
