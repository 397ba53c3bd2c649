import type { EndpointId, Guid, Kind } from './guid.ts';

/** An open object. HCN closes it when the process ends, or earlier with `close`. */
export interface Handle<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: Guid<K>;
  readonly pointer: unknown;
}

/** What the DLL returned, unchecked. `value` is meaningless if `hresult` (unsigned) means failure. */
export interface HcnResponse<T = void> {
  readonly hresult: number;
  readonly value: T;
  readonly errorRecord: string | undefined;
}

/**
 * The functions of computenetwork.dll for four kinds of object, and HNSCall of vmcompute.dll. Every string is a JSON document.
 * A call does not throw when HCN fails, and does not parse JSON.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_overview
 */
export interface ComputeNetworkLibrary {
  enumerate(kind: Kind, query: string): Promise<HcnResponse<string>>;
  create<K extends Exclude<Kind, 'Endpoint'>>(
    kind: K,
    id: Guid<K>,
    settings: string,
  ): Promise<HcnResponse<Handle<K>>>;
  createEndpoint(
    network: Handle<'Network'>,
    id: EndpointId,
    settings: string,
  ): Promise<HcnResponse<Handle<'Endpoint'>>>;
  open<K extends Kind>(kind: K, id: Guid<K>): Promise<HcnResponse<Handle<K>>>;
  query(handle: Handle, query: string): Promise<HcnResponse<string>>;
  modify(handle: Handle, settings: string): Promise<HcnResponse>;
  delete<K extends Kind>(kind: K, id: Guid<K>): Promise<HcnResponse>;
  close(handle: Handle): Promise<HcnResponse>;
  /**
   * HNS's older interface, the only one that returns its version. The first call loads vmcompute.dll, and throws HcnUnavailable if
   * that fails.
   */
  hnsCall(method: string, path: string, request: string): Promise<HcnResponse<string>>;
}

/** A call: the function's name, the object's id, and the document sent to HCN. */
export interface HcnCall {
  readonly name: string;
  readonly id?: Guid;
  readonly document?: string;
}

/** Runs before and after a call, which `make` makes. */
export type HcnInterceptor = <T>(
  call: HcnCall,
  make: () => Promise<HcnResponse<T>>,
) => Promise<HcnResponse<T>>;

/** A library that is loaded with its first call and passes each call to `intercept`. */
export function interceptHcnCalls(
  load: () => Promise<ComputeNetworkLibrary>,
  intercept: HcnInterceptor,
): ComputeNetworkLibrary {
  let loading: Promise<ComputeNetworkLibrary> | undefined;
  const through = async <T>(
    call: HcnCall,
    make: (library: ComputeNetworkLibrary) => Promise<HcnResponse<T>>,
  ): Promise<HcnResponse<T>> => {
    loading ??= load();
    const library = await loading;
    return intercept(call, () => make(library));
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
