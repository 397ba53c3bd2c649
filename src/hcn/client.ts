import type {
  HostComputeEndpoint,
  HostComputeNamespace,
  HostComputeNetwork,
  ModifyNamespaceSettingRequest,
} from './documents.ts';
import { hostComputeQuery } from './documents.ts';
import { HcnError, HcnNonsense } from './errors.ts';
import type { Guid } from './guid.ts';
import { isFailure, isNotFound } from './hresults.ts';
import type { Answer, ComputeNetworkLibrary, Handle, Kind } from './library.ts';

/** HCN's answers carry an id and, unlike what we send, always name the network's type. */
export type ObservedNetwork = HostComputeNetwork & { readonly ID: Guid; readonly Type: string };
export type ObservedEndpoint = HostComputeEndpoint & { readonly ID: Guid };

/** HCN's objects as typed documents. A missing object is undefined; every other failure is an HcnError or HcnTimeout. */
export interface HcnClient {
  findNetwork(name: string): Promise<ObservedNetwork | undefined>;
  findNetworkById(id: Guid): Promise<ObservedNetwork | undefined>;
  createNetwork(id: Guid, document: HostComputeNetwork): Promise<void>;
  deleteNetwork(id: Guid): Promise<void>;
  findEndpoint(id: Guid): Promise<ObservedEndpoint | undefined>;
  findEndpointsByName(name: string): Promise<readonly Guid[]>;
  findEndpointsOfNetwork(network: Guid): Promise<readonly Guid[]>;
  createEndpoint(network: Guid, id: Guid, document: HostComputeEndpoint): Promise<void>;
  /** Answers whether there was one. */
  deleteEndpoint(id: Guid): Promise<boolean>;
  /** Answers whether there is one; it stays open for `addEndpoint`. */
  openNamespace(id: Guid): Promise<boolean>;
  findNamespace(id: Guid): Promise<HostComputeNamespace | undefined>;
  addEndpoint(namespace: Guid, endpoint: Guid): Promise<void>;
}

/**
 * A client that opens each object once and keeps it open: the process ends after one request, and its end closes every
 * handle (RPC run-down), where closing them one by one would be three more calls that can hang.
 */
export function hcnClient(library: ComputeNetworkLibrary): HcnClient {
  const handles = new Map<string, Handle>();

  const open = async <K extends Kind>(kind: K, id: Guid): Promise<Handle<K> | undefined> => {
    const known = handles.get(`${kind} ${id}`);
    if (known !== undefined) return known as Handle<K>;
    const answer = await library.open(kind, id);
    if (isNotFound(answer.hresult)) return undefined;
    return keep(id, expect(answer, `opening ${describe(kind, id)}`));
  };
  const keep = <K extends Kind>(id: Guid, handle: Handle<K>): Handle<K> => {
    handles.set(`${handle.kind} ${id}`, handle);
    return handle;
  };
  const mustOpen = async <K extends Kind>(kind: K, id: Guid): Promise<Handle<K>> => {
    const handle = await open(kind, id);
    if (handle === undefined) throw new HcnNonsense(`${describe(kind, id)} vanished while it was used`);
    return handle;
  };
  const find = async <T extends object>(kind: Kind, id: Guid): Promise<T | undefined> => {
    const handle = await open(kind, id);
    if (handle === undefined) return undefined;
    const doing = `querying ${describe(kind, id)}`;
    const answer = await library.query(handle, hostComputeQuery());
    return isNotFound(answer.hresult) ? undefined : parse<T>(expect(answer, doing), doing);
  };
  const enumerate = async (
    kind: Kind,
    filter: Readonly<Record<string, string>>,
  ): Promise<readonly Guid[]> => {
    const doing = `looking for ${kind.toLowerCase()}s with ${JSON.stringify(filter)}`;
    const ids = parse<readonly Guid[] | null>(
      expect(await library.enumerate(kind, hostComputeQuery(filter)), doing),
      doing,
    );
    return (ids ?? []).map((id) => id.toLowerCase());
  };
  const remove = async (kind: Kind, id: Guid): Promise<boolean> => {
    const answer = await library.delete(kind, id);
    if (isNotFound(answer.hresult)) return false;
    expect(answer, `deleting ${describe(kind, id)}`);
    handles.delete(`${kind} ${id}`);
    return true;
  };
  const findNetworkById = async (id: Guid): Promise<ObservedNetwork | undefined> => {
    const network = await find<HostComputeNetwork>('Network', id);
    return network && { ...network, ID: id, Type: network.Type ?? 'NAT' };
  };

  return {
    findNetworkById,
    findNetwork: async (name) => {
      const [id] = await enumerate('Network', { Name: name });
      return id === undefined ? undefined : findNetworkById(id);
    },
    createNetwork: async (id, document) => {
      const answer = await library.create('Network', id, JSON.stringify(document));
      keep(id, expect(answer, `creating ${document.Type} network "${document.Name}" as ${id}`));
    },
    deleteNetwork: async (id) => {
      await remove('Network', id);
    },
    findEndpoint: async (id) => {
      const endpoint = await find<HostComputeEndpoint>('Endpoint', id);
      return endpoint && { ...endpoint, ID: id };
    },
    findEndpointsByName: (name) => enumerate('Endpoint', { Name: name }),
    findEndpointsOfNetwork: (network) => enumerate('Endpoint', { VirtualNetwork: network }),
    createEndpoint: async (network, id, document) => {
      const answer = await library.createEndpoint(
        await mustOpen('Network', network),
        id,
        JSON.stringify(document),
      );
      keep(id, expect(answer, `creating endpoint "${document.Name}" as ${id}`));
    },
    deleteEndpoint: (id) => remove('Endpoint', id),
    openNamespace: async (id) => (await open('Namespace', id)) !== undefined,
    findNamespace: (id) => find<HostComputeNamespace>('Namespace', id),
    addEndpoint: async (namespace, endpoint) => {
      const request: ModifyNamespaceSettingRequest = {
        ResourceType: 'Endpoint',
        RequestType: 'Add',
        Settings: { EndpointId: endpoint },
      };
      const answer = await library.modify(await mustOpen('Namespace', namespace), JSON.stringify(request));
      expect(answer, `adding endpoint ${endpoint} to namespace ${namespace}`);
    },
  };
}

function expect<T>(answer: Answer<T>, doing: string): T {
  if (isFailure(answer.hresult)) throw new HcnError(doing, answer.hresult, answer.errorRecord);
  return answer.value;
}

function parse<T extends object | null>(text: string, doing: string): T {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object') return value as T;
  } catch {
    // Told below, with what HCN wrote.
  }
  throw new HcnNonsense(
    `${doing}: HCN answered with what is no document: ${JSON.stringify(text.slice(0, 80))}`,
  );
}

function describe(kind: Kind, id: Guid): string {
  return `${kind.toLowerCase()} ${id}`;
}
