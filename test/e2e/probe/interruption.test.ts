import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Switches } from '../../simulator/profiles.ts';
import type { Node } from '../node.ts';
import { everything, interceptedSystem, runProbe, startProbedNode } from './run-probe.ts';

/** Where HNS chooses ids, and keeps endpoints longer, leftovers are hardest to recognize. */
const releases: Readonly<Record<string, Partial<Switches>>> = {
  'as assumed': {},
  'with other ids': {
    callerIds: 'ignored',
    networkWithEndpoints: 'endpoints kept',
  },
};

/** Every how many changes of a run its process dies. */
const step = 5;

describe.each(Object.entries(releases))('on an HNS %s', (_, switches) => {
  let node: Node;
  beforeEach(async () => {
    node = await startProbedNode({ switches });
  });
  afterEach(() => node.stop());

  /** What exists, without counters. */
  const objects = () => {
    const { networks, endpoints, namespaces, loadBalancers } = node.hns.dump();
    return { networks, endpoints, namespaces, loadBalancers };
  };

  /** Runs a probe whose process ends after so many calls. Returns the names of its calls. */
  async function run(most = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    const calls: string[] = [];
    const system = interceptedSystem(node, ({ name }, make) => {
      if (calls.length === most) return Promise.reject(new Error('the process has ended'));
      calls.push(name);
      return make();
    });
    await runProbe(node, everything, { system });
    return calls;
  }

  test('the next probe deletes all that an interrupted one left', async () => {
    const before = objects();
    const calls = await run();
    expect(objects()).toEqual(before);
    const changes = calls.flatMap((name, index) => (/Create|Modify|Delete/.test(name) ? [index + 1] : []));
    let left = 0;
    for (const most of changes.filter((_, index) => index % step === 0)) {
      await run(most);
      if (JSON.stringify(objects()) !== JSON.stringify(before)) left += 1;
      await runProbe(node, ['--row', 'openMissingNetwork', '--yes']);
      expect(objects(), `after call ${most}, ${calls[most - 1]}`).toEqual(before);
    }
    expect(left).toBeGreaterThan(3);
    const theirs = Object.values(before).flatMap((list) => list.map(({ ID }) => ID));
    const deleted = node.hns.calls.filter(({ function: name }) => name.startsWith('HcnDelete'));
    expect(deleted.filter(({ id }) => theirs.includes(id))).toEqual([]);
  });
});
