import { CniError, code } from '../cni/error.ts';
import {
  documentText,
  type HostComputeLoadBalancer,
  type HostComputeNamespace,
  type HostComputeNetwork,
  hostComputeQuery,
} from './documents.ts';
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

/** Reads a document of HCN. Throws if it is invalid. */
type Read<T> = (json: string) => T;
type Call<K extends Kind, T> = (handle: Handle<K>) => Promise<HcnResponse<T>>;

interface Entry {
  readonly handle: Handle;
  /** Only for an object that this process created: the requested name, undefined for kinds without names. */
  readonly created?: { readonly name: string | undefined };
}

/** Handles an object of a list that cannot be read: returns to leave it out, or throws. */
export type OnUnreadable = (error: unknown, kind: Kind, id: Guid) => undefined;

/**
 * HCN's objects, each opened once and never closed. The process ends after one request, which closes all handles (RPC run-down); closing
 * each handle would add calls that can hang. An absent object is undefined.
 */
export class OpenObjects {
  readonly library: ComputeNetworkLibrary;
  readonly #onUnreadable: OnUnreadable | undefined;
  readonly #entries = new Map<string, Entry>();

  /** Without `onUnreadable`, an object that cannot be read fails the whole list. */
  constructor(library: ComputeNetworkLibrary, onUnreadable?: OnUnreadable) {
    this.library = library;
    this.#onUnreadable = onUnreadable;
  }

  async open<K extends Kind>(kind: K, id: Guid<K>): Promise<Handle<K> | undefined> {
    const opened = this.#entries.get(`${kind} ${id}`)?.handle;
    if (opened !== undefined) return opened as Handle<K>;
    const response = await this.library.open(kind, id);
    if (kind === 'LoadBalancer' && isPolicyNotFound(response.hresult)) return undefined;
    const handle = findValue(response, `opening ${describeObject(kind, id)}`);
    if (handle !== undefined) this.#keep(id, { handle });
    return handle;
  }

  /** Makes a call with the handle of an object that existed before. Throws code 11 if the object is absent. */
  async mustUse<K extends Kind, T>(kind: K, id: Guid<K>, call: Call<K, T>): Promise<HcnResponse<T>> {
    const response = await this.#use(kind, id, call);
    if (response !== undefined) return response;
    throw new CniError(
      code.tryAgainLater,
      `${describeObject(kind, id)} was deleted during this request, or HNS restarted and lost it. Retry.`,
    );
  }

  /**
   * Keeps the handle of a created object under the requested id. If HNS chose another id, `find` accepts both ids and returns the
   * object with its actual id.
   */
  keepCreated(handle: Handle, name: string | undefined): void {
    this.#keep(handle.id, { handle, created: { name } });
  }

  /** Whether this process created the object, and its handle was still valid in the last call with it. */
  isCreated(kind: Kind, id: Guid): boolean {
    return this.#entries.get(`${kind} ${id}`)?.created !== undefined;
  }

  /** Throws HcnInvalidResponse if HCN returns another object. */
  find<K extends Kind, T extends Identified<K>>(kind: K, id: Guid<K>, read: Read<T>): Promise<T | undefined> {
    return this.query(kind, id, hostComputeQuery(), (json) => {
      const object = read(json);
      const { ID: actual = id, Name = '' } = object;
      if (actual === id) return object;
      const entry = this.#entries.get(`${kind} ${id}`);
      const name = entry?.created && (entry.created.name ?? Name);
      if (entry === undefined || name?.toLowerCase() !== Name.toLowerCase())
        throw new HcnInvalidResponse(`HCN returned ${describeObject(kind, actual)} instead`);
      this.#keep(actual, { ...entry, handle: { ...entry.handle, id: actual } });
      return object;
    });
  }

  /** The objects with these ids that still exist. */
  async findEach<K extends Kind, T extends Identified<K>>(
    kind: K,
    ids: readonly Guid<K>[],
    read: Read<T>,
  ): Promise<readonly T[]> {
    const found: T[] = [];
    for (const id of ids) {
      const object = await this.find(kind, id, read).catch((error: unknown) => {
        if (this.#onUnreadable === undefined) throw error;
        return this.#onUnreadable(error, kind, id);
      });
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** Sends the given query and returns what `read` returns for the response. */
  async query<K extends Kind, T>(kind: K, id: Guid<K>, query: string, read: Read<T>): Promise<T | undefined> {
    const action = `querying ${describeObject(kind, id)}`;
    const response = await this.#use(kind, id, (handle) => this.library.query(handle, query));
    const json = response && findValue(response, action);
    return json === undefined ? undefined : parseResponse(action, () => read(json));
  }

  async enumerate<K extends Kind>(
    kind: K,
    filter?: Readonly<Record<string, string | boolean>>,
  ): Promise<readonly Guid<K>[]> {
    const response = await this.library.enumerate(kind, hostComputeQuery(filter));
    const suffix = filter === undefined ? '' : ` with ${JSON.stringify(filter)}`;
    const action = `listing ${kindName(kind)}s${suffix}`;
    const json = requireValue(response, action);
    return parseResponse(action, () => readIds(json));
  }

  async create<K extends Exclude<Kind, 'Endpoint'>>(
    kind: K,
    id: Guid<K>,
    document: HostComputeNetwork | HostComputeNamespace | HostComputeLoadBalancer,
    described: string,
  ): Promise<void> {
    const response = await this.library.create(kind, id, documentText(document));
    const { Name, PortMappings = [] } = { Name: undefined, PortMappings: undefined, ...document };
    const given = { hostPorts: PortMappings.map(({ ExternalPort }) => ExternalPort) };
    this.keepCreated(requireValue(response, `creating ${described} ${id}`, given), Name);
  }

  /** Deletes an object, and forgets it even if HCN refuses. */
  async delete<K extends Kind>(kind: K, id: Guid<K>): Promise<HcnResponse> {
    const response = await this.library.delete(kind, id);
    this.#entries.delete(`${kind} ${id}`);
    return response;
  }

  /** Returns whether the object existed. */
  async remove<K extends Kind>(kind: K, id: Guid<K>): Promise<boolean> {
    const response = await this.delete(kind, id);
    return findValue({ ...response, value: true }, `deleting ${describeObject(kind, id)}`) ?? false;
  }

  #keep(id: Guid, entry: Entry): void {
    this.#entries.set(`${entry.handle.kind} ${id}`, entry);
  }

  /** If the handle is stale, because HNS restarted or the object was recreated, opens the object again, once. */
  async #use<K extends Kind, T>(
    kind: K,
    id: Guid<K>,
    call: Call<K, T>,
    reopens = true,
  ): Promise<HcnResponse<T> | undefined> {
    const handle = await this.open(kind, id);
    if (handle === undefined) return undefined;
    const response = await call(handle);
    if (!isStaleHandle(response.hresult)) return response;
    this.#entries.delete(`${kind} ${id}`);
    return reopens ? this.#use(kind, id, call, false) : response;
  }
}

/** An object in a message, such as `load balancer 6a1f7a41-…`. */
export function describeObject(kind: Kind, id: Guid): string {
  return `${kindName(kind)} ${id}`;
}

/** As in `load balancer`. */
export function kindName(kind: Kind): string {
  return kind === 'LoadBalancer' ? 'load balancer' : kind.toLowerCase();
}
