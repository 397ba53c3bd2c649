import assert from 'node:assert/strict';
import { hcnClient } from '../../../src/hcn/client.ts';
import { run } from '../../../src/plugin/run.ts';
import { system } from '../../../src/system.ts';
import { newIpam } from '../../e2e/ipam.ts';
import { contextWith } from '../../e2e/step-targets.ts';
import { newClock } from '../../properties/clock.ts';
import { serviceLibrary } from '../../properties/service-library.ts';
import { initialState } from '../../simulator/hns.ts';
import { createNamespace } from '../../simulator/namespaces.ts';
import type { State } from '../../simulator/state.ts';
import { ipHelperWithoutDll } from '../../simulator/without-dll.ts';
import { recordingLibrary } from './recording-library.ts';
import type { Sent } from './row.ts';

type Json = Readonly<Record<string, unknown>>;

/** The node's state and the runtime's input, in addition to the configuration. */
export interface Conditions {
  /** The document of an existing network. */
  readonly network?: Json;
  /** The addresses that the IPAM plugin assigns. */
  readonly ips?: readonly { readonly address: string; readonly gateway?: string }[];
  /** The capability arguments from the runtime. */
  readonly runtimeConfig?: Json;
}

export const namespace = '11111111-2222-4333-8444-555555555555';
export const existingNetworkId = 'aaaaaaaa-0000-4000-8000-000000000000';

/** Returns the given calls of an ADD, or of a DEL after an ADD. The default network name is `cbr0`. */
export async function sentBy(
  command: 'ADD' | 'DEL',
  config: Json,
  calls: readonly string[],
  conditions: Conditions = {},
): Promise<readonly Sent[]> {
  const state = await nodeWith(conditions.network);
  if (command === 'DEL') await runCommand('ADD', config, conditions, state);
  const sent = await runCommand(command, config, conditions, state);
  return sent.filter(({ call }) => calls.includes(call));
}

/** Returns the call that creates a configuration's network. */
export async function networkOf(config: Json, conditions?: Conditions): Promise<Sent | undefined> {
  return (await sentBy('ADD', config, ['HcnCreateNetwork'], conditions))[0];
}

/** Returns the calls with a type of network policy, of an ADD that creates the network. */
export async function sentAbout(type: string, config: Json): Promise<readonly Sent[]> {
  const sent = await sentBy('ADD', config, ['HcnCreateNetwork', 'HcnModifyNetwork']);
  return sent.filter(({ document }) => JSON.stringify(document).includes(type));
}

/** Returns the call that creates a pod's endpoint. */
export async function endpointOf(config: Json, conditions?: Conditions): Promise<Sent | undefined> {
  return (await sentBy('ADD', config, ['HcnCreateEndpoint'], conditions)).at(-1);
}

/** Returns the policies of these types on a pod's endpoint. */
export async function policiesOf(
  config: Json,
  types: readonly string[],
  conditions?: Conditions,
): Promise<Json> {
  const { Policies = [] } = ((await endpointOf(config, conditions))?.document ?? {}) as Documented;
  return { Policies: Policies.filter(({ Type }) => types.includes(Type)) };
}

interface Documented {
  readonly Policies?: readonly { readonly Type: string }[];
}

/** Returns the given calls of an action, on a node with that network. */
export async function sentFor(
  act: (context: ReturnType<typeof contextWith>) => Promise<unknown>,
  calls: readonly string[],
  network?: Json,
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const library = recordingLibrary(serviceLibrary(await nodeWith(network)), (one) => sent.push(one));
  await act(contextWith(hcnClient(library)));
  return sent.filter(({ call }) => calls.includes(call));
}

async function nodeWith(network: Json | undefined): Promise<State> {
  const state = initialState({ adapters: [{ name: 'Ethernet', managementIp: '10.0.0.4' }] });
  createNamespace(state, namespace, { SchemaVersion: { Major: 2, Minor: 0 }, Type: 'Host' });
  if (network === undefined) return state;
  const { hresult } = await serviceLibrary(state).create(
    'Network',
    existingNetworkId,
    JSON.stringify(network),
  );
  assert.equal(hresult, 0);
  return state;
}

async function runCommand(
  command: string,
  config: Json,
  { ips, runtimeConfig }: Conditions,
  state: State,
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const clock = newClock();
  const ipam = newIpam();
  const stdout = JSON.stringify({ cniVersion: '1.0.0', ips, routes: [{ dst: '0.0.0.0/0' }] });
  ipam.override.set('ADD', { exitCode: 0, stdout });
  const stdin = JSON.stringify({
    cniVersion: '1.0.0',
    name: 'cbr0',
    type: 'win-hcn',
    ...config,
    ...(ips !== undefined && { ipam: { ...(config['ipam'] ?? {}), type: 'test-ipam' } }),
    ...(runtimeConfig !== undefined && { runtimeConfig }),
  });
  const outcome = await clock.finish(
    run({
      ...system,
      windows: false,
      environment: {
        CNI_COMMAND: command,
        CNI_CONTAINERID: 'c0ffee',
        CNI_NETNS: namespace,
        CNI_IFNAME: 'eth0',
        CNI_PATH: '/opt/cni/bin',
      },
      executable: '/opt/cni/bin/win-hcn',
      readStdin: () => new TextEncoder().encode(stdin),
      writeStderr: () => undefined,
      isFile: (path) => path.startsWith('/opt/cni/bin/'),
      spawn: async (_path, environment, given) => ipam.run(environment, given),
      loadLibrary: async () => recordingLibrary(serviceLibrary(state), (one) => sent.push(one)),
      loadIpHelper: async () => ipHelperWithoutDll(state),
      timer: clock.timer,
      now: clock.now,
      logFile: '',
      openLog: () => () => true,
    }),
  );
  assert.equal(outcome.exitCode, 0, outcome.stdout);
  return sent;
}
