import { expect, test } from 'vitest';
import { del } from '../../../src/commands/del.ts';
import { hcnClient } from '../../../src/hcn/client.ts';
import { HcnMissing } from '../../../src/hcn/errors.ts';
import { interceptHcnCalls } from '../../../src/hcn/library.ts';
import { commandContextOf } from '../../../src/plugin/command-context.ts';
import { executeSteps } from '../../../src/steps/execute.ts';
import { stepTargets } from '../../e2e/step-targets.ts';
import { ipamPlugin } from './small-node.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };

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
