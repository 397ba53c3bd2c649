import { documentText, hostComputeQuery } from '../../hcn/documents.ts';
import type { Guid, Kind } from '../../hcn/guid.ts';
import { isFailure } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse } from '../../hcn/library.ts';
import { type JsonObject, parseObject } from '../../json/members.ts';
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
  const opened = <K extends Kind>(id: Guid<K>, { hresult, value: handle }: HcnResponse<Handle<K>>) => ({
    hresult,
    value: isFailure(hresult) ? undefined : { kind: handle.kind, id, handle },
  });
  const created = <K extends Kind>(id: Guid<K>, response: HcnResponse<Handle<K>>) => {
    const answer = opened(id, response);
    if (answer.value !== undefined) onCreated(answer.value);
    return answer;
  };
  const withoutValue = ({ hresult }: HcnResponse): Answer => ({ hresult, value: undefined });
  return {
    create: async <K extends 'Network' | 'Namespace'>(
      kind: K,
      document: JsonObject,
      id: Guid<K> = newProbeId(),
    ) => created(id, await library.create(kind, id, documentText(document))),
    createEndpoint: async ({ handle }: OpenObject<'Network'>, document: JsonObject) => {
      const id = newProbeId<'Endpoint'>();
      return created(id, await library.createEndpoint(handle, id, documentText(document)));
    },
    open: async <K extends Kind>(kind: K, id: Guid<K>) => opened(id, await library.open(kind, id)),
    /** `query` is a V2 query by default. */
    query: async (
      { handle }: OpenObject,
      query = hostComputeQuery(),
    ): Promise<Answer<JsonObject | undefined>> => {
      const { hresult, value } = await library.query(handle, query);
      return { hresult, value: isFailure(hresult) ? undefined : parseObject(value) };
    },
    modify: async ({ handle }: OpenObject, document: JsonObject) =>
      withoutValue(await library.modify(handle, documentText(document))),
    delete: async <K extends Kind>(kind: K, id: Guid<K>) => withoutValue(await library.delete(kind, id)),
    close: async ({ handle }: OpenObject) => withoutValue(await library.close(handle)),
  };
}
