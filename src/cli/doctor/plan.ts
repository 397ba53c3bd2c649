import { CniError } from '../../cni/error.ts';
import type { Route as CniRoute } from '../../cni/result.ts';
import { readIpamType } from '../../config/essential-keys.ts';
import type { NetworkConfig, PortMappingConfig } from '../../config/network-config.ts';
import { pluginName } from '../../config/open-config.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import { foldKeys, isObject, type JsonObject } from '../../json/members.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { isRemote, usualInterface } from '../../model/ownership.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { protocolNumbers } from '../../net/protocols.ts';
import type { Assignment } from '../../plan/endpoint-addresses.ts';
import { planEndpoint } from '../../plan/endpoint-plan.ts';
import { checkFeatures } from '../../plan/features.ts';
import { encapOverhead, needsAdapters } from '../../plan/network-adapter.ts';
import { type IdentifiedNetwork, planNetwork } from '../../plan/network-plan.ts';
import { isInRange, readRangeSets } from '../conflist/host-local-ranges.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import type { EndpointRow } from '../inventory/endpoint-row.ts';
import { isHostEndpoint } from '../traffic/node-state.ts';
import { known, NotObserved } from './finding.ts';
import type { Snapshot } from './snapshot.ts';

/** Why a check that compares with the configuration has no result. */
export const noConfiguration = 'no valid configuration for win-hcn';

/** A network that ADD uses, or creates if it is not found. */
export interface PlannedNetwork {
  readonly config: NetworkConfig;
  readonly inventory: Inventory;
  readonly adapters: readonly HostAdapter[];
  readonly found: ObservedNetwork | undefined;
  readonly network: IdentifiedNetwork;
}

/** A network that ADD uses. */
export type UsedNetwork = PlannedNetwork & { readonly found: ObservedNetwork };

/** A network that ADD refuses. */
export type RefusedNetwork = Omit<PlannedNetwork, 'network'> & { readonly error: CniError };

/**
 * Plans the configured network as ADD and STATUS do; undefined if all files are for other plugins. Throws NotObserved without a valid
 * configuration and if HCN's objects or adapters are needed and unknown.
 */
export function expectedNetwork(snapshot: Snapshot): PlannedNetwork | RefusedNetwork | undefined {
  const { configuration, inventory, adapters, version } = snapshot;
  const { network: config, files, used } = configuration;
  if (config === undefined) {
    if ('value' in files && files.value.length > 0 && used === undefined) return undefined;
    throw new NotObserved(noConfiguration);
  }
  const objects = known(inventory);
  const { networks, unreadable = [] } = objects;
  const found = networks.find(({ Name }) => Name === config.name);
  if (found === undefined && unreadable.some(({ kind }) => kind === 'Network'))
    throw new NotObserved('HCN did not return every network');
  const hostAdapters = 'value' in adapters || needsAdapters(config, found) ? known(adapters) : [];
  const common = { config, found, inventory: objects, adapters: hostAdapters };
  try {
    const { planned, required } = planNetwork(config, found, hostAdapters);
    encapOverhead(config, planned, hostAdapters);
    if ('value' in version) checkFeatures(required, version.value);
    return { ...common, network: planned };
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    return { ...common, error };
  }
}

/** The configured network, if it exists and ADD uses it. Throws as expectedNetwork does. */
export function usedNetwork(snapshot: Snapshot): UsedNetwork | undefined {
  const expected = expectedNetwork(snapshot);
  if (expected === undefined || 'error' in expected || expected.found === undefined) return undefined;
  return { ...expected, found: expected.found };
}

/** The configured network, if ADD has not created it yet. */
export function missingNetwork(snapshot: Snapshot): readonly IdentifiedNetwork[] {
  if (snapshot.configuration.network === undefined || 'error' in snapshot.adapters) return [];
  const expected = expectedNetwork(snapshot);
  if (expected === undefined || 'error' in expected || expected.found !== undefined) return [];
  return [expected.network];
}

