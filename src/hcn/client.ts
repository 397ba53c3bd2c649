import {
  documentText,
  type HnsVersion,
  type HostComputeEndpoint,
  type HostComputeLoadBalancer,
  type HostComputeNamespace,
  type HostComputeNetwork,
  hostPortsIn,
  type ModifyNamespaceSettingRequest,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  type ObservedNetwork,
  type PoliciesRequest,
  type Policy,
  version1Query,
} from './documents.ts';
import { HcnError, isOfOneObject, parseResponse, requireValue } from './errors.ts';
import type { EndpointId, Guid, LoadBalancerId, NamespaceId, NetworkId } from './guid.ts';
import { isNetworkNotFound, isNotAttached, isNotFound, isPolicyNotFound } from './hresults.ts';
import type { ComputeNetworkLibrary, HcnResponse } from './library.ts';
import { describeObject, type OnUnreadable, OpenObjects } from './open-objects.ts';
import {
  readEndpoint,
  readLoadBalancer,
  readManagementAddress,
  readNamespace,
  readNetwork,
  readVersion,
} from './read-document.ts';

/**
 * Reads HCN's objects as typed documents. An absent object is undefined; every other failure is an HcnError, an HcnTimeout, or
 * HcnInvalidResponse for a response that cannot be read.
 */
export interface HcnReader {
  findNetwork(name: string): Promise<ObservedNetwork | undefined>;
  findNetworkById(id: NetworkId): Promise<ObservedNetwork | undefined>;
  findNetworks(except?: NetworkId): Promise<readonly ObservedNetwork[]>;
  /** The address of the node on a network; undefined until HNS has set it. Only HNS's V1 documents have it. */
  findManagementAddress(id: NetworkId): Promise<string | undefined>;
  findEndpoint(id: EndpointId): Promise<ObservedEndpoint | undefined>;
  /** Whether the endpoint found last is the one that this process created, not a later one with the same ID. */
  isCreatedEndpoint(id: EndpointId): boolean;
  findEndpoints(): Promise<readonly ObservedEndpoint[]>;
  findEndpointsByName(name: string): Promise<readonly EndpointId[]>;
  findEndpointsOfNetwork(network: NetworkId): Promise<readonly EndpointId[]>;
  /** Returns whether the namespace exists; keeps it open for `addEndpoint`. */
  openNamespace(id: NamespaceId): Promise<boolean>;
  findNamespace(id: NamespaceId): Promise<HostComputeNamespace | undefined>;
  findNamespaces(): Promise<readonly HostComputeNamespace[]>;
  /** The namespaces with `IsDefault`, including the host namespace. */
  findDefaultNamespaces(): Promise<readonly HostComputeNamespace[]>;
  findLoadBalancer(id: LoadBalancerId): Promise<ObservedLoadBalancer | undefined>;
  findLoadBalancers(): Promise<readonly ObservedLoadBalancer[]>;
  /** The version of the Host Network Service, queried once. */
  version(): Promise<HnsVersion>;
}

/**
 * Reads and changes HCN's objects; only steps do that (src/steps). HNS may choose another id for a created object: the `find` of its
 * kind with the requested id then returns the object with its actual `ID`. Each `delete` returns whether the object existed.
 */
export interface HcnClient extends HcnReader {
  createNetwork(id: NetworkId, document: HostComputeNetwork): Promise<void>;
  addNetworkPolicies(network: NetworkId, policies: readonly Policy[]): Promise<void>;
  /** HNS compares the policies with its own: they must be as HNS returned them. */
  removeNetworkPolicies(network: NetworkId, policies: readonly Policy[]): Promise<void>;
  deleteNetwork(id: NetworkId): Promise<void>;
  createEndpoint(network: NetworkId, id: EndpointId, document: HostComputeEndpoint): Promise<void>;
  addPolicies(endpoint: EndpointId, policies: readonly Policy[]): Promise<void>;
  deleteEndpoint(id: EndpointId): Promise<boolean>;
  createNamespace(id: NamespaceId, document: HostComputeNamespace): Promise<void>;
  /** The namespace's endpoints remain, in no namespace. */
  deleteNamespace(id: NamespaceId): Promise<boolean>;
  addEndpoint(namespace: NamespaceId, endpoint: EndpointId): Promise<void>;
  /** Returns whether the endpoint was in the namespace. */
  removeEndpoint(namespace: NamespaceId, endpoint: EndpointId): Promise<boolean>;
  createLoadBalancer(id: LoadBalancerId, document: HostComputeLoadBalancer): Promise<void>;
  deleteLoadBalancer(id: LoadBalancerId): Promise<boolean>;
}

