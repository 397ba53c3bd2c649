import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startNode } from '../e2e/node.ts';
import { containerId, validConfig } from './arbitraries.ts';
import type { Property } from './property.ts';

export const lifeProperties: readonly Property[] = [
  {
    name: 'for every configuration: ADD and CHECK succeed, and DEL restores the previous state',
    property: fc.asyncProperty(validConfig, containerId, async (config, id) => {
      const node = await startNode();
      const succeed = async (...request: Parameters<typeof node.cni>) => {
        const answer = await node.cni(...request);
        assert.equal(answer.exitCode, 0, answer.stdout);
        return answer;
      };
      try {
        const [subnet] = config.subnets;
        node.ipam.prefix = subnet?.subnet.replace(/0\/24$/, '') ?? '';
        await succeed('ADD', { config, pod: node.newPod('neighbor') });
        const before = node.hns.dump().endpoints;
        const pod = node.newPod(id === 'neighbor' ? 'x' : id);
        const added = await succeed('ADD', { config, pod });
        const checked = await succeed('CHECK', { config: { ...config, prevResult: added.json }, pod });
        const deleted = await succeed('DEL', { config, pod });
        assert.deepEqual([checked.stdout, deleted.stdout], ['', '']);
        assert.deepEqual(node.hns.dump().endpoints, before);
      } finally {
        await node.stop();
      }
    }),
    runs: { test: 100, fuzz: 500 },
  },
];