/**
 * Plans a pod's endpoint as ADD does, with the address and the port mappings that it has: the runtime chose these. Routes that an IPAM
 * plugin may have returned are taken from the endpoint. Throws CniError as `planEndpoint` does.
 */
export function expectedEndpoint(
  { config, network, adapters }: PlannedNetwork,
  plugin: ListedPlugin | undefined,
  endpoint: ObservedEndpoint,
  { container = '', interface: ifname = usualInterface }: EndpointRow,
) {
  const { capabilities, ipam } = plugin?.config ?? {};
  const type = plugin && readIpamType(plugin.config);
  const isHostLocal = type !== undefined && pluginName(type) === 'host-local';
  const hostLocal = isHostLocal && isObject(ipam) ? foldKeys(ipam) : undefined;
  const decidesRoutes = type === undefined || hostLocal !== undefined;
  const { step } = planEndpoint(
    { ...config, portMappings: portMappingsOf(endpoint) },
    { containerId: container, ifname, network: config.name },
    network,
    adapters,
    assignmentOf(endpoint, hostLocal, decidesRoutes),
  );
  return {
    document: step.document,
    /** False if the runtime may have set others for the pod. */
    decidesDns: !(isObject(capabilities) && capabilities['dns'] === true),
    /** False if an IPAM plugin chose the gateway and the routes. */
    decidesRoutes,
  };
}

/** The endpoint that ADD would create for a pod with this address, and what of it the configuration decides. */
export type ExpectedEndpoint = ReturnType<typeof expectedEndpoint>;

/** The assignment of an IPAM plugin, or of none: the addresses of the endpoint, with the gateway and routes that host-local returns for them. */
function assignmentOf(
  { IpConfigurations = [], Routes = [] }: ObservedEndpoint,
  hostLocal: JsonObject | undefined,
  decidesRoutes: boolean,
): Assignment {
  const ranges = hostLocal === undefined ? [] : readRangeSets(hostLocal).sets.flat();
  const ips = IpConfigurations.map(({ IpAddress, PrefixLength }) => {
    const address = PrefixLength === undefined ? IpAddress : `${IpAddress}/${PrefixLength}`;
    const gateway = ranges.find((range) => isInRange(range, IpAddress))?.gateway;
    return { address, ...(gateway !== undefined && { gateway }) };
  });
  const given = Routes.map(({ DestinationPrefix, NextHop }) => ({ dst: DestinationPrefix, gw: NextHop }));
  return { ips, routes: decidesRoutes ? routesOf(hostLocal) : given, dns: {} };
}

/** The routes of host-local's configuration, which it returns as they are. */
function routesOf({ routes }: JsonObject = {}): readonly CniRoute[] {
  const list: readonly unknown[] = Array.isArray(routes) ? routes : [];
  return list.filter(isObject).flatMap(({ dst, gw }) => {
    if (typeof dst !== 'string') return [];
    return typeof gw === 'string' ? [{ dst, gw }] : [{ dst }];
  });
}

/** A pod's port mappings, which only its runtime knows: ACLs of the configuration depend on them. */
function portMappingsOf({ Policies = [] }: ObservedEndpoint): readonly PortMappingConfig[] {
  return Policies.filter((policy) => isPolicyOf('PortMapping', policy)).map(({ Settings = {} }) => ({
    protocol: Settings['Protocol'] === protocolNumbers.udp ? 'udp' : 'tcp',
    hostPort: Number(Settings['ExternalPort']),
    containerPort: Number(Settings['InternalPort']),
  }));
}

/** The node's own endpoints on a network, by win-hcn or another program. */
export function hostEndpointsOn(
  { ID }: ObservedNetwork,
  inventory: Inventory,
  adapters: readonly HostAdapter[],
): readonly ObservedEndpoint[] {
  return inventory.endpoints.filter(
    (one) => one.HostComputeNetwork === ID && !isRemote(one) && isHostEndpoint(one, { inventory, adapters }),
  );
}
