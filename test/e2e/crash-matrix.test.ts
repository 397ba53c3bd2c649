import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../hns/faults.ts';
import { example } from './example.ts';
import { type Answer, type Call, type Node, startNode } from './node.ts';

/** What can become of the k-th call to HCN. */
const effects: readonly {
  readonly name: string;
  readonly effect: Fault['effect'];
  readonly code: number;
  /** Whether the call may have taken effect, or still will. */
  readonly unknown: boolean;
}[] = [
  { name: 'fails', effect: { hresult: 0x80004005 }, code: 100, unknown: false },
  { name: 'is not served', effect: { hresult: 0x800706d9 }, code: 11, unknown: false },
  { name: 'is lost on the way there', effect: { drop: 'before' }, code: 11, unknown: true },
  { name: 'is lost on the way back', effect: { drop: 'after' }, code: 11, unknown: true },
  { name: 'hangs', effect: { hang: true }, code: 11, unknown: true },
];

const ipam = { type: 'test-ipam' };
const onBridge = { ipam, subnets: [{ subnet: '10.244.1.0/24' }], hostEndpoint: {} };

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

type State = ReturnType<typeof state>;

function state() {
  const { networks, endpoints, namespaces } = node.hns.dump();
  return { networks, endpoints, namespaces, leases: new Map(node.ipam.leases) };
}

interface Cell {
  readonly prepare: () => Promise<Call>;
  readonly command: 'ADD' | 'DEL';
  readonly verify: (answer: Answer, call: Call, before: State) => Promise<void>;
}

/**
 * Runs a command on a fresh node once for each k, the k-th call being hit, until it makes fewer calls and succeeds.
 * Returns the number of cells.
 */
async function forEveryCall(effect: Fault['effect'], { prepare, command, verify }: Cell): Promise<number> {
  for (let k = 1; ; k += 1) {
    const call = await prepare();
    const before = state();
    node.hns.inject({ ordinal: k, effect });
    const answer = await node.cni(command, call);
    node.hns.clearFaults();
    if (answer.exitCode === 0) {
      expect(answer.calls.length).toBeLessThan(k);
      return k - 1;
    }
    await verify(answer, call, before);
    await node.stop();
    node = await startNode();
  }
}

describe.each(effects)('when the k-th call of an ADD $name', ({ effect, code, unknown }) => {
  test.each([
    ['on a network that exists', 'l2bridge', {}, true, 7],
    ['on a network that exists, with an IPAM plugin', 'l2bridge', { ipam }, true, 7],
    ['not even the network it created', 'l2bridge', {}, false, 8],
    ['not even the network it created, with an IPAM plugin', 'l2bridge', { ipam }, false, 8],
    ['not even the Overlay network it created', 'overlay', {}, false, 8],
    ['beside the host endpoint', 'l2bridge-host-endpoint', onBridge, true, 10],
    ['not even the host endpoint it created', 'l2bridge-host-endpoint', onBridge, false, 17],
  ] as const)('nothing is left: %s', async (_, name, changes, exists, calls) => {
    const config = example(name, changes);
    const cells = await forEveryCall(effect, {
      command: 'ADD',
      prepare: async () => {
        if (exists) await node.cni('ADD', { config, pod: node.newPod('neighbour') });
        return { config, pod: node.newPod() };
      },
      verify: async (answer, call, before) => {
        expect(answer.json.code).toBe(code);
        const { leases: kept, ...others } = state();
        const { leases, ...othersBefore } = before;
        expect(others).toEqual(othersBefore);
        if (!unknown) expect(kept).toEqual(leases);
        expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 0 });
        expect(state()).toEqual(before);
        expect(await node.cni('ADD', call)).toMatchObject({ exitCode: 0 });
      },
    });
    expect(cells).toBe(calls);
  });
});

test('when HNS is gone for good in the middle of an ADD, the DEL after its return leaves nothing', async () => {
  for (let k = 1; k <= 7; k += 1) {
    const config = example('l2bridge', { ipam });
    await node.cni('ADD', { config, pod: node.newPod('neighbour') });
    const call = { config, pod: node.newPod() };
    const before = state();
    for (let ordinal = k; ordinal < k + 10; ordinal += 1) {
      node.hns.inject({ ordinal, effect: { hresult: 0x800706ba } });
    }
    expect(await node.cni('ADD', call)).toMatchObject({ exitCode: 1, json: { code: 11 } });
    expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 1, json: { code: 11 } });
    node.hns.clearFaults();
    expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 0 });
    expect(state()).toEqual(before);
    await node.stop();
    node = await startNode();
  }
});

