import { documentText, hostComputeQuery } from '../../hcn/documents.ts';
import { isOutcomeUnknown } from '../../hcn/errors.ts';
import type { EndpointId, Guid, Kind } from '../../hcn/guid.ts';
import { isFailure } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse } from '../../hcn/library.ts';
import { isObject, type JsonObject, parseJson } from '../../json/members.ts';
import { newProbeId } from './names.ts';
import { errorText, symbolOf } from './observation.ts';

/** An open object of HCN. The handle has the requested id, which HNS may have ignored. */
export interface OpenObject<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: Guid<K>;
  readonly handle: Handle<K>;
}

/** What HCN returned, unchecked. */
export interface Answer<T = undefined> {
  readonly hresult: number;
  readonly value: T;
}

/** HCN as experiments call it: with any document, unchecked, and without the steps that the plugin takes. */
export type HcnCalls = ReturnType<typeof newHcnCalls>;

/** A call in the report. */
export interface CallRecord {
  readonly function: string;
  readonly id?: string;
  readonly sent?: unknown;
  readonly hresult: string;
  readonly returned?: unknown;
  readonly milliseconds: number;
}

/** Callbacks for calls and objects. */
export interface CallListener {
  readonly onCall: (call: CallRecord) => void;
  /** Throws NotTried if the network must not be created. */
  readonly beforeCreate: (kind: Kind, document: JsonObject) => void;
  readonly onCreated: (object: OpenObject) => void;
  readonly onRefused: (kind: Kind, document: JsonObject) => void;
  /** HCN did not respond, and may have created the object. */
  readonly onUnknown: (kind: Kind, id: Guid, document: JsonObject) => void;
}

/** Without a listener, the calls are not in the report. */
export function newHcnCalls(library: ComputeNetworkLibrary, now: () => number, listener?: CallListener) {
  const call = async <T>(
    about: { readonly function: string; readonly id?: string; readonly sent?: unknown },
    make: () => Promise<HcnResponse<T>>,
  ): Promise<HcnResponse<T>> => {
    const started = now();
    const finish = (hresult: string, returned?: unknown): void =>
      listener?.onCall({
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
      finish(errorText(error));
      throw error;
    }
  };
  const objectOf = <K extends Kind>(
    kind: K,
    id: Guid<K>,
    { hresult, value }: HcnResponse<Handle<K>>,
  ): Answer<OpenObject<K> | undefined> => ({
    hresult,
    value: isFailure(hresult) ? undefined : { kind, id, handle: value },
  });
  const created = async <K extends Kind>(
    kind: K,
    id: Guid<K>,
    sent: JsonObject,
    make: (settings: string) => Promise<HcnResponse<Handle<K>>>,
  ): Promise<Answer<OpenObject<K> | undefined>> => {
    listener?.beforeCreate(kind, sent);
    try {
      const about = { function: `HcnCreate${kind}`, id, sent };
      const answer = objectOf(kind, id, await call(about, () => make(documentText(sent))));
      if (answer.value === undefined) listener?.onRefused(kind, sent);
      else listener?.onCreated(answer.value);
      return answer;
    } catch (error) {
      if (isOutcomeUnknown(error)) listener?.onUnknown(kind, id, sent);
      else listener?.onRefused(kind, sent);
      throw error;
    }
  };
  const withoutValue = async (response: Promise<HcnResponse>): Promise<Answer> => {
    const { hresult } = await response;
    return { hresult, value: undefined };
  };

  return {
    /** `id` is a new one by default. Throws NotTried for a network beyond the limit of its type. */
    create: <K extends Exclude<Kind, 'Endpoint'>>(
      kind: K,
      document: JsonObject,
      id: Guid<K> = newProbeId(),
    ) => created(kind, id, document, (settings) => library.create(kind, id, settings)),
    /** Like `create`. */
    createEndpoint: (
      { handle }: OpenObject<'Network'>,
      document: JsonObject,
      id: EndpointId = newProbeId(),
    ) => created('Endpoint', id, document, (settings) => library.createEndpoint(handle, id, settings)),
    open: async <K extends Kind>(kind: K, id: Guid<K>) =>
      objectOf(kind, id, await call({ function: `HcnOpen${kind}`, id }, () => library.open(kind, id))),
    /** `query` is a V2 query by default. */
    query: async (
      { kind, id, handle }: OpenObject,
      query = hostComputeQuery(),
    ): Promise<Answer<JsonObject | undefined>> => {
      const about = { function: `HcnQuery${kind}Properties`, id, sent: parsed(query) };
      const { hresult, value } = await call(about, () => library.query(handle, query));
      const document = isFailure(hresult) ? undefined : parsed(value);
      return { hresult, value: isObject(document) ? document : undefined };
    },
    modify: ({ kind, id, handle }: OpenObject, sent: JsonObject) => {
      const about = { function: `HcnModify${kind}`, id, sent };
      return withoutValue(call(about, () => library.modify(handle, documentText(sent))));
    },
    delete: <K extends Kind>(kind: K, id: Guid<K>) =>
      withoutValue(call({ function: `HcnDelete${kind}`, id }, () => library.delete(kind, id))),
    close: ({ kind, id, handle }: OpenObject) =>
      withoutValue(call({ function: `HcnClose${kind}`, id }, () => library.close(handle))),
    /** The value is undefined if HNS returned no list. */
    enumerate: async <K extends Kind>(
      kind: K,
      filter?: Readonly<Record<string, boolean>>,
    ): Promise<Answer<readonly Guid<K>[] | undefined>> => {
      const query = hostComputeQuery(filter);
      const about = { function: `HcnEnumerate${kind}s`, sent: parsed(query) };
      const { hresult, value } = await call(about, () => library.enumerate(kind, query));
      const ids = isFailure(hresult) ? undefined : (parsed(value) ?? []);
      return { hresult, value: Array.isArray(ids) ? ids.map((id) => String(id).toLowerCase()) : undefined };
    },
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
