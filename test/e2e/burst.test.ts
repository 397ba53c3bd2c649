import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, newClock } from '../properties/clock.ts';
import type { Latency } from '../simulator/latency.ts';
import { newRandom } from '../storm/random.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

const config = example('l2bridge', { cniVersion: '1.1.0' });
/** The kubelet's default for maxPods. */
const pods = 110;

let clock: Clock;
let node: Node;
beforeEach(async () => {
  clock = newClock(50);
  node = await startNode(
    {},
    () => ({ ...clock, during: (work) => work }),
    (hns) => hns.withoutDlls(),
  );
});
afterEach(() => node.stop());

const sleep = (milliseconds: number) => new Promise<void>((resolve) => clock.timer(milliseconds, resolve));
const slowDown = (latency: Omit<Latency, 'sleep'>) => node.hns.delay({ ...latency, sleep });

async function addPods(given: object): Promise<number> {
  const answers = await clock.finish(Promise.all(Array.from({ length: pods }, () => node.add(given))));
  return answers.filter(({ exitCode }) => exitCode === 0).length;
}

async function createNetwork(): Promise<void> {
  const pod = node.newPod();
  await node.add(config, pod);
  await node.del(config, pod);
}

describe('of 110 ADDs at once, on a node whose service creates one object after another in 50 to 800 ms', () => {
  const shorter = { hcnTimeoutSeconds: 30 };
  test.each([
    ['all succeed', { isThere: true, queryMs: 0, keys: {} }, 110],
    ['all succeed if other calls wait for creations too', { isThere: true, queryMs: 5, keys: {} }, 110],
    [
      'all succeed without the network, which each tries to create',
      { isThere: false, queryMs: 5, keys: {} },
      110,
    ],
    ['65 succeed with a time limit of 30 s', { isThere: true, queryMs: 0, keys: shorter }, 65],
    [
      'none succeeds with a time limit of 30 s without the network',
      { isThere: false, queryMs: 0, keys: shorter },
      0,
    ],
  ])('%s', async (_, { isThere, queryMs, keys }, succeeding) => {
    if (isThere) await createNetwork();
    const random = newRandom('1');
    slowDown({ createMs: 50, more: () => random.below(751), queryMs, oneAtATime: true });
    expect(await addPods({ ...config, ...keys })).toBe(succeeding);
  });
});

test('all succeed if each creation takes 800 ms', async () => {
  await createNetwork();
  slowDown({ createMs: 800, queryMs: 0, oneAtATime: true });
  expect(await addPods(config)).toBe(pods);
  expect(clock.now()).toBe(88_000);
});

test('an ADD ends before the four minutes of the kubelet, however slow the service is', async () => {
  slowDown({ createMs: 80_000, queryMs: 80_000 });
  expect(await clock.finish(node.add(config))).toMatchObject({ exitCode: 1, json: { code: 11 } });
  expect(clock.now()).toBeLessThan(200_000);
});
