// How long the service takes for a call, in milliseconds.

import { setTimeout as sleep } from 'node:timers/promises';
import { isIpHelper } from './functions.ts';
import type { CallFrame } from './wire.ts';

/** Closing a handle and the IP Helper take no time. */
export interface Latency {
  readonly createMs: number;
  /** Every other call, such as opening, querying and enumerating. */
  readonly queryMs: number;
  /** Default: calls do not wait for each other. */
  readonly oneAtATime?: true;
}

export const noLatency: Latency = { createMs: 0, queryMs: 0 };

/** Lets calls take their time, and adds up how long those that wait for each other took. */
export class Pace {
  latency: Latency = noLatency;
  busyMs = 0;
  #last: Promise<void> = Promise.resolve();

  async take(frame: CallFrame): Promise<void> {
    const delay = delayOf(frame, this.latency);
    if (delay === 0) return;
    if (this.latency.oneAtATime === undefined) return sleep(delay, undefined, { ref: false });
    this.#last = this.#last.then(async () => {
      const started = performance.now();
      await sleep(delay, undefined, { ref: false });
      this.busyMs += performance.now() - started;
    });
    return this.#last;
  }
}

export function delayOf(frame: CallFrame, { createMs, queryMs }: Latency): number {
  if (isIpHelper(frame.function) || frame.function.startsWith('HcnClose')) return 0;
  return frame.function.startsWith('HcnCreate') ? createMs : queryMs;
}
