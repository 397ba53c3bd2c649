import { afterEach, beforeEach, expect, test } from 'vitest';
import { podProblem } from '../../../src/cli/probe/node.ts';
import type { ObservedEndpoint } from '../../../src/hcn/documents.ts';
import { HcnInvalidResponse } from '../../../src/hcn/errors.ts';
import type { Inventory } from '../../../src/model/inventory.ts';
import { example } from '../example.ts';
import type { Node } from '../node.ts';
import { interceptedSystem, runProbe, startProbedNode } from './run-probe.ts';

let node: Node;
beforeEach(async () => {
  node = await startProbedNode();
});
afterEach(() => node.stop());

const words = ['--restart-hns', '--row', 'objectsAfterRestart', '--yes', '-o', 'json'];

/** Runs the experiment with the restart. Returns its report and the number of restarts. */
async function restarted(system = node.outside) {
  let restarts = 0;
  const { stdout } = await runProbe(node, words, {
    system,
    powershell: (script) => {
      if (!script.includes('Stop-Service -Name hns')) return { problem: 'cannot run PowerShell: ENOENT' };
      restarts += 1;
      node.hns.restart();
      return { stdout: '' };
    },
  });
  const { rows, summary } = JSON.parse(stdout);
  return { restarts, row: rows[0], summary };
}

test('a report says that HNS was restarted', async () => {
  const { restarts, summary } = await restarted();
  expect(restarts).toBe(1);
  expect(summary[0]).toBe('Created 3 objects and removed 3; HNS was restarted while no pods ran.');
});

test('HNS is not restarted if a pod was added after the probe began', async () => {
  let isAdded = false;
  const system = interceptedSystem(node, async ({ name }, make) => {
    if (name === 'HcnCreateNetwork' && !isAdded) {
      isAdded = true;
      await node.add(example('l2bridge', { cniVersion: '1.1.0' }), node.newPod('late'));
    }
    return make();
  });
  const { restarts, row, summary } = await restarted(system);
  expect({ isAdded, restarts, verdict: row.verdict, reason: row.reason }).toEqual({
    isAdded: true,
    restarts: 0,
    verdict: 'not tried',
    reason: expect.stringContaining('1 endpoint is attached to pods or unreadable'),
  });
  expect(summary[0]).toContain('pods were not touched.');
});

const hostNamespace = '33333333-0000-4000-8000-000000000003';
const endpoint = (members: Partial<ObservedEndpoint>): ObservedEndpoint => ({
  ID: '22222222-0000-4000-8000-000000000002',
  Name: 'web',
  HostComputeNetwork: '11111111-0000-4000-8000-000000000001',
  HostComputeNamespace: '00000000-0000-0000-0000-000000000000',
  SchemaVersion: { Major: 2, Minor: 0 },
  ...members,
});
const unreadable = (kind: 'Network' | 'Endpoint') => ({
  unreadable: [{ kind, id: endpoint({}).ID, error: new HcnInvalidResponse('HCN returned nothing') }],
});

const withObjects = (objects: Partial<Inventory>): Inventory => ({
  networks: [],
  endpoints: [],
  namespaces: [
    { ID: hostNamespace, NamespaceId: 1, Type: 'HostDefault', SchemaVersion: { Major: 2, Minor: 0 } },
  ],
  loadBalancers: [],
  ...objects,
});
test.each<[string, Partial<Inventory>]>([
  ['an endpoint in a namespace', { endpoints: [endpoint({ HostComputeNamespace: 'a1b2' })] }],
  ['an endpoint in state Attached without a namespace', { endpoints: [endpoint({ State: 2 })] }],
  ['an endpoint in state AttachedSharing', { endpoints: [endpoint({ State: 3 })] }],
  ['an unreadable endpoint', unreadable('Endpoint')],
])('%s may be of a pod, so that HNS must not be restarted', (_, objects) => {
  expect(podProblem(withObjects(objects))).toContain(
    '1 endpoint is attached to pods or unreadable, and a restart of HNS may delete it',
  );
});

test.each<[string, Partial<Inventory>]>([
  ['an unreadable network', unreadable('Network')],
  ['a detached endpoint', { endpoints: [endpoint({ State: 1 }), endpoint({ State: 4 })] }],
  [
    "an endpoint in the node's namespace",
    { endpoints: [endpoint({ State: 2, HostComputeNamespace: hostNamespace })] },
  ],
])('%s does not hinder a restart of HNS', (_, objects) => {
  expect(podProblem(withObjects(objects))).toBeUndefined();
});
