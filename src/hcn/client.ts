import {
  type HnsVersion,
  type HostComputeEndpoint,
  type HostComputeLoadBalancer,
  type HostComputeNamespace,
  type HostComputeNetwork,
  hostComputeQuery,
  type ModifyEndpointSettingRequest,
  type ModifyNamespaceSettingRequest,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  type ObservedNetwork,
  type Policy,
  version1Query,
} from './documents.ts';
import { HcnError } from './errors.ts';
import type { Guid } from './guid.ts';
import { isNotAttached, isPolicyNotFound, isUsedAfterUnload } from './hresults.ts';
import { readAnswer, valueFrom, valueOrMissing } from './judge-answer.ts';
import type { Answer, ComputeNetworkLibrary, Handle, Kind } from './library.ts';
import {
  readEndpoint,
  readIds,
  readLoadBalancer,
  readManagementAddress,
  readNamespace,
  readNetwork,
  readVersion,
} from './read-document.ts';

/**
 * HCN's objects as typed documents. A missing object is undefined; every other failure is an HcnError, an HcnTimeout, or
 * HcnNonsense for an answer that cannot be read.
 */
export interface HcnClient {
  findNetwork(name: string): Promise<ObservedNetwork | undefined>;
  findNetworkById(id: Guid): Promise<ObservedNetwork | undefined>;
  findNetworks(): Promise<readonly ObservedNetwork[]>;
  /** The node's own address on a network, once it has one. Only HNS's older documents have it. */
  findManagementAddress(id: Guid): Promise<string | undefined>;
  createNetwork(id: Guid, document: HostComputeNetwork): Promise<void>;
  deleteNetwork(id: Guid): Promise<void>;
  findEndpoint(id: Guid): Promise<ObservedEndpoint | undefined>;
  findEndpoints(): Promise<readonly ObservedEndpoint[]>;
  findEndpointsByName(name: string): Promise<readonly Guid[]>;
  findEndpointsOfNetwork(network: Guid): Promise<readonly Guid[]>;
  createEndpoint(network: Guid, id: Guid, document: HostComputeEndpoint): Promise<void>;
  addPolicies(endpoint: Guid, policies: readonly Policy[]): Promise<void>;
  /** Answers whether there was one. */
  deleteEndpoint(id: Guid): Promise<boolean>;
  /** Answers whether there is one; it stays open for `addEndpoint`. */
  openNamespace(id: Guid): Promise<boolean>;
  findNamespace(id: Guid): Promise<HostComputeNamespace | undefined>;
  findNamespaces(): Promise<readonly HostComputeNamespace[]>;
  createNamespace(id: Guid, document: HostComputeNamespace): Promise<void>;
  /** Answers whether there was one. Its endpoints stay, in no namespace. */
  deleteNamespace(id: Guid): Promise<boolean>;
  addEndpoint(namespace: Guid, endpoint: Guid): Promise<void>;
  /** Answers whether it was in the namespace. */
  removeEndpoint(namespace: Guid, endpoint: Guid): Promise<boolean>;
  findLoadBalancer(id: Guid): Promise<ObservedLoadBalancer | undefined>;
  findLoadBalancers(): Promise<readonly ObservedLoadBalancer[]>;
  createLoadBalancer(id: Guid, document: HostComputeLoadBalancer): Promise<void>;
  /** Success does not mean that HNS has done it: some accept the document and ignore it. */
  modifyLoadBalancer(id: Guid, document: HostComputeLoadBalancer): Promise<void>;
  /** Answers whether there was one. */
  deleteLoadBalancer(id: Guid): Promise<boolean>;
  /** The service's version, asked for once. */
  version(): Promise<HnsVersion>;
}

/** Is told why one of several objects cannot be had, and leaves it out, or throws. */
export type Otherwise = (error: unknown, kind: Kind, id: Guid) => undefined;

