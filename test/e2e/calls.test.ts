import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointId, endpointName } from '../../src/model/identity.ts';
import { system } from '../../src/system.ts';
import type { Clock } from './clock.ts';
import { example } from './example.ts';
import { type Node, type Pod, startNode } from './node.ts';

/** A clock that counts the calls that run. */
function countingClock(): Clock & { readonly running: number } {
  let running = 0;
  return {
    timer: system.timer,
    now: system.now,
    during: (work) => {
      running += 1;
      return work.finally(() => {
        running -= 1;
      });
    },
    get running() {
      return running;
    },
  };
}

const withIpam = { cniVersion: '1.1.0', ipam: { type: 'test-ipam' } };
const config = example('l2bridge', withIpam);

let clock: ReturnType<typeof countingClock>;
let node: Node;
let pod: Pod;
beforeEach(async () => {
  clock = countingClock();
  node = await startNode({}, () => clock);
  pod = node.newPod('pod');
});
afterEach(() => node.stop());

/**
 * Runs a command for the pod. Returns its calls to HCN in order, those at once sorted on one line, and its runs of the IPAM plugin. Each
 * call has its object: the pod's namespace, the endpoint of an interface of the pod, or the name of another object.
 */
async function callsOf(command: string, given: object): Promise<readonly string[]> {
  const { hns, ipam } = node;
  const before = namesById();
  const lines: (() => string)[] = [];
  let calls = hns.calls.length;
  let runs = ipam.runs.length;
  const note = () => {
    const made = hns.calls.slice(calls);
    const describe = ({ function: called, id = '' }: (typeof made)[number]) =>
      `${called} ${before.get(id) ?? namesById().get(id) ?? id}`.trim();
    if (made.length > 0) lines.push(() => made.map(describe).toSorted().join(' + '));
    lines.push(...ipam.runs.slice(runs).map((run) => () => `IPAM plugin ${run.command}`));
    calls = hns.calls.length;
    runs = ipam.runs.length;
  };
  let isOver = false;
  hns.inject({ ordinal: 'every', effect: { hold: 'before' } });
  const answer = node.cni(command, { config: given, pod });
  const ended = answer.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await turn();
    const held = hns.standing.length;
    if (held === 0 || held !== clock.running) continue;
    note();
    hns.release();
    while (hns.calls.length < calls + held) await turn();
  }
  note();
  hns.clearFaults();
  expect(await ended).toMatchObject({ exitCode: 0 });
  return lines.map((line) => line());
}

function namesById(): ReadonlyMap<string, string> {
  const { networks, endpoints } = node.hns.dump();
  const named = [...networks, ...endpoints].map(({ ID, Name }) => [String(ID), String(Name)] as const);
  return new Map([...named, [pod.netns, 'of the pod']]);
}

const attach = [
  'HcnCreateEndpoint pod_l2bridge_eth0',
  'HcnQueryEndpointProperties pod_l2bridge_eth0',
  'HcnModifyNamespace of the pod',
];

describe('these calls are made, with those at once on one line,', () => {
  test('by an ADD with an IPAM plugin, which runs when no more reads can fail', async () => {
    await node.add(config);
    expect(await callsOf('ADD', config)).toEqual([
      'HcnOpenNamespace of the pod + HcnOpenNetwork l2bridge',
      'HcnQueryNetworkProperties l2bridge',
      'IPAM plugin ADD',
      ...attach,
    ]);
  });

  test('by an ADD that creates the network, which then reads the other networks', async () => {
    await node.add({ ...example('l2bridge'), name: 'other', subnets: [{ subnet: '10.245.1.0/24' }] });
    expect(await callsOf('ADD', config)).toEqual([
      'HcnOpenNamespace of the pod + HcnOpenNetwork l2bridge',
      'HcnEnumerateNetworks',
      'IPAM plugin ADD',
      'HcnCreateNetwork l2bridge',
      'HcnQueryNetworkProperties l2bridge',
      'HcnQueryNetworkProperties l2bridge',
      'HcnEnumerateNetworks',
      'HcnOpenNetwork other',
      'HcnQueryNetworkProperties other',
      ...attach,
    ]);
  });

  test('by CHECK', async () => {
    const { json: prevResult } = await node.add(config, pod);
    expect(await callsOf('CHECK', { ...config, prevResult })).toEqual([
      'HcnOpenEndpoint pod_l2bridge_eth0 + HcnOpenNamespace of the pod',
      'HcnQueryEndpointProperties pod_l2bridge_eth0 + HcnQueryNamespaceProperties of the pod',
      'IPAM plugin CHECK',
    ]);
  });

  test('by DEL', async () => {
    await node.add(config, pod);
    expect(await callsOf('DEL', config)).toEqual([
      'HcnOpenNamespace of the pod',
      'HcnModifyNamespace of the pod',
      'HcnDeleteEndpoint pod_l2bridge_eth0',
      'IPAM plugin DEL',
    ]);
  });

  test('by GC of one endpoint', async () => {
    await node.add(config, pod);
    expect(await callsOf('GC', { ...config, 'cni.dev/valid-attachments': [] })).toEqual([
      'HcnOpenNetwork l2bridge',
      'HcnQueryNetworkProperties l2bridge',
      'HcnEnumerateEndpoints',
      'HcnOpenEndpoint pod_l2bridge_eth0',
      'HcnQueryEndpointProperties pod_l2bridge_eth0',
      'HcnOpenNamespace of the pod',
      'HcnQueryNamespaceProperties of the pod',
      'HcnModifyNamespace of the pod',
      'HcnDeleteEndpoint pod_l2bridge_eth0',
      'IPAM plugin GC',
    ]);
  });

  test('by STATUS', async () => {
    await node.add(config);
    expect(await callsOf('STATUS', config)).toEqual([
      'HcnOpenNetwork l2bridge',
      'HcnQueryNetworkProperties l2bridge',
      'IPAM plugin STATUS',
    ]);
  });
});

