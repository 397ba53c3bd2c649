import type { HcnReader } from '../hcn/client.ts';
import type {
  HostComputeNamespace,
  ObservedEndpoint,
  ObservedLoadBalancer,
  ObservedNetwork,
} from '../hcn/documents.ts';
import type { EndpointId, Guid, Kind, NamespaceId } from '../hcn/guid.ts';

/** What previewed steps would create, change or delete; undefined for a deleted object. */
type Objects<K extends Kind, T> = Map<Guid<K>, T | undefined>;

/** HCN as it would be after the previewed steps. */
export interface PreviewedHcn extends HcnReader {
  /** HCN as it is. */
  readonly actual: HcnReader;
  readonly networks: Objects<'Network', ObservedNetwork>;
  readonly endpoints: Objects<'Endpoint', ObservedEndpoint>;
  readonly namespaces: Objects<'Namespace', HostComputeNamespace & { readonly ID: NamespaceId }>;
  readonly loadBalancers: Objects<'LoadBalancer', ObservedLoadBalancer>;
}

/** Reads HCN, with the effects of previewed steps, which the maps hold. */
export function previewedHcn(hcn: HcnReader): PreviewedHcn {
  const networks: PreviewedHcn['networks'] = new Map();
  const endpoints: PreviewedHcn['endpoints'] = new Map();
  const namespaces: PreviewedHcn['namespaces'] = new Map();
  const loadBalancers: PreviewedHcn['loadBalancers'] = new Map();
  const endpointIds = (ids: readonly EndpointId[], matches: (endpoint: ObservedEndpoint) => boolean) => [
    ...ids.filter((id) => !endpoints.has(id)),
    ...present(endpoints)
      .filter(matches)
      .map(({ ID }) => ID),
  ];
  return {
    actual: hcn,
    networks,
    endpoints,
    namespaces,
    loadBalancers,
    findNetwork: async (name) =>
      present(networks).find(({ Name }) => Name === name) ?? without(await hcn.findNetwork(name), networks),
    findNetworkById: (id) => one(networks, id, hcn.findNetworkById),
    findNetworks: async () => all(await hcn.findNetworks(), networks),
    findManagementAddress: async (id) => (networks.has(id) ? undefined : hcn.findManagementAddress(id)),
    findEndpoint: (id) => one(endpoints, id, hcn.findEndpoint),
    isCreatedEndpoint: (id) => endpoints.get(id) !== undefined,
    findEndpoints: async () => all(await hcn.findEndpoints(), endpoints),
    findEndpointsByName: async (name) =>
      endpointIds(await hcn.findEndpointsByName(name), ({ Name }) => Name === name),
    findEndpointsOfNetwork: async (network) =>
      endpointIds(
        networks.has(network) ? [] : await hcn.findEndpointsOfNetwork(network),
        ({ HostComputeNetwork }) => HostComputeNetwork === network,
      ),
    openNamespace: async (id) =>
      namespaces.has(id) ? namespaces.get(id) !== undefined : hcn.openNamespace(id),
    findNamespace: (id) => one(namespaces, id, hcn.findNamespace),
    findNamespaces: async () => all(await hcn.findNamespaces(), namespaces),
    findDefaultNamespaces: async () =>
      (await hcn.findDefaultNamespaces()).filter(({ ID = '' }) => !namespaces.has(ID)),
    findLoadBalancer: (id) => one(loadBalancers, id, hcn.findLoadBalancer),
    findLoadBalancers: async () => all(await hcn.findLoadBalancers(), loadBalancers),
    version: hcn.version,
  };
}

function present<K extends Kind, T>(objects: Objects<K, T>): readonly T[] {
  return [...objects.values()].filter((object) => object !== undefined);
}

async function one<K extends Kind, T>(
  objects: Objects<K, T>,
  id: Guid<K>,
  find: (id: Guid<K>) => Promise<T | undefined>,
): Promise<T | undefined> {
  return objects.has(id) ? objects.get(id) : find(id);
}

function without<K extends Kind, T extends { readonly ID?: Guid<K> }>(
  object: T | undefined,
  objects: Objects<K, unknown>,
): T | undefined {
  return object?.ID !== undefined && objects.has(object.ID) ? undefined : object;
}

function all<K extends Kind, T extends { readonly ID?: Guid<K> }>(
  found: readonly T[],
  objects: Objects<K, T>,
): readonly T[] {
  return [...found.filter(({ ID = '' }) => !objects.has(ID)), ...present(objects)];
}
