// How long the service takes for a call, in milliseconds.

import { setTimeout as sleep } from 'node:timers/promises';
import { isIpHelper } from './functions.ts';
import type { CallFrame } from './wire.ts';

/** Closing a handle and the IP Helper take no time. */
export interface Latency {
  readonly createMs: number;
  /** Returns how much longer a creation takes. Default: no longer. */
  readonly more?: () => number;
  /** Every other call, such as opening, querying and enumerating. */
  readonly queryMs: number;
  /** Default: calls do not wait for each other. */
  readonly oneAtATime?: true;
  /** Default: real time. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

export const noLatency: Latency = { createMs: 0, queryMs: 0 };

const realTime = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { ref: false });

/** Lets calls take their time. */
export class Pace {
  latency: Latency = noLatency;
  #last: Promise<void> = Promise.resolve();

  async take(frame: CallFrame): Promise<void> {
    const delay = delayOf(frame, this.latency);
    if (delay === 0) return;
    if (this.latency.oneAtATime === undefined) return this.wait(delay);
    this.#last = this.#last.then(() => this.wait(delay));
    return this.#last;
  }

  wait(milliseconds: number): Promise<void> {
    return (this.latency.sleep ?? realTime)(milliseconds);
  }
}

export function delayOf(frame: CallFrame, { createMs, queryMs, more = () => 0 }: Latency): number {
  if (isIpHelper(frame.function) || frame.function.startsWith('HcnClose')) return 0;
  return frame.function.startsWith('HcnCreate') ? createMs + more() : queryMs;
}
