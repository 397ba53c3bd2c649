import type { Policy } from './documents.ts';
import { HcnTimeout } from './errors.ts';
import type { HcnCall, HcnInterceptor } from './library.ts';

/** Waits for the given time; `cancel` ends the wait without a call. */
export type Timer = (milliseconds: number, call: () => void) => { readonly cancel: () => void };

/** Does some work, or throws the error that `late` returns for the seconds it had. `more` extends both limits for this work, in seconds. */
export type Limit = <T>(
  work: () => Promise<T>,
  late: (seconds: number) => Error,
  more?: number,
) => Promise<T>;

/** How long the calls of one request may take, in seconds. */
export interface Limits {
  readonly each: number;
  /** All of them together, not counting the first `uncounted` of each. */
  readonly together: number;
  readonly uncounted: number;
}

/** The limits where each call may take so many seconds: many that are quick are no reason to give up. */
export function limitsPerCall(seconds: number): Limits {
  return { each: seconds, together: 2 * seconds, uncounted: 1 };
}

/** Limits for a request whose calls may take this many seconds in total. */
export function limitsInTotal(seconds: number): Limits {
  return { each: seconds, together: seconds, uncounted: 0 };
}

/** The time for rollback after the first late call: in total, and for each call. */
const graceMilliseconds = 5_000;
const graceForEach = graceMilliseconds / 2;

/**
 * The limit for the calls of one request. A call's extra seconds (`more`) do not count towards the total. After the first late call,
 * the remaining calls have 5 s in total and 2.5 s each, without extra seconds, because the runtime waits and retries. A call without
 * time left is not made, and `late` gets 0.
 */
export function newLimit({ each, together, uncounted }: Limits, timer: Timer, now: () => number): Limit {
  let left = together * 1000;
  let grace = graceMilliseconds;
  return async (work, late, more = 0) => {
    const isGrace = grace === 0;
    const longest = isGrace ? graceForEach : each * 1000;
    const usual = Math.max(0, Math.min(longest, left));
    const own = usual === 0 || isGrace ? 0 : more * 1000;
    const allowed = usual + own;
    let isLate = allowed === 0;
    const giveUp = () => {
      isLate = true;
      return late(Math.ceil(allowed / 100) / 10);
    };
    const started = now();
    try {
      if (isLate) throw giveUp();
      return await within(work(), allowed, timer, giveUp);
    } finally {
      const free = isGrace ? 0 : uncounted * 1000 + own;
      left -= Math.max(0, now() - started - free);
      if (isLate) {
        left = Math.min(Math.max(left, 0) + grace, graceMilliseconds);
        grace = 0;
      }
    }
  };
}

/** The outcome of some work, or the given error when it takes longer than `milliseconds`. */
function within<T>(work: Promise<T>, milliseconds: number, timer: Timer, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = timer(milliseconds, () => reject(late()));
    work.then(resolve, reject).finally(timeout.cancel);
  });
}

/** Calls to HCN that fail with HcnTimeout when they are late. A call with more than 30 ACLs gets extra time (`extraSecondsForAcls`). */
export function limitHcnCalls(limit: Limit): HcnInterceptor {
  return (call, make) =>
    limit(make, (seconds) => new HcnTimeout(call.name, seconds), extraSecondsForAcls(call));
}

/** azure-npm sends at most this many ACLs in one call (Azure/azure-container-networking, npm/config/config.go). */
const batch = 30;

/**
 * Extra time for each further batch. In Azure/azure-container-networking#1893 batches of 33 ACLs for 500 network policies took 70 s,
 * or 4.6 s each.
 */
const secondsPerBatch = 5;

/** Upper limit in seconds: kubelet waits four minutes for a pod's sandbox. */
const most = 60;

/**
 * The extra seconds a call gets for its ACLs: none up to 30 rules, then 5 s for each further 30 or part of 30, at most 60 s.
 * HNS programs each rule into the virtual switch before it returns.
 */
export function extraSecondsForAcls({ name, document }: Pick<HcnCall, 'name' | 'document'>): number {
  const further = countAcls(name, document) - batch;
  return Math.min(most, Math.max(0, Math.ceil(further / batch)) * secondsPerBatch);
}

/** The document is our own, as `hcnClient` wrote it. */
function countAcls(name: string, document = '{}'): number {
  const written: EndpointDocument = name in policiesIn ? JSON.parse(document) : {};
  const policies = policiesIn[name]?.(written) ?? [];
  return policies.filter(({ Type }) => Type === 'ACL').length;
}

interface EndpointDocument {
  readonly Policies?: readonly Policy[];
  readonly Settings?: { readonly Policies?: readonly Policy[] };
}

/** The policies in the document of each call that sets an endpoint's policies. */
const policiesIn: Readonly<Record<string, (document: EndpointDocument) => readonly Policy[] | undefined>> = {
  HcnCreateEndpoint: ({ Policies }) => Policies,
  HcnModifyEndpoint: ({ Settings }) => Settings?.Policies,
};
