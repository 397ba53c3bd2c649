import type { Guid } from './guid.ts';

export type Kind = 'Network' | 'Endpoint' | 'Namespace' | 'LoadBalancer';

/** An open object. HCN gives it back when the process ends, or earlier with `close`. */
export interface Handle<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: Guid;
  readonly pointer: unknown;
}

/** What the DLL returned, unjudged. `value` is meaningless when `hresult` (unsigned) says failure. */
export interface HcnResponse<T = void> {
  readonly hresult: number;
  readonly value: T;
  readonly errorRecord: string | undefined;
}

/**
 * computenetwork.dll as seven verbs, for four kinds of object, and vmcompute.dll's one; every string is a JSON document.
 * A call never throws for a failure of HCN, and reads no JSON.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_overview
 */
export interface ComputeNetworkLibrary {
  enumerate(kind: Kind, query: string): Promise<HcnResponse<string>>;
  create<K extends Exclude<Kind, 'Endpoint'>>(
    kind: K,
    id: Guid,
    settings: string,
  ): Promise<HcnResponse<Handle<K>>>;
  createEndpoint(
    network: Handle<'Network'>,
    id: Guid,
    settings: string,
  ): Promise<HcnResponse<Handle<'Endpoint'>>>;
  open<K extends Kind>(kind: K, id: Guid): Promise<HcnResponse<Handle<K>>>;
  query(handle: Handle, query: string): Promise<HcnResponse<string>>;
  modify(handle: Handle, settings: string): Promise<HcnResponse>;
  delete(kind: Kind, id: Guid): Promise<HcnResponse>;
  close(handle: Handle): Promise<HcnResponse>;
  /**
   * `HNSCall`: the service's older interface, which alone tells its version. vmcompute.dll is loaded with the first of these
   * calls, and HcnUnavailable thrown where it cannot be.
   */
  hnsCall(method: string, path: string, request: string): Promise<HcnResponse<string>>;
}

/** A call about to be made: the function's name, the object it is about, and the document it sends to HCN. */
export interface HcnCall {
  readonly name: string;
  readonly id?: Guid;
  readonly document?: string;
}

/** Makes a call, and does something before and after. */
export type HcnInterceptor = <T>(
  call: HcnCall,
  make: () => Promise<HcnResponse<T>>,
) => Promise<HcnResponse<T>>;

/** A library that is loaded with its first call, and each call of which goes through `around`. */
export function interceptHcnCalls(
  load: () => Promise<ComputeNetworkLibrary>,
  around: HcnInterceptor,
): ComputeNetworkLibrary {
  let loading: Promise<ComputeNetworkLibrary> | undefined;
  const through = async <T>(
    call: HcnCall,
    make: (library: ComputeNetworkLibrary) => Promise<HcnResponse<T>>,
  ): Promise<HcnResponse<T>> => {
    loading ??= load();
    const library = await loading;
    return around(call, () => make(library));
  };
  return {
    enumerate: (kind, query) =>
      through({ name: `HcnEnumerate${kind}s` }, (library) => library.enumerate(kind, query)),
    create: (kind, id, document) =>
      through({ name: `HcnCreate${kind}`, id, document }, (library) => library.create(kind, id, document)),
    createEndpoint: (network, id, document) =>
      through({ name: 'HcnCreateEndpoint', id, document }, (library) =>
        library.createEndpoint(network, id, document),
      ),
    open: (kind, id) => through({ name: `HcnOpen${kind}`, id }, (library) => library.open(kind, id)),
    query: (handle, query) =>
      through({ name: `HcnQuery${handle.kind}Properties`, id: handle.id }, (library) =>
        library.query(handle, query),
      ),
    modify: (handle, document) =>
      through({ name: `HcnModify${handle.kind}`, id: handle.id, document }, (library) =>
        library.modify(handle, document),
      ),
    delete: (kind, id) => through({ name: `HcnDelete${kind}`, id }, (library) => library.delete(kind, id)),
    close: (handle) =>
      through({ name: `HcnClose${handle.kind}`, id: handle.id }, (library) => library.close(handle)),
    hnsCall: (...request) => through({ name: 'HNSCall' }, (library) => library.hnsCall(...request)),
  };
}
