import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openConfig } from '../../src/config/open-config.ts';
import { hcnClient } from '../../src/hcn/client.ts';
import { endpointId, hostEndpointId } from '../../src/model/identity.ts';
import { newIpam } from '../e2e/ipam.ts';
import { previewAndExecute } from '../e2e/preview-and-execute.ts';
import { ipHelperWithoutDll } from '../simulator/without-dll.ts';
import { validConfig } from './arbitraries.ts';
import { newClock } from './clock.ts';
import { type Configuration, configuration } from './configurations.ts';
import type { Property } from './property.ts';
import { namespace, nodeFor, systemOf } from './request.ts';
import { serviceLibrary } from './service-library.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const generated = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const executable = '/opt/cni/bin/win-hcn';

/** An endpoint that an earlier request left on the network, by its name and id; `address` is the one that IPAM assigns next. */
const leftovers = {
  'of the same attachment': (network: string) => ({
    id: endpointId(attachment(network)),
    name: `c0ffee_${network}_eth0`,
  }),
  'of the same attachment, with an id of HNS': (network: string) => ({
    id: generated,
    name: `c0ffee_${network}_eth0`,
  }),
  'of the same attachment, of a replaced plugin': (network: string) => ({
    id: generated,
    name: `c0ffee_${network}`,
  }),
  'of another container, with the address': (network: string) => ({
    id: endpointId({ ...attachment(network), containerId: 'gone' }),
    name: `gone_${network}_eth0`,
    hasAddress: true,
  }),
  'of another plugin, with the address': (network: string) => ({
    id: generated,
    name: `gone_${network}`,
    hasAddress: true,
  }),
  'of the node': (network: string) => ({ id: hostEndpointId(network), name: `${network}_ep` }),
} as const;

const attachment = (network: string) => ({ containerId: 'c0ffee', ifname: 'eth0', network });

const ours = validConfig.map(
  (config): Configuration => ({
    config: JSON.parse(JSON.stringify(config)),
    before: undefined,
    within: String(config.subnets[0]?.subnet).replace(/0\/24$/, ''),
  }),
);

const scene = fc.record({
  given: fc.oneof({ weight: 2, arbitrary: ours }, { weight: 1, arbitrary: configuration }),
  leftovers: fc.uniqueArray(fc.constantFrom(...(Object.keys(leftovers) as (keyof typeof leftovers)[])), {
    maxLength: 2,
  }),
  isAttached: fc.boolean(),
  hasNeighbor: fc.boolean(),
  callerIds: fc.constantFrom('honored', 'ignored'),
  command: fc.constantFrom('ADD', 'ADD', 'ADD', 'DEL', 'GC'),
});

type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

/** The number of runs, and of those that executed a step: without steps the property has no meaning. */
export const previewCounts = { runs: 0, executed: 0 };

async function compareOn({
  given,
  leftovers: kinds,
  isAttached,
  hasNeighbor,
  callerIds,
  command,
}: Scene): Promise<void> {
  const state = await nodeFor(given, { callerIds });
  const ipam = newIpam();
  ipam.prefix = given.within;
  const clock = newClock();
  const library = serviceLibrary(state);
  const simulated = { library, helper: ipHelperWithoutDll(state), ipam };
  const system = { ...systemOf(command, new Uint8Array(), simulated, clock), environment: {}, executable };
  const config = given.config as Readonly<Record<string, unknown>>;
  const network = String(openConfig(config, executable, '').json['name']);
  const run = (containerId: string, work: 'ADD' | 'DEL' | 'GC') =>
    clock.finish(
      previewAndExecute(
        { command: work, config, containerId, netns: namespace },
        system,
        ipam,
        () => undefined,
      ),
    );
  if (hasNeighbor) await run('neighbor', 'ADD');
  const hcn = hcnClient(library);
  const found = await hcn.findNetwork(network);
  for (const kind of found === undefined ? [] : kinds) {
    const { id, name, ...rest } = leftovers[kind](network);
    const address = `${given.within}${hasNeighbor ? 11 : 10}`;
    const document = {
      Name: name,
      HostComputeNetwork: String(found?.ID),
      ...('hasAddress' in rest && { IpConfigurations: [{ IpAddress: address, PrefixLength: 24 }] }),
      SchemaVersion,
    };
    const isCreated = await hcn.createEndpoint(String(found?.ID), id, document).then(
      () => true,
      () => false,
    );
    if (isCreated && isAttached) await hcn.addEndpoint(namespace, id).catch(() => undefined);
  }
  const before = JSON.stringify([...state.networks, ...state.endpoints, ...state.namespaces]);
  const { previewed, previewError, executed, executionError } = await clock.finish(
    previewAndExecute(
      { command: command as 'ADD', config, containerId: 'c0ffee', netns: namespace },
      system,
      ipam,
      () => {
        assert.equal(JSON.stringify([...state.networks, ...state.endpoints, ...state.namespaces]), before);
      },
    ),
  );
  previewCounts.runs += 1;
  if (executed.length > 0) previewCounts.executed += 1;
  if (previewError !== undefined) {
    assert.equal(previewError, executionError);
    return;
  }
  // HNS may refuse what a preview cannot foresee. Until then the command executes what was previewed.
  assert.deepEqual(executionError === undefined ? previewed : previewed.slice(0, executed.length), executed);
}

export const previewProperties: readonly Property[] = [
  {
    name: 'for every configuration and node: a command executes the steps that its preview shows',
    property: fc.asyncProperty(scene, compareOn),
    runs: { test: 150, fuzz: 2000 },
  },
];
