import assert from 'node:assert/strict';
// Else it is loaded during the first request, which takes real time.
import '../../src/config/read-config.ts';
import { HcnMissing, HcnUnavailable } from '../../src/hcn/errors.ts';
import type { ComputeNetworkLibrary } from '../../src/hcn/library.ts';
import type { IpHelper } from '../../src/iphlpapi/ip-helper.ts';
import { hostEndpointId } from '../../src/model/identity.ts';
import type { Outcome } from '../../src/plugin/outcome.ts';
import { run } from '../../src/plugin/run.ts';
import type { Exit } from '../../src/system/spawn-program.ts';
import { type System, system } from '../../src/system.ts';
import { newIpam } from '../e2e/ipam.ts';
import { type HnsOptions, initialState } from '../simulator/hns.ts';
import { createNamespace } from '../simulator/namespaces.ts';
import type { State } from '../simulator/state.ts';
import { ipHelperWithoutDll } from '../simulator/without-dll.ts';
import { plainWriting, type Writing, written } from './bytes.ts';
import { type Change, changed, type Json } from './changes.ts';
import { type Clock, newClock } from './clock.ts';
import type { Configuration } from './configurations.ts';
import { faultsAround, faultyIpHelper, faultyLibrary, type Met } from './faulty-library.ts';
import type { Fault } from './hcn-answers.ts';
import { serviceLibrary } from './service-library.ts';

/** A request on a new node, and its deviations from the usual one. */
export interface Request {
  readonly configuration: Configuration;
  readonly command: string;
  /** Whether an ADD of the same attachment precedes it. */
  readonly attached: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly executable: string;
  /** Members that the runtime adds to the configuration. */
  readonly members: Json;
  readonly changes: readonly Change[];
  readonly writing: Writing;
  readonly faults: readonly Fault[];
  /** How the first runs of the IPAM plugin end. */
  readonly ipam: readonly IpamEnd[];
  readonly library: 'there' | 'missing' | 'unusable';
}

export type IpamEnd = Exit | 'does not start' | 'hangs';

/** Returns the usual request with a configuration and deviations. */
export type Unusual = Partial<Request> & Pick<Request, 'configuration'>;

const usual: Omit<Request, 'configuration'> = {
  command: 'ADD',
  attached: false,
  environment: {},
  executable: '/opt/cni/bin/win-hcn',
  members: {},
  changes: [],
  writing: plainWriting,
  faults: [],
  ipam: [],
  library: 'there',
};

/** The outcome of a request. */
export interface Ended extends Outcome {
  readonly command: string;
  readonly met: Met;
  readonly ipamRuns: number;
  /** Whether its configuration may set a time limit for calls. */
  readonly namesLimit: boolean;
  /** The duration in virtual milliseconds. */
  readonly took: number;
  /** Pending timers, which would keep the process alive. */
  readonly timersLeft: number;
  readonly before: Objects;
  readonly after: Objects;
}

/** The ids of the service's objects but for host endpoints. */
export interface Objects {
  readonly networks: readonly string[];
  readonly endpoints: readonly string[];
}

export const namespace = '11111111-2222-4333-8444-555555555555';

