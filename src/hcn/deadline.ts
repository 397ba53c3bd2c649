import { HcnTimeout } from './errors.ts';
import type { ComputeNetworkLibrary } from './library.ts';

/** Waits for the given time; `cancel` ends the wait without a call. */
export type Timer = (milliseconds: number, call: () => void) => { readonly cancel: () => void };

/** The same library, each call of which fails with HcnTimeout when it takes longer than `seconds`. */
export function withDeadline(
  library: ComputeNetworkLibrary,
  seconds: number,
  timer: Timer,
): ComputeNetworkLibrary {
  const limited = <T>(call: string, answer: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const timeout = timer(seconds * 1000, () => reject(new HcnTimeout(call, seconds)));
      answer.then(resolve, reject).finally(timeout.cancel);
    });
  return {
    enumerate: (kind, query) => limited(`HcnEnumerate${kind}s`, library.enumerate(kind, query)),
    create: (kind, id, settings) => limited(`HcnCreate${kind}`, library.create(kind, id, settings)),
    createEndpoint: (network, id, settings) =>
      limited('HcnCreateEndpoint', library.createEndpoint(network, id, settings)),
    open: (kind, id) => limited(`HcnOpen${kind}`, library.open(kind, id)),
    query: (handle, query) => limited(`HcnQuery${handle.kind}Properties`, library.query(handle, query)),
    modify: (handle, settings) => limited(`HcnModify${handle.kind}`, library.modify(handle, settings)),
    delete: (kind, id) => limited(`HcnDelete${kind}`, library.delete(kind, id)),
    close: (handle) => limited(`HcnClose${handle.kind}`, library.close(handle)),
  };
}
