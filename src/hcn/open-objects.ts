import { CniError, code } from '../cni/error.ts';
import { hostComputeQuery } from './documents.ts';
import { findValue, HcnInvalidResponse, parseResponse, requireValue } from './errors.ts';
import type { Guid, Kind } from './guid.ts';
import { isPolicyNotFound, isStaleHandle } from './hresults.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse } from './library.ts';
import { readIds } from './read-document.ts';

/** A document of HCN, with its id, and its name if its kind has names. */
interface Identified<K extends Kind> {
  readonly ID?: Guid<K>;
  readonly Name?: string;
}

/** HCN's objects, each opened once and kept open. An absent object is undefined. */
export interface OpenObjects {
  open<K extends Kind>(kind: K, id: Guid<K>): Promise<Handle<K> | undefined>;
  /**
   * Makes a call with the handle of an object that existed before. If the handle is stale, because HNS restarted or the object was
   * recreated, opens the object again, once. Throws code 11 if the object is absent.
   */
  mustUse<K extends Kind, T>(kind: K, id: Guid<K>, call: Call<K, T>): Promise<HcnResponse<T>>;
  /**
   * Keeps the handle of a created object under the requested id. If HNS chose another id, `find` accepts both ids and returns the
   * object with its actual id.
   */
  keepCreated(handle: Handle, name: string | undefined): void;
  /** Whether this process created the object, and its handle was still valid in the last call with it. */
  isCreated<K extends Kind>(kind: K, id: Guid<K>): boolean;
  forget<K extends Kind>(kind: K, id: Guid<K>): void;
  /** Throws HcnInvalidResponse if HCN returns another object. */
  find<K extends Kind, T extends Identified<K>>(
    kind: K,
    id: Guid<K>,
    read: (json: string) => T,
  ): Promise<T | undefined>;
  /** Sends the given query and returns what `read` returns for the response. */
  query<K extends Kind, T>(
    kind: K,
    id: Guid<K>,
    query: string,
    read: (json: string) => T,
  ): Promise<T | undefined>;
  enumerate<K extends Kind>(
    kind: K,
    filter?: Readonly<Record<string, string | boolean>>,
  ): Promise<readonly Guid<K>[]>;
}

type Call<K extends Kind, T> = (handle: Handle<K>) => Promise<HcnResponse<T>>;

interface Entry {
  readonly handle: Handle;
  /** Only for an object that this process created: the requested name, undefined for kinds without names. */
  readonly created?: { readonly name: string | undefined };
}

/**
 * Opens each object once and closes none. The process ends after one request, which closes all handles (RPC run-down); closing each
 * handle would add calls that can hang.
 */
export function openObjects(library: ComputeNetworkLibrary): OpenObjects {
  const entries = new Map<string, Entry>();
  const findEntry = (kind: Kind, id: Guid): Entry | undefined => entries.get(`${kind} ${id}`);
  const keep = (id: Guid, entry: Entry): void => {
    entries.set(`${entry.handle.kind} ${id}`, entry);
  };
  const open = async <K extends Kind>(kind: K, id: Guid<K>): Promise<Handle<K> | undefined> => {
    const opened = findEntry(kind, id)?.handle;
    if (opened !== undefined) return opened as Handle<K>;
    const response = await library.open(kind, id);
    if (kind === 'LoadBalancer' && isPolicyNotFound(response.hresult)) return undefined;
    const handle = findValue(response, `opening ${describeObject(kind, id)}`);
    if (handle !== undefined) keep(id, { handle });
    return handle;
  };
  const use = async <K extends Kind, T>(
    kind: K,
    id: Guid<K>,
    call: Call<K, T>,
    reopens = true,
  ): Promise<HcnResponse<T> | undefined> => {
    const handle = await open(kind, id);
    if (handle === undefined) return undefined;
    const response = await call(handle);
    if (!isStaleHandle(response.hresult)) return response;
    entries.delete(`${kind} ${id}`);
    return reopens ? use(kind, id, call, false) : response;
  };
  const query: OpenObjects['query'] = async (kind, id, text, read) => {
    const action = `querying ${describeObject(kind, id)}`;
    const response = await use(kind, id, (handle) => library.query(handle, text));
    const json = response && findValue(response, action);
    return json === undefined ? undefined : parseResponse(action, () => read(json));
  };
  return {
    open,
    query,
    mustUse: async (kind, id, call) => {
      const response = await use(kind, id, call);
      if (response !== undefined) return response;
      throw lost(kind, id);
    },
    keepCreated: (handle, name) => keep(handle.id, { handle, created: { name } }),
    isCreated: (kind, id) => findEntry(kind, id)?.created !== undefined,
    forget: (kind, id) => {
      entries.delete(`${kind} ${id}`);
    },
    find: (kind, id, read) =>
      query(kind, id, hostComputeQuery(), (json) => {
        const object = read(json);
        const { ID: actual = id } = object;
        if (actual === id) return object;
        const entry = findEntry(kind, id);
        if (entry?.created === undefined || !isNamed(object, entry.created.name))
          throw new HcnInvalidResponse(`HCN returned ${describeObject(kind, actual)} instead`);
        keep(actual, { ...entry, handle: { ...entry.handle, id: actual } });
        return object;
      }),
    enumerate: (kind, filter) => enumerate(library, kind, filter),
  };
}

async function enumerate<K extends Kind>(
  library: ComputeNetworkLibrary,
  kind: K,
  filter: Parameters<OpenObjects['enumerate']>[1],
): Promise<readonly Guid<K>[]> {
  const response = await library.enumerate(kind, hostComputeQuery(filter));
  const suffix = filter === undefined ? '' : ` with ${JSON.stringify(filter)}`;
  const action = `listing ${kindName(kind)}s${suffix}`;
  const json = requireValue(response, action);
  return parseResponse(action, () => readIds(json));
}

function lost(kind: Kind, id: Guid): CniError {
  return new CniError(
    code.tryAgainLater,
    `${describeObject(kind, id)} was deleted during this request, or HNS restarted and lost it. Retry.`,
  );
}

function isNamed({ Name = '' }: Identified<Kind>, name: string | undefined): boolean {
  return name === undefined || Name.toLowerCase() === name.toLowerCase();
}

/** An object in a message, such as `load balancer 6a1f7a41-…`. */
export function describeObject(kind: Kind, id: Guid): string {
  return `${kindName(kind)} ${id}`;
}

/** As in `load balancer`. */
export function kindName(kind: Kind): string {
  return kind === 'LoadBalancer' ? 'load balancer' : kind.toLowerCase();
}
