import type { Guid } from './guid.ts';
import type { Answer, ComputeNetworkLibrary } from './library.ts';

/** A call about to be made: the function's name, the object it is about, and the document it sends to HCN. */
export interface HcnCall {
  readonly name: string;
  readonly id?: Guid;
  readonly document?: string;
}

/** Makes a call, and does something before and after. */
export type AroundHcn = <T>(call: HcnCall, make: () => Promise<Answer<T>>) => Promise<Answer<T>>;

/** A library that is loaded with its first call, and each call of which goes through `around`. */
export function aroundHcnCalls(
  load: () => Promise<ComputeNetworkLibrary>,
  around: AroundHcn,
): ComputeNetworkLibrary {
  let loading: Promise<ComputeNetworkLibrary> | undefined;
  const through = async <T>(
    call: HcnCall,
    make: (library: ComputeNetworkLibrary) => Promise<Answer<T>>,
  ): Promise<Answer<T>> => {
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