/** A client that keeps the objects it opens open. `onUnreadable`: see `OpenObjects`. */
export function hcnClient(library: ComputeNetworkLibrary, onUnreadable?: OnUnreadable): HcnClient {
  const objects = new OpenObjects(library, onUnreadable);
  let version: Promise<HnsVersion> | undefined;
  return {
    ...networkCalls(objects),
    ...endpointCalls(objects),
    ...namespaceCalls(objects),
    ...loadBalancerCalls(objects),
    version: () => {
      version ??= queryVersion(library);
      return version;
    },
  };
}

function networkCalls(objects: OpenObjects) {
  const findNetworkById = (id: NetworkId) => objects.find('Network', id, readNetwork);
  return {
    findNetworkById,
    findNetworks: async (except) => {
      const ids = (await objects.enumerate('Network')).filter((id) => id !== except);
      return objects.findEach('Network', ids, readNetwork);
    },
    findManagementAddress: (id) => objects.query('Network', id, version1Query, readManagementAddress),
    findNetwork: async (name) => {
      let failure: unknown;
      for (const id of await objects.enumerate('Network', { Name: name })) {
        const network = await findNetworkById(id).catch((error: unknown) => {
          if (!isOfOneObject(error)) throw error;
          failure ??= error;
          return undefined;
        });
        if (network?.Name.toLowerCase() === name.toLowerCase()) return network;
      }
      if (failure !== undefined) throw failure;
      return undefined;
    },
    createNetwork: (id, document) =>
      objects.create('Network', id, document, `${document.Type} network "${document.Name}" as`),
    addNetworkPolicies: (id, policies) => modifyPolicies(objects, 'Add', 'Network', id, policies),
    removeNetworkPolicies: (id, policies) => modifyPolicies(objects, 'Remove', 'Network', id, policies),
    deleteNetwork: async (id) => {
      await objects.remove('Network', id);
    },
  } satisfies Partial<HcnClient>;
}

function endpointCalls(objects: OpenObjects) {
  return {
    findEndpoint: (id) => objects.find('Endpoint', id, readEndpoint),
    isCreatedEndpoint: (id) => objects.isCreated('Endpoint', id),
    findEndpoints: async () =>
      objects.findEach('Endpoint', await objects.enumerate('Endpoint'), readEndpoint),
    findEndpointsByName: (name) => objects.enumerate('Endpoint', { Name: name }),
    findEndpointsOfNetwork: (network) => objects.enumerate('Endpoint', { VirtualNetwork: network }),
    createEndpoint: async (network, id, document) => {
      const response = await objects.mustUse('Network', network, (handle) =>
        objects.library.createEndpoint(handle, id, documentText(document)),
      );
      const { Name, IpConfigurations: [{ IpAddress: address } = {}] = [] } = document;
      const given = { address, hostPorts: hostPortsIn(document.Policies) };
      objects.keepCreated(requireValue(response, `creating endpoint "${Name}" as ${id}`, given), Name);
    },
    addPolicies: (id, policies) => modifyPolicies(objects, 'Add', 'Endpoint', id, policies),
    deleteEndpoint: (id) => objects.remove('Endpoint', id),
  } satisfies Partial<HcnClient>;
}

