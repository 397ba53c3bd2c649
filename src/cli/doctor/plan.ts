import { CniError } from '../../cni/error.ts';
import { readIpamType } from '../../config/essential-keys.ts';
import type { NetworkConfig, PortMappingConfig } from '../../config/network-config.ts';
import { pluginName } from '../../config/open-config.ts';
import type { HostComputeEndpoint, ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import { isObject } from '../../json/members.ts';
import { isHostEndpoint } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { selectHostNamespace, usualInterface } from '../../model/ownership.ts';
import { parseAddress } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { protocolNumbers } from '../../net/protocols.ts';
import type { Assignment } from '../../plan/endpoint-addresses.ts';
import { planEndpoint } from '../../plan/endpoint-plan.ts';
import { encapOverhead, needsAdapters, resolveAdapterName } from '../../plan/network-adapter.ts';
import { type Difference, networkDifferences } from '../../plan/network-differences.ts';
import { type IdentifiedNetwork, planNetwork } from '../../plan/network-plan.ts';
import { isInRange, readRangeSets } from '../conflist/host-local-ranges.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import type { EndpointRow } from '../inventory/endpoint-row.ts';
import { known, NotObserved } from './finding.ts';
import type { Snapshot } from './snapshot.ts';

/** Why a check that compares with the configuration has no result. */
export const noConfiguration = 'no valid configuration for win-hcn';

/** What ADD would do with the configured network: use or create it, or fail, because it differs or for another reason. */
export type ExpectedNetwork = {
  readonly config: NetworkConfig;
  readonly inventory: Inventory;
  readonly adapters: readonly HostAdapter[];
  readonly found: ObservedNetwork | undefined;
} & (
  | { readonly is: 'planned'; readonly network: IdentifiedNetwork }
  | { readonly is: 'different'; readonly found: ObservedNetwork; readonly differences: readonly Difference[] }
  | { readonly is: 'refused'; readonly error: CniError }
);

/**
 * Plans the configured network as ADD and STATUS do; undefined if no file is for win-hcn. Throws NotObserved without a valid configuration
 * and if HCN's objects or adapters are needed and unknown.
 */
export function expectedNetwork({
  configuration,
  inventory,
  adapters,
}: Snapshot): ExpectedNetwork | undefined {
  const { network: config, files, used } = configuration;
  if (config === undefined) {
    if ('value' in files && used === undefined) return undefined;
    throw new NotObserved(noConfiguration);
  }
  const objects = known(inventory);
  const { networks, unreadable = [] } = objects;
  const found = networks.find(({ Name }) => Name === config.name);
  if (found === undefined && unreadable.some(({ kind }) => kind === 'Network'))
    throw new NotObserved('HCN did not return every network');
  const hostAdapters = needsAdapters(config, found)
    ? known(adapters)
    : 'value' in adapters
      ? adapters.value
      : [];
  const common = { config, found, inventory: objects, adapters: hostAdapters };
  try {
    const differences =
      found === undefined
        ? []
        : networkDifferences(config, resolveAdapterName(config, found, hostAdapters), found);
    if (found !== undefined && differences.length > 0)
      return { is: 'different', ...common, found, differences };
    const { planned } = planNetwork(config, found, hostAdapters);
    encapOverhead(config, planned, hostAdapters);
    return { is: 'planned', ...common, network: planned };
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    return { is: 'refused', ...common, error };
  }
}

/** That network, if ADD has not created it yet. */
export function missingNetwork(snapshot: Snapshot): readonly IdentifiedNetwork[] {
  if (snapshot.configuration.network === undefined || 'error' in snapshot.adapters) return [];
  const expected = expectedNetwork(snapshot);
  return expected?.is === 'planned' && expected.found === undefined ? [expected.network] : [];
}

/** The endpoint that ADD would create for a pod with this address, and what of it the configuration decides. */
export interface ExpectedEndpoint {
  readonly document: HostComputeEndpoint;
  /** False if the runtime may have set others for the pod. */
  readonly decidesDns: boolean;
}

/**
 * Plans a pod's endpoint as ADD does, with the address and the port mappings that it has: the runtime chose these. Gateways and routes of
 * an IPAM plugin whose result is not known are taken from the endpoint. Throws CniError as `planEndpoint` does.
 */
export function expectedEndpoint(
  { config, network, adapters }: ExpectedNetwork & { readonly is: 'planned' },
  plugin: ListedPlugin | undefined,
  endpoint: ObservedEndpoint,
  { container = '', interface: ifname = usualInterface }: EndpointRow,
): ExpectedEndpoint {
  const capabilities = plugin?.config['capabilities'];
  const portMappings = portMappingsOf(endpoint);
  const attachment = { containerId: container, ifname, network: config.name };
  const assignment = assignmentOf(plugin, endpoint);
  const { step } = planEndpoint({ ...config, portMappings }, attachment, network, adapters, assignment);
  return {
    document: step.document,
    decidesDns: !(isObject(capabilities) && capabilities['dns'] === true),
  };
}

function assignmentOf(plugin: ListedPlugin | undefined, endpoint: ObservedEndpoint): Assignment {
  const { IpConfigurations = [], Routes = [] } = endpoint;
  const ips = IpConfigurations.map(({ IpAddress, PrefixLength }) => ({
    address: PrefixLength === undefined ? IpAddress : `${IpAddress}/${PrefixLength}`,
  }));
  const type = plugin && readIpamType(plugin.config);
  const ipam = plugin?.config['ipam'];
  if (type === undefined) return { ips, routes: [], dns: {} };
  if (pluginName(type) !== 'host-local' || !isObject(ipam)) {
    const routes = Routes.map(({ DestinationPrefix, NextHop }) => ({ dst: DestinationPrefix, gw: NextHop }));
    return { ips, routes, dns: {} };
  }
  const ranges = readRangeSets(ipam).sets.flat();
  const given: readonly unknown[] = Array.isArray(ipam['routes']) ? ipam['routes'] : [];
  return {
    ips: ips.map((ip) => {
      const address = parseAddress(ip.address.replace(/\/.*/, '')) ?? '';
      const gateway = ranges.find((range) => isInRange(range, address))?.gateway;
      return { ...ip, ...(gateway !== undefined && { gateway }) };
    }),
    routes: given.flatMap((route) => {
      if (!isObject(route) || typeof route['dst'] !== 'string') return [];
      const { dst, gw } = route;
      return [{ dst, ...(typeof gw === 'string' && { gw }) }];
    }),
    dns: {},
  };
}

/** A pod's port mappings, which only its runtime knows: ACLs of the configuration depend on them. */
function portMappingsOf({ Policies = [] }: ObservedEndpoint): readonly PortMappingConfig[] {
  return Policies.filter((policy) => isPolicyOf('PortMapping', policy)).map(({ Settings = {} }) => ({
    protocol: Settings['Protocol'] === protocolNumbers.udp ? 'udp' : 'tcp',
    hostPort: Number(Settings['ExternalPort']),
    containerPort: Number(Settings['InternalPort']),
  }));
}

/** The node's own endpoint on a network, by win-hcn or another program, if it is attached. */
export function attachedHostEndpoint(
  { ID, Name }: ObservedNetwork,
  { endpoints, namespaces }: Inventory,
): ObservedEndpoint | undefined {
  const host = selectHostNamespace(namespaces)?.ID;
  return endpoints.find(
    ({ ID: id, Name: name, HostComputeNetwork, HostComputeNamespace }) =>
      HostComputeNetwork === ID &&
      isHostEndpoint({ id, name }, Name) &&
      host !== undefined &&
      HostComputeNamespace === host,
  );
}
