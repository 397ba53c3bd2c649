import { afterEach, describe, expect, test } from 'vitest';
import { matchesSent } from '../../src/plan/check.ts';
import type { Profile } from '../simulator/profiles.ts';
import { policyExamples } from '../unit/config/policy-examples.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
afterEach(() => node.stop());

describe.each(policyExamples)('the $level policy $type', ({ level, policy, canonical, hns }) => {
  test('HCN receives the canonical form, and CHECK finds it', async () => {
    const profile: Profile = hns === undefined ? 'ws2022' : 'ws2025';
    node = await startNode({ profile });
    const policies = { [`${level}Policies`]: [policy], defaultAction: 'Allow' };
    const config = example('overlay', { adapter: undefined, networkPolicies: [], ...policies });
    const pod = node.newPod();
    const added = await node.add(config, pod);
    expect(added).toMatchObject({ exitCode: 0 });
    const [object] = node.hns.dump()[`${level}s`];
    const found = object?.['Policies'] as unknown as readonly unknown[];
    expect(found.filter((one) => matchesSent(one, canonical))).toHaveLength(1);
    const checked = await node.check({ ...config, prevResult: added.json }, pod);
    expect(checked).toMatchObject({ exitCode: 0, stdout: '' });
  });
});