function namespaceCalls(objects: OpenObjects) {
  const modifyNamespace = async (
    namespace: NamespaceId,
    RequestType: ModifyNamespaceSettingRequest['RequestType'],
    endpoint: EndpointId,
  ): Promise<HcnResponse> => {
    const Settings = { EndpointId: endpoint };
    const request: ModifyNamespaceSettingRequest = { ResourceType: 'Endpoint', RequestType, Settings };
    return objects.mustUse('Namespace', namespace, (handle) =>
      objects.library.modify(handle, JSON.stringify(request)),
    );
  };
  const findEach = (ids: readonly NamespaceId[]) => objects.findEach('Namespace', ids, readNamespace);
  return {
    openNamespace: async (id) => (await objects.open('Namespace', id)) !== undefined,
    findNamespace: (id) => objects.find('Namespace', id, readNamespace),
    findNamespaces: async () => findEach(await objects.enumerate('Namespace')),
    findDefaultNamespaces: async () => findEach(await objects.enumerate('Namespace', { IsDefault: true })),
    createNamespace: (id, document) => objects.create('Namespace', id, document, 'namespace'),
    deleteNamespace: (id) => objects.remove('Namespace', id),
    addEndpoint: async (namespace, endpoint) => {
      const response = await modifyNamespace(namespace, 'Add', endpoint);
      requireValue(response, `adding endpoint ${endpoint} to namespace ${namespace}`);
    },
    removeEndpoint: async (namespace, endpoint) => {
      const response = await modifyNamespace(namespace, 'Remove', endpoint);
      if (isNotAttached(response.hresult)) return false;
      requireValue(response, `removing endpoint ${endpoint} from namespace ${namespace}`);
      return true;
    },
  } satisfies Partial<HcnClient>;
}

function loadBalancerCalls(objects: OpenObjects) {
  const findLoadBalancer = (id: LoadBalancerId) => objects.find('LoadBalancer', id, readLoadBalancer);
  return {
    findLoadBalancer,
    findLoadBalancers: async () =>
      objects.findEach('LoadBalancer', await objects.enumerate('LoadBalancer'), readLoadBalancer),
    createLoadBalancer: (id, document) => objects.create('LoadBalancer', id, document, 'load balancer'),
    deleteLoadBalancer: async (id) => {
      const { hresult, errorRecord } = await objects.delete('LoadBalancer', id);
      // Windows Server 2019 refuses to delete a load balancer whose network is gone (Azure/aks-engine#3956).
      const isAbsent = isNetworkNotFound(hresult)
        ? (await findLoadBalancer(id)) === undefined
        : isNotFound(hresult) || isPolicyNotFound(hresult);
      if (isAbsent) return false;
      requireValue({ hresult, value: true, errorRecord }, `deleting load balancer ${id}`);
      return true;
    },
  } satisfies Partial<HcnClient>;
}

/** Adds policies to a network or endpoint, or removes them. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#ModifyNetworkSettingRequest */
async function modifyPolicies(
  objects: OpenObjects,
  RequestType: PoliciesRequest['RequestType'],
  kind: 'Network' | 'Endpoint',
  id: Guid,
  Policies: readonly Policy[],
): Promise<void> {
  const request: PoliciesRequest = { ResourceType: 'Policy', RequestType, Settings: { Policies } };
  const action = RequestType === 'Add' ? 'adding policies to' : 'removing policies from';
  const response = await objects.mustUse(kind, id, (handle) =>
    objects.library.modify(handle, documentText(request)),
  );
  requireValue(response, `${action} ${describeObject(kind, id)}`, { hostPorts: hostPortsIn(Policies) });
}

/** Asks the Host Network Service for its version. Throws as HCN does, and HcnError if it reports a failure with S_OK. */
export async function queryVersion(library: Pick<ComputeNetworkLibrary, 'hnsCall'>): Promise<HnsVersion> {
  const action = "querying the Host Network Service's version";
  const json = requireValue(await library.hnsCall('GET', '/globals/version', ''), action);
  const version = parseResponse(action, () => readVersion(json));
  if (version === undefined) throw new HcnError(action, 0, json);
  return version;
}