describe('with reads at once, the first one in this order that fails is the error', () => {
  const refused = { hresult: 0x80004005 };

  test('of an ADD that fails, the others are abandoned: it neither waits for them nor reports them', async () => {
    const given = { ...config, loopbackDSR: true };
    await node.add(given);
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    node.hns.inject({ function: 'HcnQueryNetworkProperties', ordinal: 'every', effect: refused });
    node.hns.inject({ function: 'HcnOpenNamespace', effect: { hold: 'before' } });
    node.hns.inject({ function: 'HNSCall', effect: { hold: 'before' } });
    const answer = await node.cni('ADD', { config: given, pod });
    expect(answer).toMatchObject({ json: { code: 100, msg: expect.stringContaining('querying network') } });
    expect(node.hns.standing).toEqual(['HcnOpenNamespace', 'HNSCall']);
    node.hns.restart();
    while (clock.running > 0) await turn();
    await turn();
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });
});

/** The calls in the diagram of a pod's life, between a command of containerd and the response to it. */
function callsInDiagram(command: string): readonly string[] {
  const page = readFileSync('docs/how-it-works.md', 'utf8');
  const messages = new RegExp(`containerd->>plugin: ${command}\\b.*?\n(.*?)plugin-->>containerd`, 's').exec(
    page,
  );
  return [...(messages?.[1] ?? '').matchAll(/plugin->>(HCN|IPAM): (.+)/g)].map(([, to, text = '']) =>
    to === 'IPAM' ? `IPAM plugin ${text}` : (text.match(/Hcn\w+/g) ?? []).toSorted().join(' + '),
  );
}

test('the diagram in docs/how-it-works.md shows the calls of an ADD and of a DEL', async () => {
  await node.add(config);
  const withoutObjects = (calls: readonly string[]) =>
    calls.map((line) =>
      line.startsWith('Hcn')
        ? line
            .split(' + ')
            .map((call) => call.split(' ')[0])
            .join(' + ')
        : line,
    );
  expect(callsInDiagram('ADD')).toEqual(withoutObjects(await callsOf('ADD', config)));
  expect(callsInDiagram('DEL')).toEqual(withoutObjects(await callsOf('DEL', config)));
});

test('the calls of a command do not depend on how many endpoints the network has', async () => {
  const large = { ...config, subnets: [{ subnet: '10.240.0.0/12' }], ipam: undefined };
  await node.add(large);
  const [network] = node.hns.dump().networks;
  const HostComputeNetwork = String(network?.['ID']);
  const grow = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const attachment = { containerId: `other${index}`, ifname: 'eth0', network: 'l2bridge' };
      await node.hcn.createEndpoint(HostComputeNetwork, endpointId(attachment), {
        Name: endpointName(attachment),
        HostComputeNetwork,
        SchemaVersion: { Major: 2, Minor: 0 },
      });
    }
  };
  const everyCommand = async () => {
    const added = await node.add(large, pod);
    const checked = await node.check({ ...large, prevResult: added.json }, pod);
    const status = await node.status(large, pod);
    const deleted = await node.del(large, pod);
    const answers = { ADD: added, CHECK: checked, STATUS: status, DEL: deleted };
    for (const answer of Object.values(answers)) expect(answer.exitCode).toBe(0);
    return Object.entries(answers).map(([command, { calls }]) => [command, ...calls].join(' '));
  };
  const alone = await everyCommand();
  expect(alone.map((line) => line.split(' ').length - 1)).toEqual([6, 4, 2, 3]);
  await grow(500);
  expect(node.hns.dump().endpoints).toHaveLength(501);
  expect(await everyCommand()).toEqual(alone);
});
