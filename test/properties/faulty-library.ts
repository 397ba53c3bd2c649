import type { Timer } from '../../src/hcn/deadline.ts';
import type { ComputeNetworkLibrary, HcnResponse } from '../../src/hcn/library.ts';
import type { IpHelper } from '../../src/iphlpapi/ip-helper.ts';
import { IpHelperError } from '../../src/iphlpapi/windows-errors.ts';
import { changed } from './changes.ts';
import type { Effect, Fault } from './hcn-answers.ts';

/** Counts of the calls of one request. */
export interface Met {
  calls: number;
  /** Calls without an immediate answer. */
  late: number;
  /** Calls with a fault. */
  faulty: number;
}

type Wrap = <T>(work: () => Promise<T>, change: (answer: T, effect: Effect) => T) => Promise<T>;

/** Applies faults to calls and counts them. */
export function faultsAround(faults: readonly Fault[], timer: Timer, met: Met): Wrap {
  return async (work, change) => {
    met.calls += 1;
    const due = faults.find(({ from, more }) => met.calls >= from && met.calls <= from + more);
    if (due === undefined) return work();
    const { effect } = due;
    met.faulty += 1;
    if ('hangs' in effect) {
      met.late += 1;
      if (effect.done) await work();
      return new Promise(() => undefined);
    }
    if ('late' in effect) {
      met.late += 1;
      await new Promise<void>((resolve) => timer(effect.late, resolve));
      return work();
    }
    return change(await work(), effect);
  };
}

export function faultyLibrary(library: ComputeNetworkLibrary, wrap: Wrap): ComputeNetworkLibrary {
  const other = <T>(answer: HcnResponse<T>, effect: Effect): HcnResponse<T> => {
    if ('hresult' in effect) return { ...answer, ...effect };
    if ('errorRecord' in effect) return { ...answer, errorRecord: effect.errorRecord };
    if (typeof answer.value !== 'string') return answer;
    return { ...answer, value: textOf(answer.value, effect) as T };
  };
  const faulty = <T>(work: () => Promise<HcnResponse<T>>) => wrap(work, other);
  return {
    enumerate: (...given) => faulty(() => library.enumerate(...given)),
    create: (...given) => faulty(() => library.create(...given)),
    createEndpoint: (...given) => faulty(() => library.createEndpoint(...given)),
    open: (...given) => faulty(() => library.open(...given)),
    query: (...given) => faulty(() => library.query(...given)),
    modify: (...given) => faulty(() => library.modify(...given)),
    delete: (...given) => faulty(() => library.delete(...given)),
    close: (...given) => faulty(() => library.close(...given)),
    hnsCall: (...given) => faulty(() => library.hnsCall(...given)),
  };
}

function textOf(value: string, effect: Effect): string {
  if ('answer' in effect) return effect.answer;
  if ('changes' in effect && value !== '')
    return JSON.stringify(changed(JSON.parse(value), effect.changes)) ?? '';
  return value;
}

export function faultyIpHelper(helper: IpHelper, wrap: Wrap): IpHelper {
  const faulty = <T>(work: () => Promise<T>): Promise<T> =>
    wrap(work, (answer, effect) => {
      if ('hresult' in effect) throw new IpHelperError('looking at an interface', effect.hresult & 0xffff);
      return answer;
    });
  return {
    readAdapters: () => faulty(() => helper.readAdapters()),
    enableForwarding: (index) => faulty(() => helper.enableForwarding(index)),
    removeDefaultRoutes: (index) => faulty(() => helper.removeDefaultRoutes(index)),
    readRoutes: () => faulty(() => helper.readRoutes()),
    createRoute: (route) => faulty(() => helper.createRoute(route)),
    deleteRoute: (route) => faulty(() => helper.deleteRoute(route)),
  };
}
