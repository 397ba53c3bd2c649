import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startNode } from '../e2e/node.ts';
import { containerId, validConfig } from './arbitraries.ts';

test('for every configuration: ADD works, CHECK then finds nothing, and DEL restores what was', async () => {
  await fc.assert(
    fc.asyncProperty(validConfig, containerId, async (config, id) => {
      const node = await startNode();
      try {
        const [subnet] = config.subnets;
        node.ipam.prefix = subnet?.subnet.replace(/0\/24$/, '') ?? '';
        const neighbour = await node.cni('ADD', { config, pod: node.newPod('neighbour') });
        expect(neighbour).toMatchObject({ exitCode: 0 });
        const before = node.hns.dump().endpoints;
        const pod = node.newPod(id === 'neighbour' ? 'x' : id);
        const added = await node.cni('ADD', { config, pod });
        expect(added).toMatchObject({ exitCode: 0 });
        const checked = await node.cni('CHECK', { config: { ...config, prevResult: added.json }, pod });
        expect(checked).toMatchObject({ exitCode: 0, stdout: '' });
        expect(await node.cni('DEL', { config, pod })).toMatchObject({ exitCode: 0, stdout: '' });
        expect(node.hns.dump().endpoints).toEqual(before);
      } finally {
        await node.stop();
      }
    }),
    { numRuns: 100 },
  );
});
