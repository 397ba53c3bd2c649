import { describe, expect, test } from 'vitest';
import type { HcnInterceptor } from '../../src/hcn/library.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

const persistent = example('l2bridge', { ipam: { type: 'test-ipam' }, cniVersion: '1.1.0' });
/** HNS loses this network and its endpoints when it restarts. */
const volatile = { ...persistent, networkFlags: ['EnableNonPersistent'] };

/** Restarts the service right before or after the n-th call. `made` has the names of the calls. */
function restartAt(node: Node, ordinal: number, when: 'before' | 'after') {
  const made: string[] = [];
  const intercept: HcnInterceptor = async ({ name }, make) => {
    made.push(name);
    const isDue = made.length === ordinal;
    if (isDue && when === 'before') node.hns.restart();
    const response = await make();
    if (isDue && when === 'after') node.hns.restart();
    return response;
  };
  return { made, intercept };
}

interface Ended {
  readonly at: string;
  readonly code: number;
  /** Whether CHECK then finds the attachment. */
  readonly works: boolean;
  readonly endpoints: readonly string[];
  readonly leases: readonly string[];
}

/** Runs a command with a restart before and after each of its calls to HCN, with `pods` attached. */
async function withRestarts(
  command: string,
  config: object,
  pods: readonly string[],
): Promise<readonly Ended[]> {
  const found: Ended[] = [];
  for (const when of ['before', 'after'] as const)
    for (let ordinal = 1; ; ordinal += 1) {
      const node = await startNode();
      const pod = node.newPod('one');
      let prevResult: unknown;
      for (const name of pods) {
        const other = name === 'one' ? pod : node.newPod(name);
        const { exitCode, json } = await node.add(config, other);
        expect(exitCode).toBe(0);
        if (name === 'one') prevResult = json;
      }
      const { made, intercept } = restartAt(node, ordinal, when);
      const given = { ...config, ...extra(command, prevResult) };
      const { exitCode, json } = await node.cni(command, { config: given, pod, intercept });
      const works =
        command === 'ADD' &&
        exitCode === 0 &&
        (await node.check({ ...config, prevResult: json }, pod)).exitCode === 0;
      const { endpoints } = node.hns.dump();
      const leases = [...node.ipam.leases.keys()];
      await node.stop();
      if (made.length < ordinal) break;
      const at = `${when} ${made[ordinal - 1]}`;
      const code = exitCode === 0 ? 0 : json.code;
      found.push({ at, code, works, endpoints: endpoints.map(({ Name }) => String(Name)), leases });
    }
  return found;
}

function extra(command: string, prevResult: unknown): object {
  if (command === 'CHECK') return { prevResult };
  return command === 'GC' ? { 'cni.dev/valid-attachments': [] } : {};
}

const unlike = (ended: readonly Ended[], isExpected: (one: Ended) => boolean) =>
  ended.filter((one) => !isExpected(one));
const has = (texts: readonly string[], wanted: readonly string[]) =>
  texts.length === wanted.length && wanted.every((one) => texts.includes(one));

describe('a restart of the service in the middle of a request', () => {
  test.each([
    ['ADD that creates the network', 'ADD', [], 20],
    ['ADD', 'ADD', ['two'], 12],
    ['CHECK', 'CHECK', ['one'], 8],
    ['STATUS', 'STATUS', ['one'], 4],
  ])('does not fail %s if HNS keeps its objects', async (_, command, pods, count) => {
    const ended = await withRestarts(command, persistent, pods);
    expect(ended).toHaveLength(count);
    const all = command === 'ADD' ? [...pods, 'one'] : pods;
    const isComplete = ({ code, works, endpoints, leases }: Ended) =>
      code === 0 &&
      works === (command === 'ADD') &&
      has(
        endpoints,
        all.map((name) => `${name}_l2bridge_eth0`),
      ) &&
      has(
        leases,
        all.map((name) => `${name} eth0`),
      );
    expect(unlike(ended, isComplete)).toEqual([]);
  });

  test.each([
    ['persistent', persistent],
    ['non-persistent', volatile],
  ])('does not fail DEL and GC on a %s network', async (_, config) => {
    for (const [command, count] of [
      ['DEL', 6],
      ['GC', 18],
    ] as const) {
      const ended = await withRestarts(command, config, ['one']);
      expect(ended).toHaveLength(count);
      expect(
        unlike(ended, ({ code, endpoints, leases }) => code === 0 && has(endpoints, []) && has(leases, [])),
      ).toEqual([]);
    }
  });

  test.each([
    ['ADD that creates the network', [], 20],
    ['ADD', ['two'], 12],
  ])('is error 11 of %s if HNS loses its objects, and nothing is left', async (_, pods, count) => {
    const ended = await withRestarts('ADD', volatile, pods);
    expect(ended).toHaveLength(count);
    const others = pods.map((name) => `${name} eth0`);
    const isRolledBack = ({ code, endpoints, leases }: Ended) =>
      code === 11 && has(endpoints, []) && has(leases, others);
    const isComplete = ({ works, endpoints, leases }: Ended) =>
      works && has(endpoints, ['one_l2bridge_eth0']) && has(leases, [...others, 'one eth0']);
    // Nothing tells ADD of a restart after its last call.
    const isTooLate = ({ at, code }: Ended) => code === 0 && at === 'after HcnModifyNamespace';
    expect(unlike(ended, (one) => isRolledBack(one) || isComplete(one) || isTooLate(one))).toEqual([]);
    expect(ended.filter(isTooLate)).toHaveLength(1);
    expect(ended.filter(isRolledBack).length).toBeGreaterThan(count / 3);
  });

  test('is error 102 of CHECK if HNS loses the endpoint', async () => {
    const ended = await withRestarts('CHECK', volatile, ['one']);
    expect(ended.map(({ code }) => code)).toEqual([102, 102, 102, 102, 102, 102, 102, 0]);
  });
});