/** Runs a request on the simulated service, in this process and on a new clock. */
export async function carryOut(unusual: Unusual): Promise<Ended> {
  const request: Request = { ...usual, ...unusual };
  const { configuration, command, attached, faults } = request;
  const state = await nodeFor(configuration);
  const host = { library: serviceLibrary(state), helper: ipHelperWithoutDll(state), ipam: newIpam() };
  host.ipam.prefix = configuration.within;
  const previous = attached ? await attach(configuration, host) : undefined;
  const before = objectsOf(state);

  const clock = newClock();
  const met: Met = { calls: 0, late: 0, faulty: 0 };
  const wrap = faultsAround(faults, clock.timer, met);
  let ipamRuns = 0;
  const members = { ...configuration.config, ...(previous && { prevResult: previous }), ...request.members };
  const text = JSON.stringify(changed(members, request.changes)) ?? '';
  const stdin = written(text, request.writing);
  const fake: System = {
    ...systemOf(command, stdin, host, clock),
    environment: withDifferences(environmentOf(command), request.environment),
    executable: request.executable,
    spawn: async (_path, environment, given, seconds) => {
      const end = request.ipam[ipamRuns];
      ipamRuns += 1;
      if (end === 'does not start') throw new Error('spawn EACCES');
      if (end !== 'hangs') return end ?? host.ipam.run(environment, given);
      await new Promise<void>((resolve) => clock.timer(seconds * 1000, resolve));
      return { exitCode: null, stdout: '' };
    },
    loadLibrary: async () => {
      if (request.library === 'missing') throw new HcnMissing('computenetwork.dll is missing', 'C:\\x');
      if (request.library === 'unusable') throw new HcnUnavailable('cannot load computenetwork.dll', 'C:\\x');
      return faultyLibrary(host.library, wrap);
    },
    loadIpHelper: async () => faultyIpHelper(host.helper, wrap),
  };
  const outcome = await clock.finish(run(fake));
  const asked = fake.environment['CNI_COMMAND'] ?? '';
  const namesLimit = /hcnTimeoutSeconds/iu.test(text);
  const ended = { ...outcome, command: asked, met, ipamRuns, namesLimit, took: clock.now() };
  return { ...ended, timersLeft: clock.pending(), before, after: objectsOf(state) };
}

/** Without host endpoints, which stay with their network if an ADD fails. */
function objectsOf({ networks, endpoints }: State): Objects {
  const ofNode = new Set(
    [...networks.values()].map(({ document }) => hostEndpointId(String(document['Name']))),
  );
  return {
    networks: [...networks.keys()],
    endpoints: [...endpoints.keys()].filter((id) => !ofNode.has(id)),
  };
}

export interface Simulated {
  readonly library: ComputeNetworkLibrary;
  readonly helper: IpHelper;
  readonly ipam: ReturnType<typeof newIpam>;
}

export async function nodeFor(
  { before }: Configuration,
  switches: HnsOptions['switches'] = {},
): Promise<State> {
  const state = initialState({ switches, adapters: [{ name: 'Ethernet', managementIp: '192.168.1.5' }] });
  createNamespace(state, namespace, { SchemaVersion: { Major: 2, Minor: 0 }, Type: 'Host' });
  if (before === undefined) return state;
  const id = 'aaaaaaaa-0000-4000-8000-000000000000';
  const { hresult } = await serviceLibrary(state).create('Network', id, JSON.stringify(before));
  assert.equal(hresult, 0);
  return state;
}

/** Returns the result of an ADD without deviations; undefined if it failed. */
async function attach({ config }: Configuration, host: Simulated): Promise<Json | undefined> {
  const clock = newClock();
  const stdin = written(JSON.stringify(config), plainWriting);
  const { exitCode, stdout } = await clock.finish(run(systemOf('ADD', stdin, host, clock)));
  return exitCode === 0 ? JSON.parse(stdout) : undefined;
}

export function systemOf(command: string, stdin: Uint8Array, host: Simulated, clock: Clock): System {
  return {
    ...system,
    windows: false,
    environment: environmentOf(command),
    executable: usual.executable,
    readStdin: () => stdin,
    readStdinWithin: async () => stdin,
    writeStderr: () => undefined,
    isFile: (path) => path.startsWith('/opt/cni/bin/'),
    spawn: async (_path, environment, given) => host.ipam.run(environment, given),
    loadLibrary: async () => host.library,
    loadIpHelper: async () => host.helper,
    timer: clock.timer,
    now: clock.now,
    logFile: '',
    openLog: () => () => true,
  };
}

function environmentOf(command: string): Readonly<Record<string, string | undefined>> {
  return {
    CNI_COMMAND: command,
    CNI_CONTAINERID: 'c0ffee',
    CNI_NETNS: namespace,
    CNI_IFNAME: 'eth0',
    CNI_PATH: '/opt/cni/bin',
  };
}

function withDifferences<T extends object>(given: T, differences: object): T {
  return { ...given, ...differences };
}
