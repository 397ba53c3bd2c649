import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rows } from '../../../src/cli/probe/rows.ts';
import { interceptHcnCalls } from '../../../src/hcn/library.ts';
import type { Switches } from '../../simulator/profiles.ts';
import { type Node, startNode } from '../node.ts';
import { everything, runProbe } from './run-probe.ts';

/** Where HNS chooses ids, and keeps endpoints and load balancers longer, leftovers are hardest to recognize. */
const releases: Readonly<Record<string, Partial<Switches>>> = {
  'as assumed': {},
  'with other ids': {
    callerIds: 'ignored',
    networkWithEndpoints: 'endpoints kept',
    loadBalancersOfNetwork: 'kept',
  },
};

const ids = rows.flatMap(({ id, experiment }) => ('run' in experiment ? [id] : []));

/** Fewer calls than any other. */
const shortRow = 'emptyLoadBalancer';

/** Calls that only read leave what the call before them left. */
describe.each(Object.entries(releases))('after an interruption at each call, on an HNS %s', (_, switches) => {
  let node: Node;
  beforeEach(async () => {
    node = await startNode({ switches }, undefined, (hns) => hns.withoutDlls());
  });
  afterEach(() => node.stop());

  /** What exists, without counters. */
  const objects = () => {
    const { networks, endpoints, namespaces, loadBalancers } = node.hns.dump();
    return { networks, endpoints, namespaces, loadBalancers };
  };

  /** Runs the probe of a row, whose process ends after so many calls. Returns the names of its calls. */
  async function run(row: string, most = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    const calls: string[] = [];
    const load = async () => {
      const library = await node.outside.loadLibrary?.();
      if (library === undefined) throw new Error('a node has a library');
      return interceptHcnCalls(
        async () => library,
        ({ name }, make) => {
          if (calls.length === most) return Promise.reject(new Error('the process has ended'));
          calls.push(name);
          return make();
        },
      );
    };
    await runProbe(node, [...everything, '--row', row], { system: { ...node.outside, loadLibrary: load } });
    return calls;
  }

  test.each(ids)('the next probe deletes all that %s left', async (row) => {
    const before = objects();
    const calls = await run(row);
    for (const [index, call] of calls.entries()) {
      if (!/Create|Modify|Delete/.test(call)) continue;
      expect((await run(row, index + 1)).slice(0, index + 1)).toEqual(calls.slice(0, index + 1));
      await runProbe(node, ['--row', shortRow]);
      expect(objects(), `after call ${index + 1}, ${call}`).toEqual(before);
    }
    expect(objects()).toEqual(before);
    const theirs = Object.values(before).flatMap((list) => list.map(({ ID }) => ID));
    const deleted = node.hns.calls.filter(({ function: name }) => name.startsWith('HcnDelete'));
    expect(deleted.filter(({ id }) => theirs.includes(id))).toEqual([]);
  });
});
