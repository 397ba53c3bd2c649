// Orders of the calls of an ADD and of gc --ipam, each of which makes one call at a time, while time passes between them.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from './cli/run-cli.ts';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type HostLocalStore, hostLocal, hostLocalStore } from './host-local-store.ts';
import { newTurns } from './in-turns.ts';
import { type Node, startNode } from './node.ts';

const config = { ...example('l2bridge', { cniVersion: '1.1.0', ipam: hostLocal }), type: 'win-hcn' };
const conf = ['--conf', 'net.conf'];

let node: Node;
let store: HostLocalStore;
beforeAll(async () => {
  node = await startNode({}, () => hastyClock(1));
  store = hostLocalStore(node);
  store.files['net.conf'] = JSON.stringify(config);
  await node.add(config, node.newPod('neighbour'));
});
afterAll(() => node.stop());

/** How many calls a program makes until it is the other's turn, if both can go on, and how many seconds pass before. */
interface Turn {
  readonly program: number;
  readonly calls: number;
  readonly seconds: number;
}

/** Runs an ADD and gc in turns. Returns the exit code of the ADD, the state of the pod, and how long the ADD took. */
async function runBoth(turns: readonly Turn[]) {
  const pod = node.newPod();
  store.run('ADD', 'gone');
  const inTurns = newTurns();
  const library = await node.outside.loadLibrary?.();
  const { spawn } = node.outside;
  if (library === undefined || spawn === undefined) throw new Error('the node has no HCN');
  const systemOf = (program: number) => ({
    ...node.outside,
    executable: '/opt/cni/bin/win-hcn.exe',
    loadLibrary: async () => inTurns.gated(program, library),
    ...inTurns.gated(program, { spawn }),
  });
  const adding = runCli(['cni', 'add', ...conf, '--container', pod.containerId, '--netns', pod.netns], {
    ...store,
    system: systemOf(0),
  });
  const timer: NonNullable<Node['outside']['timer']> = (milliseconds, then) => {
    if (milliseconds === 5000) void inTurns.wait(1).then(then);
    return { cancel: () => undefined };
  };
  const collecting = inTurns
    .wait(1)
    .then(() => runCli(['gc', ...conf, '--ipam', '--yes'], { ...store, system: { ...systemOf(1), timer } }));
  const order = turns.flatMap(({ program, calls, seconds }) =>
    Array.from({ length: calls }, (_, call) => ({ program, seconds: call === 0 ? seconds : 0 })),
  );
  let [isAdding, elapsed] = [true, 0];
  void adding.then(() => {
    isAdding = false;
  });
  await inTurns.run([adding, collecting], (waiting) => {
    const { program = 0, seconds = 0 } = order.shift() ?? {};
    store.pass(seconds);
    if (isAdding) elapsed += seconds;
    return waiting.includes(program) ? program : (waiting[0] ?? 0);
  });
  const { exitCode } = await adding;
  const name = `${pod.containerId}_l2bridge_eth0`;
  const isAttached = node.hns.dump().endpoints.some(({ Name }) => Name === name);
  const isLeased = node.ipam.leases.has(`${pod.containerId} eth0`);
  await node.cni('DEL', { config, pod });
  return { exitCode, isAttached, isLeased, elapsed, collected: (await collecting).stdout };
}

const seconds = fc.constantFrom(0, 300, 661);
const ofAdd = fc.record({ program: fc.constant(0), calls: fc.integer({ min: 0, max: 6 }), seconds });
const calls = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 40 }));
const ofGc = fc.record({ program: fc.constant(1), calls, seconds });

test('no order of the calls of an ADD and of gc --ipam leaves a working pod without a lease', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.tuple(ofAdd, ofGc, ofAdd, ofGc), async (turns) => {
      const { exitCode, isAttached, isLeased, elapsed } = await runBoth(turns);
      seen.add(`${exitCode === 0 ? 'works' : 'fails'} ${elapsed <= 600 ? 'in time' : 'late'}`);
      expect({ isAttached, isLeased }).toEqual({ isAttached: exitCode === 0, isLeased: exitCode === 0 });
      if (elapsed <= 600) expect(exitCode).toBe(0);
    }),
    { numRuns: 40, seed: 20 },
  );
  expect([...seen].toSorted()).toEqual(['fails late', 'works in time', 'works late']);
});
