import { afterEach, describe, expect, test } from 'vitest';
import { cleanUp } from './aftermath.ts';
import { type Bench, newBench } from './bench.ts';
import { ownEndpoints } from './found.ts';
import { type Behavior, choosesIdsAndRefusesAttached, on, usual } from './other-hns.ts';
import { codeOf, request } from './request.ts';
import type { Scenario } from './scenario.ts';
import { adds, dels } from './scenarios.ts';
import { differences, snapshot } from './snapshot.ts';

const stranger = {
  ID: '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a13',
  Name: 'another_l2bridge_eth0',
  HostComputeNetwork: '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a14',
  SchemaVersion: { Major: 2, Minor: 0 },
};

let bench: Bench;
afterEach(() => bench.node.stop());

async function start(all: readonly Scenario[], name: string, behavior: Behavior): Promise<Scenario> {
  const scenario = on(
    behavior,
    all.filter((one) => one.name === name),
  )[0];
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  bench = await newBench(scenario);
  return scenario;
}

async function expectNothingLeft(scenario: Scenario): Promise<void> {
  const found = await cleanUp(bench, scenario, { next: 'DEL' });
  expect(found).toEqual([]);
}

describe.each([usual, choosesIdsAndRefusesAttached])('$name', (behavior) => {
  test.each([
    ['another one', () => stranger],
    ["the network's document", () => bench.node.hns.dump().networks.find(({ Name }) => Name === 'l2bridge')],
  ])('a query for the new endpoint that returns %s is error 11, and nothing is left', async (_, document) => {
    const scenario = await start(adds, 'ADD with an IPAM plugin', behavior);
    const effect = { answer: JSON.stringify(document()) };
    bench.node.hns.inject({ function: 'HcnQueryEndpointProperties', effect });
    expect(codeOf(await bench.node.cni('ADD', bench.call))).toBe(11);
    expect(differences(bench.clean, snapshot(bench.node))).toEqual([]);
    await expectNothingLeft(scenario);
  });

  test('a DEL deletes an endpoint in another namespace than CNI_NETNS names', async () => {
    const scenario = await start(dels, 'DEL with an IPAM plugin', behavior);
    await scenario.attach?.(bench);
    const pod = { ...bench.call.pod, netns: bench.node.hns.createNamespace() };
    expect(codeOf(await bench.node.cni('DEL', { ...request(bench, 'DEL', undefined), pod }))).toBe(0);
    expect(ownEndpoints(bench.node, bench.call)).toEqual([]);
    expect(bench.node.ipam.leases.has('pod eth0')).toBe(false);
  });
});