/**
 * A client that opens each object once and keeps it open: the process ends after one request, and its end closes every
 * handle (RPC run-down), where closing them one by one would be three more calls that can hang. Without `otherwise` all objects are
 * found or none.
 */
export function hcnClient(library: ComputeNetworkLibrary, otherwise?: Otherwise): HcnClient {
  const handles = new Map<string, Handle>();

  const keep = <K extends Kind>(id: Guid, handle: Handle<K>): void => {
    handles.set(`${handle.kind} ${id}`, handle);
  };
  const open = async <K extends Kind>(kind: K, id: Guid): Promise<Handle<K> | undefined> => {
    const known = handles.get(`${kind} ${id}`);
    if (known !== undefined) return known as Handle<K>;
    const answer = await library.open(kind, id);
    if (kind === 'LoadBalancer' && isPolicyNotFound(answer.hresult)) return undefined;
    const handle = valueOrMissing(answer, `opening ${describe(kind, id)}`);
    if (handle !== undefined) keep(id, handle);
    return handle;
  };
  const mustOpen = async <K extends Kind>(kind: K, id: Guid): Promise<Handle<K>> => {
    const handle = await open(kind, id);
    if (handle === undefined)
      throw new HcnError(`opening ${describe(kind, id)}, which was there before`, 0x80070490, '');
    return handle;
  };
  const find = async <T>(
    kind: Kind,
    id: Guid,
    read: (json: string, id: Guid) => T,
    query = hostComputeQuery(),
  ): Promise<T | undefined> => {
    const doing = `querying ${describe(kind, id)}`;
    for (const reopen of [true, false]) {
      const handle = await open(kind, id);
      if (handle === undefined) return undefined;
      const answer = await library.query(handle, query);
      if (reopen && isUsedAfterUnload(answer.hresult)) {
        handles.delete(`${kind} ${id}`);
        continue;
      }
      const json = valueOrMissing(answer, doing);
      return json === undefined ? undefined : readAnswer(doing, () => read(json, id));
    }
    return undefined;
  };
  const enumerate = async (
    kind: Kind,
    filter?: Readonly<Record<string, string>>,
  ): Promise<readonly Guid[]> => {
    const answer = await library.enumerate(kind, hostComputeQuery(filter));
    const which = filter === undefined ? '' : ` with ${JSON.stringify(filter)}`;
    const doing = `looking for ${nameOf(kind)}s${which}`;
    const json = valueFrom(answer, doing);
    return readAnswer(doing, () => readIds(json));
  };
  const findAll = async <T>(kind: Kind, read: (json: string, id: Guid) => T): Promise<readonly T[]> => {
    const found: T[] = [];
    for (const id of await enumerate(kind)) {
      const finding = find(kind, id, read);
      const object = await (otherwise ? finding.catch((error) => otherwise(error, kind, id)) : finding);
      if (object !== undefined) found.push(object);
    }
    return found;
  };
  const create = async (
    kind: Exclude<Kind, 'Endpoint'>,
    id: Guid,
    document: object,
    what: string,
  ): Promise<void> => {
    const answer = await library.create(kind, id, JSON.stringify(document));
    keep(id, valueFrom(answer, `creating ${what} ${id}`));
  };
  const modifyNamespace = async (
    namespace: Guid,
    RequestType: ModifyNamespaceSettingRequest['RequestType'],
    endpoint: Guid,
  ): Promise<Answer> => {
    const Settings = { EndpointId: endpoint };
    const request: ModifyNamespaceSettingRequest = { ResourceType: 'Endpoint', RequestType, Settings };
    return library.modify(await mustOpen('Namespace', namespace), JSON.stringify(request));
  };
  const remove = async (kind: Kind, id: Guid): Promise<boolean> => {
    const answer = await library.delete(kind, id);
    handles.delete(`${kind} ${id}`);
    return valueOrMissing({ ...answer, value: true }, `deleting ${describe(kind, id)}`) ?? false;
  };
  const askVersion = async (): Promise<HnsVersion> => {
    const doing = "asking for the Host Network Service's version";
    const json = valueFrom(await library.hnsCall('GET', '/globals/version', ''), doing);
    const version = readAnswer(doing, () => readVersion(json));
    if (version === undefined) throw new HcnError(doing, 0, json);
    return version;
  };
  let version: Promise<HnsVersion> | undefined;
  const findNetworkById = (id: Guid) => find('Network', id, readNetwork);

  return {
    findNetworkById,
    findNetworks: () => findAll('Network', readNetwork),
    findManagementAddress: (id) => find('Network', id, readManagementAddress, version1Query),
    findNetwork: async (name) => {
      const [id] = await enumerate('Network', { Name: name });
      return id === undefined ? undefined : findNetworkById(id);
    },
    createNetwork: (id, document) =>
      create('Network', id, document, `${document.Type} network "${document.Name}" as`),
    deleteNetwork: async (id) => {
      await remove('Network', id);
    },
    findEndpoint: (id) => find('Endpoint', id, readEndpoint),
    findEndpoints: () => findAll('Endpoint', readEndpoint),
    findEndpointsByName: (name) => enumerate('Endpoint', { Name: name }),
    findEndpointsOfNetwork: (network) => enumerate('Endpoint', { VirtualNetwork: network }),
    createEndpoint: async (network, id, document) => {
      const answer = await library.createEndpoint(
        await mustOpen('Network', network),
        id,
        JSON.stringify(document),
      );
      keep(id, valueFrom(answer, `creating endpoint "${document.Name}" as ${id}`));
    },
    addPolicies: async (endpoint, policies) => {
      const request: ModifyEndpointSettingRequest = {
        ResourceType: 'Policy',
        RequestType: 'Add',
        Settings: { Policies: policies },
      };
      const answer = await library.modify(await mustOpen('Endpoint', endpoint), JSON.stringify(request));
      valueFrom(answer, `adding policies to endpoint ${endpoint}`);
    },
    deleteEndpoint: (id) => remove('Endpoint', id),
    openNamespace: async (id) => (await open('Namespace', id)) !== undefined,
    findNamespace: (id) => find('Namespace', id, readNamespace),
    findNamespaces: () => findAll('Namespace', readNamespace),
    createNamespace: (id, document) => create('Namespace', id, document, 'namespace'),
    deleteNamespace: (id) => remove('Namespace', id),
    addEndpoint: async (namespace, endpoint) => {
      const answer = await modifyNamespace(namespace, 'Add', endpoint);
      valueFrom(answer, `adding endpoint ${endpoint} to namespace ${namespace}`);
    },
    removeEndpoint: async (namespace, endpoint) => {
      const answer = await modifyNamespace(namespace, 'Remove', endpoint);
      if (isNotAttached(answer.hresult)) return false;
      valueFrom(answer, `removing endpoint ${endpoint} from namespace ${namespace}`);
      return true;
    },
    findLoadBalancer: (id) => find('LoadBalancer', id, readLoadBalancer),
    findLoadBalancers: () => findAll('LoadBalancer', readLoadBalancer),
    createLoadBalancer: (id, document) => create('LoadBalancer', id, document, 'load balancer'),
    modifyLoadBalancer: async (id, document) => {
      const handle = await mustOpen('LoadBalancer', id);
      valueFrom(
        await library.modify(handle, JSON.stringify(document)),
        `modifying ${describe('LoadBalancer', id)}`,
      );
    },
    deleteLoadBalancer: (id) => remove('LoadBalancer', id),
    version: () => {
      version ??= askVersion();
      return version;
    },
  };
}

function describe(kind: Kind, id: Guid): string {
  return `${nameOf(kind)} ${id}`;
}

function nameOf(kind: Kind): string {
  return kind === 'LoadBalancer' ? 'load balancer' : kind.toLowerCase();
}
