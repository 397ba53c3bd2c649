import { errorMessage } from '../../cni/error.ts';
import { documentText, hostComputeQuery } from '../../hcn/documents.ts';
import { isOutcomeUnknown } from '../../hcn/errors.ts';
import type { EndpointId, Guid } from '../../hcn/guid.ts';
import { isFailure } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse, Kind } from '../../hcn/library.ts';
import { isObject, type JsonObject, parseJson } from '../../json/members.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { newProbeFrontend, newProbeId, newProbeName, type Subnet } from './names.ts';
import { symbolOf } from './row.ts';

/** An open object of HCN. The handle has the requested id, which HNS may have ignored. */
export interface Item<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: Guid<K>;
  readonly handle: Handle<K>;
}

/** A network that an experiment created, and its subnet. */
export type Network = Item<'Network'> & { readonly subnet: Subnet };

/** What HCN returned, unchecked. */
export interface Answer<T = undefined> {
  readonly hresult: number;
  readonly value: T;
}

/**
 * HCN as experiments call it: with any document, unchecked, and without the steps that the plugin takes. It records every call, and
 * keeps a list of what it created.
 */
export interface Laboratory {
  /** The adapter of --adapter. */
  readonly adapter: string | undefined;
  /** The network that experiments on the same ground share. */
  base(): Promise<Network>;
  /** `id` is a new one by default; the zero GUID lets HNS choose. */
  create<K extends Exclude<Kind, 'Endpoint'>>(
    kind: K,
    document: JsonObject,
    id?: Guid<K>,
  ): Promise<Answer<Item<K> | undefined>>;
  /** Like `create`. */
  createEndpoint(
    network: Item<'Network'>,
    document: JsonObject,
    id?: EndpointId,
  ): Promise<Answer<Item<'Endpoint'> | undefined>>;
  open<K extends Kind>(kind: K, id: Guid<K>): Promise<Answer<Item<K> | undefined>>;
  /** `query` is a V2 query by default. */
  query(item: Item, query?: string): Promise<Answer<JsonObject | undefined>>;
  modify(item: Item, request: JsonObject): Promise<Answer>;
  delete<K extends Kind>(kind: K, id: Guid<K>): Promise<Answer>;
  close(item: Item): Promise<Answer>;
  /** The value is undefined if HNS returned no list. */
  enumerate<K extends Kind>(
    kind: K,
    filter?: Readonly<Record<string, string | boolean>>,
  ): Promise<Answer<readonly Guid<K>[] | undefined>>;
  /** Opens an object in another process and returns the HRESULT. */
  openElsewhere(kind: Kind, id: Guid): Promise<number>;
  /** The node's network adapters. */
  adapters(): Promise<readonly HostAdapter[]>;
  /** Runs a PowerShell script; throws NotTried if that fails. */
  powershell(script: string, seconds: number): Promise<string>;
  newId<K extends Kind>(): Guid<K>;
  newName(): string;
  newSubnet(): Subnet;
  /** An address for a load balancer. */
  newFrontend(): string;
  /** Throws NotTried after Ctrl+C. */
  pause(milliseconds: number): Promise<void>;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** A call in the report. */
export interface CallRecord {
  readonly function: string;
  readonly id?: string;
  readonly sent?: unknown;
  readonly hresult: string;
  readonly returned?: unknown;
  readonly milliseconds: number;
}

/** What all laboratories of a run share. */
export interface Equipment
  extends Pick<
    Laboratory,
    'adapter' | 'openElsewhere' | 'adapters' | 'powershell' | 'newSubnet' | 'pause' | 'now'
  > {
  readonly library: ComputeNetworkLibrary;
  /** Registers an object that may have been created: HCN did not respond. */
  readonly doubt: (kind: Kind, id: Guid) => void;
}

/** What a laboratory does with its calls and objects. */
interface Bookkeeping extends Pick<Laboratory, 'base'> {
  readonly record: (call: CallRecord) => void;
  /** Registers an object for deletion. */
  readonly keep: (item: Item) => void;
}

export function newLaboratory(equipment: Equipment, { base, record, keep }: Bookkeeping): Laboratory {
  const { library, doubt, now } = equipment;
  const call = async <T>(
    about: { readonly function: string; readonly id?: string; readonly sent?: unknown },
    make: () => Promise<HcnResponse<T>>,
  ): Promise<HcnResponse<T>> => {
    const started = now();
    const finish = (hresult: string, returned?: unknown): void =>
      record({
        ...about,
        hresult,
        ...(returned !== undefined && { returned }),
        milliseconds: Math.round(now() - started),
      });
    try {
      const response = await make();
      const { hresult, value, errorRecord } = response;
      finish(symbolOf(hresult), parsed(errorRecord ?? (typeof value === 'string' ? value : undefined)));
      return response;
    } catch (error) {
      finish(errorMessage(error));
      throw error;
    }
  };
  const itemOf = <K extends Kind>(
    kind: K,
    id: Guid<K>,
    { hresult, value }: HcnResponse<Handle<K>>,
  ): Answer<Item<K> | undefined> => ({
    hresult,
    value: isFailure(hresult) ? undefined : { kind, id, handle: value },
  });
  const created = async <K extends Kind>(
    kind: K,
    id: Guid<K>,
    sent: JsonObject,
    make: (settings: string) => Promise<HcnResponse<Handle<K>>>,
  ): Promise<Answer<Item<K> | undefined>> => {
    try {
      const about = { function: `HcnCreate${kind}`, id, sent };
      const answer = itemOf(kind, id, await call(about, () => make(documentText(sent))));
      if (answer.value !== undefined) keep(answer.value);
      return answer;
    } catch (error) {
      if (isOutcomeUnknown(error)) doubt(kind, id);
      throw error;
    }
  };
  const withoutValue = ({ hresult }: HcnResponse): Answer => ({ hresult, value: undefined });

  return {
    ...equipment,
    base,
    create: (kind, document, id = newProbeId()) =>
      created(kind, id, document, (settings) => library.create(kind, id, settings)),
    createEndpoint: (network, document, id = newProbeId()) =>
      created('Endpoint', id, document, (settings) => library.createEndpoint(network.handle, id, settings)),
    open: async (kind, id) =>
      itemOf(kind, id, await call({ function: `HcnOpen${kind}`, id }, () => library.open(kind, id))),
    query: async ({ kind, id, handle }, query = hostComputeQuery()) => {
      const { hresult, value } = await call(
        { function: `HcnQuery${kind}Properties`, id, sent: parsed(query) },
        () => library.query(handle, query),
      );
      return { hresult, value: isFailure(hresult) ? undefined : objectIn(value) };
    },
    modify: async ({ kind, id, handle }, request) =>
      withoutValue(
        await call({ function: `HcnModify${kind}`, id, sent: request }, () =>
          library.modify(handle, documentText(request)),
        ),
      ),
    delete: async (kind, id) =>
      withoutValue(await call({ function: `HcnDelete${kind}`, id }, () => library.delete(kind, id))),
    close: async ({ kind, id, handle }) =>
      withoutValue(await call({ function: `HcnClose${kind}`, id }, () => library.close(handle))),
    enumerate: async (kind, filter) => {
      const query = hostComputeQuery(filter);
      const { hresult, value } = await call({ function: `HcnEnumerate${kind}s`, sent: parsed(query) }, () =>
        library.enumerate(kind, query),
      );
      const ids = isFailure(hresult) ? undefined : (parsed(value) ?? []);
      return { hresult, value: Array.isArray(ids) ? ids.map((id) => String(id).toLowerCase()) : undefined };
    },
    newId: newProbeId,
    newName: newProbeName,
    newFrontend: newProbeFrontend,
  };
}

/** JSON as a value, other text as it is. */
function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function objectIn(text: string): JsonObject | undefined {
  const value = parsed(text);
  return isObject(value) ? value : undefined;
}
