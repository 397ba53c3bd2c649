import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rows } from '../../../src/cli/probe/rows.ts';
import { interceptHcnCalls } from '../../../src/hcn/library.ts';
import type { Switches } from '../../simulator/profiles.ts';
import { type Node, startNode } from '../node.ts';
import { everything, runProbe } from './run-probe.ts';

/** Where HNS chooses ids, and keeps endpoints and load balancers longer, leftovers are hardest to recognize. */
const releases: Readonly<Record<string, Partial<Switches>>> = {
  'as assumed': {},
  'with other ids': { callerIds: 'ignored', networkWithEndpoints: 'leaves', loadBalancersOfNetwork: 'kept' },
};

const ids = rows.flatMap(({ id, experiment }) => ('run' in experiment ? [id] : []));

/** Fewer calls than any other. */
const shortRow = 'emptyLoadBalancer';

describe.each(Object.entries(releases))('after an interruption at each call, on an HNS %s', (_, switches) => {
  let node: Node;
  beforeEach(async () => {
    node = await startNode({ switches });
  });
  afterEach(() => node.stop());

  /** What exists, without counters. */
  const objects = () => {
    const { networks, endpoints, namespaces, loadBalancers } = node.hns.dump();
    return { networks, endpoints, namespaces, loadBalancers };
  };

  /** Runs the probe of a row, whose process ends after so many calls. Returns whether it ended early. */
  async function interrupted(row: string, calls: number): Promise<boolean> {
    let left = calls;
    const load = async () => {
      const library = await node.outside.loadLibrary?.();
      if (library === undefined) throw new Error('a node has a library');
      return interceptHcnCalls(
        async () => library,
        (_call, make) => {
          if (left === 0) return Promise.reject(new Error('the process has ended'));
          left -= 1;
          return make();
        },
      );
    };
    await runProbe(node, [...everything, '--row', row], { system: { ...node.outside, loadLibrary: load } });
    return left === 0;
  }

  test.each(ids)('the next probe deletes all that %s left', async (row) => {
    const before = objects();
    for (let calls = 0; await interrupted(row, calls); calls += 1) {
      await runProbe(node, ['--row', shortRow]);
      expect(objects(), `after ${calls} calls`).toEqual(before);
    }
    expect(objects()).toEqual(before);
  });
});