describe.each(effects)('when the k-th call of a DEL $name', ({ effect, code }) => {
  test.each([
    ['of an endpoint', true, 1],
    ['of nothing', false, 2],
  ])('the next DEL leaves nothing: %s', async (_, exists, calls) => {
    const config = example('l2bridge', { ipam });
    let clean: State;
    const cells = await forEveryCall(effect, {
      command: 'DEL',
      prepare: async () => {
        await node.cni('ADD', { config, pod: node.newPod('neighbour') });
        const call = { config, pod: node.newPod() };
        clean = state();
        if (exists) await node.cni('ADD', call);
        return call;
      },
      verify: async (answer, call) => {
        expect(answer.json.code).toBe(code);
        expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 0 });
        expect(state()).toEqual(clean);
      },
    });
    expect(cells).toBe(calls);
  });
});

describe('when the IPAM plugin', () => {
  const config = example('l2bridge', { ipam });

  test.each([
    [
      'fails with an error of its own',
      { exitCode: 1, stdout: '{"code":11,"msg":"m","details":"d"}' },
      { code: 11, msg: 'm', details: 'd' },
    ],
    ['fails without a word', { exitCode: 2, stdout: '' }, { code: 103 }],
    ['is killed', { exitCode: null, stdout: '' }, { code: 103 }],
    ['prints nothing', { exitCode: 0, stdout: '' }, { code: 6 }],
    ['prints two documents', { exitCode: 0, stdout: '{}{}' }, { code: 6 }],
    ['assigns no address', { exitCode: 0, stdout: '{"cniVersion":"1.0.0"}' }, { code: 103 }],
    ['assigns what is no address', { exitCode: 0, stdout: '{"ips":[{"address":"x"}]}' }, { code: 6 }],
    [
      'assigns an address outside the network',
      { exitCode: 0, stdout: '{"ips":[{"address":"10.9.0.5/24"}]}' },
      { code: 7 },
    ],
  ])('%s, the ADD fails, asks it to give back, and leaves no endpoint', async (_, override, error) => {
    node.ipam.override.set('ADD', override);
    const answer = await node.cni('ADD', { config, pod: node.newPod() });
    expect(answer).toMatchObject({ exitCode: 1, json: error });
    expect(node.ipam.runs.map((run) => run.command)).toEqual(['ADD', 'DEL']);
    expect(node.hns.dump()).toMatchObject({ endpoints: [], networks: [] });
  });

  test('is in no folder of CNI_PATH, the ADD says where it looked, and leaves nothing', async () => {
    const answer = await node.cni('ADD', {
      config: { ...config, ipam: { type: 'nowhere' } },
      pod: node.newPod(),
    });
    expect(answer.json).toEqual({
      cniVersion: '1.0.0',
      code: 7,
      msg: 'IPAM plugin "nowhere" is in no folder of CNI_PATH /opt/cni/bin',
      details: 'looked for /opt/cni/bin/nowhere',
    });
    expect(node.hns.dump()).toMatchObject({ endpoints: [], networks: [] });
  });
});

test('an ADD into a namespace that is gone takes nothing', async () => {
  const pod = { containerId: 'c0ffee', netns: '01234567-0123-0123-0123-0123456789ab' };
  const answer = await node.cni('ADD', { config: example('l2bridge', { ipam }), pod });
  expect(answer).toMatchObject({
    exitCode: 1,
    json: {
      code: 3,
      msg: `HCN has no namespace ${pod.netns}: the sandbox is gone`,
      details: 'its runtime makes a new one; Get-HnsNamespace shows the namespaces there are',
    },
  });
  expect(node.ipam.runs).toEqual([]);
  expect(node.hns.dump()).toMatchObject({ endpoints: [], networks: [] });
});

test('a network another request uses meanwhile is not taken back', async () => {
  const config = example('l2bridge');
  node.hns.inject({ function: 'HcnModifyNamespace', effect: { delayMs: 300 } });
  node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: 2, effect: { hresult: 0x80004005 } });
  const [slow, quick] = await Promise.all([
    node.cni('ADD', { config: { ...config, hcnTimeoutSeconds: 120 }, pod: node.newPod() }),
    new Promise((resolve) => setTimeout(resolve, 100)).then(() =>
      node.cni('ADD', { config, pod: node.newPod() }),
    ),
  ]);
  expect([slow.exitCode, quick.exitCode]).toEqual([1, 0]);
  expect(node.hns.dump()).toMatchObject({
    networks: [{ Name: 'l2bridge' }],
    endpoints: [{ Name: 'pod2_eth0_l2bridge' }],
  });
});
