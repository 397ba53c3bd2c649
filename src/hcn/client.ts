import type { OnIgnored } from './document-members.ts';
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
import { findValue, type Given, isOfOneObject, requireValue } from './errors.ts';
import type { EndpointId, Guid, Kind, LoadBalancerId, NamespaceId, NetworkId } from './guid.ts';
import type { Created } from './hresults/meaning.ts';
import { isNotAttached } from './hresults.ts';
import type { ComputeNetworkLibrary, HcnResponse } from './library.ts';
import { readLoadBalancerDeletion } from './load-balancer-deletion.ts';
import { describeObject, openObjects } from './open-objects.ts';
import { queryVersion } from './query-version.ts';
import {
  readEndpoint,
  readLoadBalancer,
  readManagementAddress,
  readNamespace,
  readNetwork,
} from './read-document.ts';
import { reportOnce, type UnreadableEvents } from './unreadable.ts';

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

type Read<T> = (json: string, onIgnored: OnIgnored) => T;

/** A client that keeps the objects it opens open. */
export function hcnClient(
  library: ComputeNetworkLibrary,
  { onUnreadable, onIgnored = () => undefined }: UnreadableEvents = {},
): HcnClient {
  const objects = openObjects(library);
  const { enumerate, mustUse } = objects;
  const onIgnoredOf = reportOnce(onIgnored);
  const find = <K extends Kind, T extends { readonly ID?: Guid<K>; readonly Name?: string }>(
    kind: K,
    id: Guid<K>,
    read: Read<T>,
  ): Promise<T | undefined> => objects.find(kind, id, (json) => read(json, onIgnoredOf(kind, id)));
  const findEach = async <K extends Kind, T extends { readonly ID?: Guid<K> }>(
    kind: K,
    ids: readonly Guid<K>[],
    read: Read<T>,
  ): Promise<readonly T[]> => {
    const found: T[] = [];
    for (const id of ids) {
      const finding = find(kind, id, read);
      const object = await (onUnreadable ? finding.catch((error) => onUnreadable(error, kind, id)) : finding);
      if (object !== undefined) found.push(object);
    }
    return found;
  };
  const create = async <K extends Exclude<Kind, 'Endpoint'>>(
    kind: K,
    id: Guid<K>,
    document: HostComputeNetwork | HostComputeNamespace | HostComputeLoadBalancer,
    described: string,
  ): Promise<void> => {
    const response = await library.create(kind, id, documentText(document));
    const { Name, PortMappings = [] } = { Name: undefined, PortMappings: undefined, ...document };
    const given = { hostPorts: PortMappings.map(({ ExternalPort }) => ExternalPort) };
    objects.keepCreated(requireValue(response, `creating ${described} ${id}`, kind, given), Name);
  };
  const modify = async <K extends Kind>(
    kind: K,
    id: Guid<K>,
    request: object,
    action: string,
    given?: Given,
    creates?: Created,
  ): Promise<void> => {
    const response = await mustUse(kind, id, (handle) => library.modify(handle, documentText(request)));
    requireValue(response, action, creates, given);
  };
  const modifyPolicies = (
    RequestType: PoliciesRequest['RequestType'],
    kind: 'Network' | 'Endpoint',
    id: Guid,
    Policies: readonly Policy[],
  ): Promise<void> => {
    const request: PoliciesRequest = { ResourceType: 'Policy', RequestType, Settings: { Policies } };
    const given = { hostPorts: hostPortsIn(Policies) };
    const action = RequestType === 'Add' ? 'adding policies to' : 'removing policies from';
    const isRemote = Policies.some(({ Type }) => Type === 'RemoteSubnetRoute');
    const creates = isRemote ? 'Remote subnet' : undefined;
    return modify(kind, id, request, `${action} ${describeObject(kind, id)}`, given, creates);
  };
  const modifyNamespace = async (
    namespace: NamespaceId,
    RequestType: ModifyNamespaceSettingRequest['RequestType'],
    endpoint: EndpointId,
  ): Promise<HcnResponse> => {
    const Settings = { EndpointId: endpoint };
    const request: ModifyNamespaceSettingRequest = { ResourceType: 'Endpoint', RequestType, Settings };
    return mustUse('Namespace', namespace, (handle) => library.modify(handle, JSON.stringify(request)));
  };
  const remove = async <K extends Kind>(kind: K, id: Guid<K>): Promise<boolean> => {
    const response = await library.delete(kind, id);
    objects.forget(kind, id);
    return findValue({ ...response, value: true }, `deleting ${describeObject(kind, id)}`) ?? false;
  };
  let version: Promise<HnsVersion> | undefined;
  const findNetworkById = (id: NetworkId) => find('Network', id, readNetwork);

  return {
    findNetworkById,
    findNetworks: async (except) => {
      const ids = (await enumerate('Network')).filter((id) => id !== except);
      return findEach('Network', ids, readNetwork);
    },
    findManagementAddress: (id) =>
      objects.query('Network', id, version1Query, (json) =>
        readManagementAddress(json, onIgnoredOf('Network', id)),
      ),
    findNetwork: async (name) => {
      let failure: unknown;
      for (const id of await enumerate('Network', { Name: name })) {
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
      create('Network', id, document, `${document.Type} network "${document.Name}" as`),
    addNetworkPolicies: (id, policies) => modifyPolicies('Add', 'Network', id, policies),
    removeNetworkPolicies: (id, policies) => modifyPolicies('Remove', 'Network', id, policies),
    deleteNetwork: async (id) => {
      await remove('Network', id);
    },
    findEndpoint: (id) => find('Endpoint', id, readEndpoint),
    isCreatedEndpoint: (id) => objects.isCreated('Endpoint', id),
    findEndpoints: async () => findEach('Endpoint', await enumerate('Endpoint'), readEndpoint),
    findEndpointsByName: (name) => enumerate('Endpoint', { Name: name }),
    findEndpointsOfNetwork: (network) => enumerate('Endpoint', { VirtualNetwork: network }),
    createEndpoint: async (network, id, document) => {
      const response = await mustUse('Network', network, (handle) =>
        library.createEndpoint(handle, id, documentText(document)),
      );
      const { Name, IpConfigurations: [{ IpAddress: address } = {}] = [] } = document;
      const creates = address === undefined ? 'Endpoint without address' : 'Endpoint';
      const action = `creating endpoint "${Name}" as ${id}`;
      const given = { address, hostPorts: hostPortsIn(document.Policies) };
      objects.keepCreated(requireValue(response, action, creates, given), Name);
    },
    addPolicies: (id, policies) => modifyPolicies('Add', 'Endpoint', id, policies),
    deleteEndpoint: (id) => remove('Endpoint', id),
    openNamespace: async (id) => (await objects.open('Namespace', id)) !== undefined,
    findNamespace: (id) => find('Namespace', id, readNamespace),
    findNamespaces: async () => findEach('Namespace', await enumerate('Namespace'), readNamespace),
    findDefaultNamespaces: async () =>
      findEach('Namespace', await enumerate('Namespace', { IsDefault: true }), readNamespace),
    createNamespace: (id, document) => create('Namespace', id, document, 'namespace'),
    deleteNamespace: (id) => remove('Namespace', id),
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
    findLoadBalancer: (id) => find('LoadBalancer', id, readLoadBalancer),
    findLoadBalancers: async () =>
      findEach('LoadBalancer', await enumerate('LoadBalancer'), readLoadBalancer),
    createLoadBalancer: (id, document) => create('LoadBalancer', id, document, 'load balancer'),
    deleteLoadBalancer: async (id) => {
      const response = await library.delete('LoadBalancer', id);
      objects.forget('LoadBalancer', id);
      return readLoadBalancerDeletion(response, id, () => find('LoadBalancer', id, readLoadBalancer));
    },
    version: () => {
      version ??= queryVersion(library);
      return version;
    },
  };
}
