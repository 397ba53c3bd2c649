import { expect, test } from 'vitest';
import { del } from '../../../src/commands/del.ts';
import { hcnClient } from '../../../src/hcn/client.ts';
import { HcnMissing } from '../../../src/hcn/errors.ts';
import { interceptHcnCalls } from '../../../src/hcn/library.ts';
import { commandContextOf } from '../../../src/plugin/command-context.ts';
import { executeSteps } from '../../../src/steps/execute.ts';
import { stepTargets } from '../../e2e/step-targets.ts';
import { ipamPlugin, smallNode } from './small-node.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };

test('DEL detaches an endpoint whose id HNS chose from the namespace that it is in', async () => {
  const ID = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
  const HostComputeNamespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
  const endpoint = { ID, Name: 'c0ffee_cbr0_eth0', HostComputeNamespace };
  const namespaces = [{ ID: HostComputeNamespace }];
  const { context, calls } = smallNode({ endpoints: [endpoint], namespaces });
  await del(attachment, undefined, context);
  expect(calls.slice(-2)).toEqual([
    `modify Namespace ${HostComputeNamespace} Remove ${ID}`,
    `delete Endpoint ${ID}`,
  ]);
});

test('without HCN, and so without endpoints, DEL releases the addresses and reports the missing library', async () => {
  const missing = new HcnMissing('computenetwork.dll is missing', undefined);
  const hcn = hcnClient(
    interceptHcnCalls(
      async () => {
        throw missing;
      },
      (_, call) => call(),
    ),
  );
  const { plugin, runs } = ipamPlugin();
  const targets = stepTargets({ hcn, locateIpam: () => plugin });
  const context = commandContextOf(targets, executeSteps(targets), () => undefined);
  await expect(del(attachment, undefined, context)).rejects.toBe(missing);
  expect(runs).toEqual(['DEL']);
});
