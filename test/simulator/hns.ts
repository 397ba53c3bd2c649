// The simulated Host Network Service, for tests and for npm run simulator.

import { setImmediate as turn } from 'node:timers/promises';
import { v4 as uuidv4 } from 'uuid';
import type { ComputeNetworkLibrary } from '../../src/hcn/library.ts';
import type { IpHelper } from '../../src/iphlpapi/ip-helper.ts';
import type { Fault } from './faults.ts';
import { type HostInterface, hostInterfaces } from './host-interfaces.ts';
import { hresultOf } from './hresults.ts';
import type { Latency } from './latency.ts';
import { attachContainer, createNamespace, createSystemNamespace, detachContainer } from './namespaces.ts';
import { nodeRoutes } from './node-routes.ts';
import type { ObservedProfile } from './observed-profile.ts';
import { type OtherPrograms, otherPrograms } from './other-programs.ts';
import { newest, type Profile, type Switches, switchesOf, versions } from './profiles.ts';
import { dropAtRestart, reboot } from './reboot.ts';
import type { JsonObject } from './schema/validate.ts';
import { type Call, Service } from './service.ts';
import { type Adapter, type HnsObject, type NodeRoute, objectsOf, type State } from './state.ts';
import { buildLinuxStub } from './stub/build.ts';
import { documentV2 } from './v2.ts';
import { ipHelperWithoutDll, libraryWithoutDll } from './without-dll.ts';

export type { Fault } from './faults.ts';
export type { HostInterface } from './host-interfaces.ts';
export type { Call } from './service.ts';

export interface HnsOptions {
  /** A built-in profile, or that of an observed node. */
  readonly profile?: Profile | ObservedProfile;
  readonly adapters?: readonly Adapter[];
  /** How long a new overlay network lacks ProviderAddress and DrMacAddress. */
  readonly providerAddressDelayMs?: number;
  /** How long a new transparent network refuses static addresses. */
  readonly staticAddressDelayMs?: number;
  readonly port?: number;
  /** Positions of variants that differ from the profile's. */
  readonly switches?: Partial<Switches>;
}

/** V2 documents in creation order. */
export interface Dump {
  readonly networks: readonly JsonObject[];
  readonly endpoints: readonly JsonObject[];
  readonly namespaces: readonly JsonObject[];
  readonly loadBalancers: readonly JsonObject[];
  readonly openHandles: number;
  readonly clients: number;
}

/** What win-hcn uses of Windows' DLLs. */
export interface WindowsLibraries {
  readonly library: ComputeNetworkLibrary;
  readonly ipHelper: IpHelper;
}

export interface Hns {
  readonly environment: { readonly WIN_HCN_LIBRARY: string; readonly WIN_HCN_SIMULATED_HNS: string };
  readonly address: string;
  readonly calls: readonly Call[];
  /** Returns what the DLLs give a client in this process, without them and without connections. Faults of the IP Helper do not apply. */
  withoutDlls(): WindowsLibraries;
  /** The called functions of the IP Helper, which `calls` omits. */
  readonly ipHelperCalls: readonly string[];
  clearCalls(): void;
  /** Removes the deleted endpoints that HNS still finds. */
  forgetDeleted(): void;
  /** How often clients have created and deleted networks on an adapter since the last call. */
  takeInterruptions(): { readonly creations: number; readonly deletions: number };
  dump(): Dump;
  /** The host's network adapters as the IP Helper reports them. */
  hostInterfaces(): readonly HostInterface[];
  /** The node's route table, including the routes of addresses and gateways. */
  nodeRoutes(): readonly NodeRoute[];
  /** Creates a route as another program does, unlike the IP Helper also a second one to a prefix. */
  addNodeRoute(route: NodeRoute): void;
  /** Disables IPv4 forwarding on every interface, as an administrator may. */
  disableForwarding(): void;
  /** Changes by other programs of the node, such as flanneld. */
  readonly others: OtherPrograms;
  inject(fault: Fault): void;
  clearFaults(): void;
  /** Changes how long calls take. Default: no time. */
  delay(latency: Latency): void;
  /** The functions of calls that hang or are held now. */
  readonly standing: readonly string[];
  /** Resolves when the next call hangs or is held. */
  nextStanding(): Promise<void>;
  /** Lets held calls continue and drops calls that hang. */
  release(): void;
  /** Restarts the service process. */
  restart(): void;
  /** Restarts the service and ends all containers. */
  reboot(): void;
  /** Creates a namespace, as containerd does before ADD. */
  createNamespace(type?: string): string;
  attachContainer(namespaceId: string, containerId: string): void;
  detachContainer(namespaceId: string, containerId: string): void;
  stop(): Promise<void>;
}

