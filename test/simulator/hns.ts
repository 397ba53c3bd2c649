// The simulated Host Network Service, for tests and for npm run simulator.

import { v4 as uuidv4 } from 'uuid';
import type { Fault } from './faults.ts';
import { type HostInterface, hostInterfaces } from './host-interfaces.ts';
import { attachContainer, createNamespace, createSystemNamespace, detachContainer } from './namespaces.ts';
import { newest, type Profile, type Switches, switchesOf, versions } from './profiles.ts';
import { dropNonPersistent, reboot } from './reboot.ts';
import type { JsonObject } from './schema/validate.ts';
import { type Call, Service } from './service.ts';
import { type Adapter, type HnsObject, objectsOf, type PortInUse, type State } from './state.ts';
import { buildLinuxStub } from './stub/build.ts';
import { documentV2 } from './v2.ts';

export type { Fault } from './faults.ts';
export type { HostInterface } from './host-interfaces.ts';
export type { Call } from './service.ts';

export interface HnsOptions {
  readonly profile?: Profile;
  readonly adapters?: readonly Adapter[];
  /** How long an overlay network is without its ProviderAddress and DrMacAddress. */
  readonly providerAddressDelayMs?: number;
  /** How long a transparent network refuses static addresses. */
  readonly staticAddressDelayMs?: number;
  readonly port?: number;
  /** Ports of the node's processes, which port mappings and load balancers on the node's addresses cannot use. */
  readonly portsInUse?: readonly PortInUse[];
  /** Behaviour that differs from the profile's. */
  readonly switches?: Partial<Switches>;
}

/** V2 documents in creation order. */
export interface Dump {
  readonly networks: readonly JsonObject[];
  readonly endpoints: readonly JsonObject[];
  readonly namespaces: readonly JsonObject[];
  readonly loadBalancers: readonly JsonObject[];
  readonly routes: readonly JsonObject[];
  readonly openHandles: number;
  readonly clients: number;
  readonly calls: number;
}

export interface Hns {
  readonly environment: { readonly WIN_HCN_LIBRARY: string; readonly WIN_HCN_SIMULATED_HNS: string };
  readonly address: string;
  readonly calls: readonly Call[];
  /** The names of the functions of the IP Helper that were called, which `calls` leaves out. */
  readonly ipHelperCalls: readonly string[];
  clearCalls(): void;
  dump(): Dump;
  /** The host's network adapters, as its IP Helper shows them. */
  hostInterfaces(): readonly HostInterface[];
  /** What an administrator does who turns IPv4 forwarding off on every interface. */
  disableForwarding(): void;
  /** Throws when the fault could never happen. */
  inject(fault: Fault): void;
  clearFaults(): void;
  /** The functions whose calls hang or are held. */
  readonly standing: readonly string[];
  /** Until the next call hangs or is held. */
  nextStanding(): Promise<void>;
  /** Calls that are held go on; those that hang are lost. */
  release(): void;
  /** What remains after the service's process has been replaced. */
  restart(): void;
  /** A restart that takes the containers along. */
  reboot(): void;
  /** What containerd does before ADD. */
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
    ipHelperCalls: service.ipHelperCalls,
    clearCalls: () => {
      calls.length = 0;
    },
    dump: () => dump(service),
    hostInterfaces: () => hostInterfaces(state),
    disableForwarding: () => {
      for (const one of state.interfaces.values()) one.forwarding = false;
    },
    inject: (fault) => faults.inject(fault),
    clearFaults: () => faults.clear(),
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

function restart({ state, handles, holds, connections }: Service): void {
  connections.dropCalls();
  holds.end(true);
  handles.clear();
  dropNonPersistent(state);
}

export function initialState(options: HnsOptions): State {
  const profile = options.profile ?? newest;
  const state: State = {
    release: { version: versions[profile], switches: { ...switchesOf[profile], ...options.switches } },
    adapters: options.adapters ?? [{ name: 'Ethernet', managementIp: '10.0.0.4' }],
    providerAddressDelayMs: options.providerAddressDelayMs ?? 0,
    staticAddressDelayMs: options.staticAddressDelayMs ?? 0,
    networks: new Map(),
    endpoints: new Map(),
    namespaces: new Map(),
    loadBalancers: new Map(),
    routes: new Map(),
    interfaces: new Map(),
    portsInUse: options.portsInUse ?? [],
    unreleased: new Set(),
    refusedAttachments: new Map(),
    returning: undefined,
  };
  createSystemNamespace(state, uuidv4());
  return state;
}

function dump({ state, handles, connections, calls }: Service): Dump {
  const documents = (objects: Map<string, HnsObject>): JsonObject[] =>
    [...objects.values()].map((object) => structuredClone(documentV2(state, object)));
  return {
    networks: documents(objectsOf(state, 'Network')),
    endpoints: documents(objectsOf(state, 'Endpoint')),
    namespaces: documents(objectsOf(state, 'Namespace')),
    loadBalancers: documents(objectsOf(state, 'LoadBalancer')),
    routes: documents(objectsOf(state, 'SdnRoute')),
    openHandles: handles.count,
    clients: connections.clientCount,
    calls: calls.length,
  };
}
