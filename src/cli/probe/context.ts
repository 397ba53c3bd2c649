import type { Guid } from '../../hcn/guid.ts';
import type { JsonObject } from '../../json/members.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { HcnCalls, OpenObject } from './hcn-calls.ts';
import type { Subnet } from './names.ts';
import { type Counts, type NetworkType, type Observation, seen } from './observation.ts';

/** The network of a ground, which its experiments share. */
export type SharedNetwork = OpenObject<'Network'> & {
  readonly type: NetworkType;
  readonly name: string;
  readonly subnet: Subnet;
  /** The ID that was requested. */
  readonly requested: Guid<'Network'>;
  /** The first V2 document. */
  readonly document: JsonObject;
  /** The HRESULTs by which HNS refused the creation at first. */
  readonly refusals: readonly number[];
  /** Another network was on the adapter before. */
  readonly isReplacement: boolean;
};

/** Objects and observations that several experiments on one network share: made for the first one. */
export interface Part<T> {
  readonly creates: Counts;
  readonly make: (context: Context) => Promise<T>;
}

/** What an experiment can use. */
export interface Context extends HcnCalls {
  /** The adapter of --adapter. */
  readonly adapter: string | undefined;
  /** The network of the experiment's ground. Throws NotTried, for each experiment, if HNS refuses it. */
  network(): Promise<SharedNetwork>;
  share<T>(part: Part<T>): Promise<T>;
  /** How many networks of a type may still be created. */
  roomFor(type: NetworkType): number;
  /** The node's network adapters. */
  adapters(): Promise<readonly HostAdapter[]>;
  /** Restarts the Host Network Service. Throws NotTried if that fails. */
  restartHns(): Promise<void>;
  newSubnet(): Subnet;
  /** Throws NotTried after Ctrl+C. */
  pause(milliseconds: number): Promise<void>;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/**
 * When a condition becomes true: `at once` if the first query shows it, `late`, or `never` if it does not within some seconds. The detail
 * is the time.
 */
export async function seenWhen(
  { now, pause }: Context,
  seconds: number,
  isTrue: () => Promise<boolean>,
): Promise<Observation> {
  const started = now();
  for (let isFirst = true; ; isFirst = false) {
    const isReached = await isTrue();
    const elapsed = Math.round(now() - started);
    if (isReached) return seen(isFirst ? 'at once' : 'late', `${elapsed} ms`);
    if (elapsed >= seconds * 1000) return seen('never', `not within ${seconds} s`);
    await pause(250);
  }
}

/** Retries a call that HNS refuses for some seconds. Returns the last answer, and the HRESULTs of the refusals before it. */
export async function retried<T extends { readonly hresult: number }>(
  { pause }: Pick<Context, 'pause'>,
  mayRetry: (answer: T) => boolean,
  call: () => Promise<T>,
): Promise<{ readonly answer: T; readonly refusals: readonly number[] }> {
  const refusals: number[] = [];
  for (;;) {
    const answer = await call();
    if (!mayRetry(answer) || refusals.length >= attempts) return { answer, refusals };
    refusals.push(answer.hresult);
    await pause(500);
  }
}

/** Half a second apart. */
const attempts = 20;