export async function startHns(options: HnsOptions = {}): Promise<Hns> {
  const library = buildLinuxStub();
  const service = new Service(initialState(options));
  const { state, faults, holds, connections, calls } = service;
  const address = await connections.listen(options.port ?? 0);
  return {
    environment: { WIN_HCN_LIBRARY: library, WIN_HCN_SIMULATED_HNS: address },
    address,
    calls,
    withoutDlls: () => ({ library: localLibrary(service), ipHelper: ipHelperWithoutDll(state) }),
    ipHelperCalls: service.ipHelperCalls,
    clearCalls: () => {
      calls.length = 0;
    },
    forgetDeleted: () => {
      for (const endpoint of state.endpoints.values())
        if (isLingering(endpoint)) state.endpoints.delete(endpoint.id);
    },
    takeInterruptions: () => {
      const counted = { ...state.interruptions };
      Object.assign(state.interruptions, { creations: 0, deletions: 0 });
      return counted;
    },
    dump: () => dump(service),
    hostInterfaces: () => hostInterfaces(state),
    nodeRoutes: () => nodeRoutes(state),
    addNodeRoute: (route) => void state.nodeRoutes.add(route),
    disableForwarding: () => {
      for (const one of state.interfaces.values()) one.forwarding = false;
    },
    others: otherPrograms(state),
    inject: (fault) => faults.inject(fault),
    clearFaults: () => faults.clear(),
    delay: (latency) => {
      service.pace.latency = latency;
    },
    get standing() {
      return holds.names;
    },
    nextStanding: () => holds.next(),
    release: () => holds.end(false),
    restart: () => restart(service),
    reboot: () => {
      restart(service);
      reboot(state);
    },
    createNamespace: (type = 'Host') =>
      createNamespace(state, undefined, { SchemaVersion: { Major: 2, Minor: 0 }, Type: type }).id,
    attachContainer: (namespaceId, containerId) =>
      attachContainer(state, namespaceId.toLowerCase(), containerId),
    detachContainer: (namespaceId, containerId) =>
      detachContainer(state, namespaceId.toLowerCase(), containerId),
    stop: async () => {
      holds.end(true);
      await connections.close();
    },
  };
}

/** A call takes a turn of the event loop, as on a connection. */
function localLibrary({ connections }: Service): ComputeNetworkLibrary {
  const make = connections.admitLocal();
  return libraryWithoutDll(async (call) => {
    await turn();
    return (await make(call)) ?? { hresult: hresultOf('RPC_S_CALL_FAILED') };
  });
}

function restart({ state, handles, holds, connections }: Service): void {
  connections.dropCalls();
  holds.end(true);
  handles.clear();
  dropAtRestart(state);
}

function releaseOf(profile: Profile | ObservedProfile): Omit<ObservedProfile, 'windows' | 'rows'> {
  return typeof profile === 'string'
    ? { version: versions[profile], switches: switchesOf[profile] }
    : profile;
}

export function initialState(options: HnsOptions): State {
  const { version, switches, ...delays } = releaseOf(options.profile ?? newest);
  const state: State = {
    release: { version, switches: { ...switches, ...options.switches } },
    adapters: options.adapters ?? [{ name: 'Ethernet', managementIp: '10.0.0.4' }],
    providerAddressDelayMs: options.providerAddressDelayMs ?? delays.providerAddressDelayMs ?? 0,
    staticAddressDelayMs: options.staticAddressDelayMs ?? delays.staticAddressDelayMs ?? 0,
    networks: new Map(),
    endpoints: new Map(),
    namespaces: new Map(),
    loadBalancers: new Map(),
    interfaces: new Map(),
    nodeRoutes: new Set(),
    unreleased: new Map(),
    refusedAttachments: new Map(),
    interruptions: { creations: 0, deletions: 0 },
  };
  createSystemNamespace(state, uuidv4());
  return state;
}

/** A deleted endpoint that HNS still finds is not a leftover. */
function isLingering(object: HnsObject): boolean {
  return object.kind === 'Endpoint' && object.lingering !== undefined;
}

function dump({ state, handles, connections }: Service): Dump {
  const documents = (objects: Map<string, HnsObject>): JsonObject[] =>
    [...objects.values()].filter((object) => !isLingering(object)).map((object) => documentV2(state, object));
  return {
    networks: documents(objectsOf(state, 'Network')),
    endpoints: documents(objectsOf(state, 'Endpoint')),
    namespaces: documents(objectsOf(state, 'Namespace')),
    loadBalancers: documents(objectsOf(state, 'LoadBalancer')),
    openHandles: handles.count,
    clients: connections.clientCount,
  };
}
