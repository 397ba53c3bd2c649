import { afterEach, describe, expect, test } from 'vitest';
import { cleanUp } from './aftermath.ts';
import { type Bench, newBench } from './bench.ts';
import { ownEndpoints } from './found.ts';
import {
  type Behaviour,
  choosesIds,
  choosesIdsAndRefusesAttached,
  hangsOnAttached,
  on,
  refusesAttached,
} from './other-hns.ts';
import { codeOf, request } from './request.ts';
import type { Scenario } from './scenario.ts';
import { adds, dels } from './scenarios.ts';
import { differences, snapshot } from './snapshot.ts';

const usual: Behaviour = { name: 'where HNS is as usual', switches: {} };
const everywhere = [usual, choosesIds, refusesAttached, choosesIdsAndRefusesAttached, hangsOnAttached];

const stranger = {
  ID: '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a13',
  Name: 'another_l2bridge_eth0',
  HostComputeNetwork: '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a14',
  SchemaVersion: { Major: 2, Minor: 0 },
};

let bench: Bench;
afterEach(() => bench.node.stop());

async function start(all: readonly Scenario[], name: string, behaviour: Behaviour): Promise<Scenario> {
  const scenario = on(
    behaviour,
    all.filter((one) => one.name === name),
  )[0];
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  bench = await newBench(scenario);
  return scenario;
}

async function expectNothingLeft(scenario: Scenario): Promise<void> {
  const found = await cleanUp(bench, scenario, { next: 'DEL' });
  expect(found).toEqual({ leaks: [], surprises: [] });
}

describe.each(everywhere)('$name', (behaviour) => {
  test('a query for the new endpoint that returns another one is error 11, and nothing is left', async () => {
    const scenario = await start(adds, 'ADD with an IPAM plugin', behaviour);
    bench.node.hns.inject({
      function: 'HcnQueryEndpointProperties',
      effect: { answer: JSON.stringify(stranger) },
    });
    expect(codeOf(await bench.node.cni('ADD', bench.call))).toBe(11);
    expect(differences(bench.clean, snapshot(bench.node))).toEqual([]);
    await expectNothingLeft(scenario);
  });

  test("a query for the new endpoint that returns the network's document is error 11, and nothing is left", async () => {
    const scenario = await start(adds, 'ADD with an IPAM plugin', behaviour);
    const network = bench.node.hns.dump().networks.find(({ Name }) => Name === 'l2bridge');
    bench.node.hns.inject({
      function: 'HcnQueryEndpointProperties',
      effect: { answer: JSON.stringify(network) },
    });
    expect(codeOf(await bench.node.cni('ADD', bench.call))).toBe(11);
    expect(differences(bench.clean, snapshot(bench.node))).toEqual([]);
    await expectNothingLeft(scenario);
  });

  test('a late answer about the new endpoint, within the time limit, is a success', async () => {
    const scenario = await start(adds, 'ADD with an IPAM plugin', behaviour);
    bench.node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { delayMs: 200 } });
    expect(codeOf(await bench.node.cni('ADD', bench.call))).toBe(0);
    await expectNothingLeft(scenario);
  });

  test('a DEL deletes an endpoint in another namespace than CNI_NETNS names', async () => {
    const scenario = await start(dels, 'DEL with an IPAM plugin', behaviour);
    await scenario.attach?.(bench);
    const pod = { ...bench.call.pod, netns: bench.node.hns.createNamespace() };
    expect(codeOf(await bench.node.cni('DEL', { ...request(bench, 'DEL', undefined), pod }))).toBe(0);
    expect(ownEndpoints(bench.node, bench.call)).toEqual([]);
    expect(bench.node.ipam.leases.has('pod eth0')).toBe(false);
  });

  test.each([1, 2, 3])('a DEL succeeds if its namespace disappears before call %i', async (ordinal) => {
    const scenario = await start(dels, 'DEL with an IPAM plugin', behaviour);
    await scenario.attach?.(bench);
    const { netns } = bench.call.pod;
    bench.node.hns.inject({ ordinal, effect: { vanish: { kind: 'Namespace', id: netns } } });
    expect(codeOf(await bench.node.cni('DEL', request(bench, 'DEL', undefined)))).toBe(0);
    expect(ownEndpoints(bench.node, bench.call)).toEqual([]);
    expect(bench.node.ipam.leases.has('pod eth0')).toBe(false);
  });
});
