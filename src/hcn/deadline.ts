import { HcnTimeout } from './errors.ts';
import type { ComputeNetworkLibrary } from './library.ts';

/** Waits for the given time; `cancel` ends the wait without a call. */
export type Timer = (milliseconds: number, call: () => void) => { readonly cancel: () => void };

/** The outcome of some work, or the given error when it takes longer than `milliseconds`. */
export function within<T>(
  work: Promise<T>,
  milliseconds: number,
  timer: Timer,
  late: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = timer(milliseconds, () => reject(late()));
    work.then(resolve, reject).finally(timeout.cancel);
  });
}

/** Makes calls of a library that is loaded with the first; each fails with what `late` makes of its name when it takes too long. */
export function limitedCalls<L>(
  load: () => Promise<L>,
  seconds: number,
  timer: Timer,
  late: (name: string) => Error,
): <T>(name: string, call: (library: L) => Promise<T>) => Promise<T> {
  let loading: Promise<L> | undefined;
  return async (name, call) => {
    loading ??= load();
    return within(call(await loading), seconds * 1000, timer, () => late(name));
  };
}

/** A library, loaded with its first call, each call of which fails with HcnTimeout when it takes longer than `seconds`. */
export function withDeadline(
  load: () => Promise<ComputeNetworkLibrary>,
  seconds: number,
  timer: Timer,
): ComputeNetworkLibrary {
  const limited = limitedCalls(load, seconds, timer, (name) => new HcnTimeout(name, seconds));
  return {
    enumerate: (kind, query) => limited(`HcnEnumerate${kind}s`, (library) => library.enumerate(kind, query)),
    create: (kind, id, settings) =>
      limited(`HcnCreate${kind}`, (library) => library.create(kind, id, settings)),
    createEndpoint: (network, id, settings) =>
      limited('HcnCreateEndpoint', (library) => library.createEndpoint(network, id, settings)),
    open: (kind, id) => limited(`HcnOpen${kind}`, (library) => library.open(kind, id)),
    query: (handle, query) =>
      limited(`HcnQuery${handle.kind}Properties`, (library) => library.query(handle, query)),
    modify: (handle, settings) =>
      limited(`HcnModify${handle.kind}`, (library) => library.modify(handle, settings)),
    delete: (kind, id) => limited(`HcnDelete${kind}`, (library) => library.delete(kind, id)),
    close: (handle) => limited(`HcnClose${handle.kind}`, (library) => library.close(handle)),
    hnsCall: (...request) => limited('HNSCall', (library) => library.hnsCall(...request)),
  };
}
