import { documentText, hostComputeQuery } from '../../hcn/documents.ts';
import type { EndpointId, Guid, Kind } from '../../hcn/guid.ts';
import { isFailure } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse } from '../../hcn/library.ts';
import { isObject, type JsonObject, parseJson } from '../../json/members.ts';
import { newProbeId } from './names.ts';

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

/** `onCreated` is called for each object that HCN has created. */
export function newHcnCalls(
  library: ComputeNetworkLibrary,
  onCreated: (object: OpenObject) => void = () => undefined,
) {
  const objectOf = <K extends Kind>(
    kind: K,
    id: Guid<K>,
    { hresult, value }: HcnResponse<Handle<K>>,
  ): Answer<OpenObject<K> | undefined> => ({
    hresult,
    value: isFailure(hresult) ? undefined : { kind, id, handle: value },
  });
  const created = <K extends Kind>(kind: K, id: Guid<K>, response: HcnResponse<Handle<K>>) => {
    const answer = objectOf(kind, id, response);
    if (answer.value !== undefined) onCreated(answer.value);
    return answer;
  };
  const withoutValue = ({ hresult }: HcnResponse): Answer => ({ hresult, value: undefined });
  return {
    /** `id` is a new one by default. */
    create: async <K extends Exclude<Kind, 'Endpoint'>>(
      kind: K,
      document: JsonObject,
      id: Guid<K> = newProbeId(),
    ) => created(kind, id, await library.create(kind, id, documentText(document))),
    /** Like `create`. */
    createEndpoint: async (
      { handle }: OpenObject<'Network'>,
      document: JsonObject,
      id: EndpointId = newProbeId(),
    ) => created('Endpoint', id, await library.createEndpoint(handle, id, documentText(document))),
    open: async <K extends Kind>(kind: K, id: Guid<K>) => objectOf(kind, id, await library.open(kind, id)),
    /** `query` is a V2 query by default. */
    query: async (
      { handle }: OpenObject,
      query = hostComputeQuery(),
    ): Promise<Answer<JsonObject | undefined>> => {
      const { hresult, value } = await library.query(handle, query);
      const document = isFailure(hresult) ? undefined : parsed(value);
      return { hresult, value: isObject(document) ? document : undefined };
    },
    modify: async ({ handle }: OpenObject, document: JsonObject) =>
      withoutValue(await library.modify(handle, documentText(document))),
    delete: async <K extends Kind>(kind: K, id: Guid<K>) => withoutValue(await library.delete(kind, id)),
    close: async ({ handle }: OpenObject) => withoutValue(await library.close(handle)),
    /** The value is undefined if HNS returned no list. */
    enumerate: async <K extends Kind>(
      kind: K,
      filter?: Readonly<Record<string, boolean>>,
    ): Promise<Answer<readonly Guid<K>[] | undefined>> => {
      const { hresult, value } = await library.enumerate(kind, hostComputeQuery(filter));
      const ids = isFailure(hresult) ? undefined : (parsed(value) ?? []);
      return { hresult, value: Array.isArray(ids) ? ids.map((id) => String(id).toLowerCase()) : undefined };
    },
  };
}

/** Undefined for text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}
