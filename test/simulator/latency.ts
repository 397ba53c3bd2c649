// How long the service takes for a call, in milliseconds.

import { isIpHelper } from './functions.ts';
import type { CallFrame } from './wire.ts';

/** Closing a handle and the IP Helper take no time. */
export interface Latency {
  readonly createMs: number;
  /** Every other call, such as opening, querying and enumerating. */
  readonly queryMs: number;
}

export const noLatency: Latency = { createMs: 0, queryMs: 0 };

export function delayOf(frame: CallFrame, { createMs, queryMs }: Latency): number {
  if (isIpHelper(frame.function) || frame.function.startsWith('HcnClose')) return 0;
  return creates(frame) ? createMs : queryMs;
}

/** V1 creates an object with a POST to its collection. */
function creates({ function: name, strings: [method, path] }: CallFrame): boolean {
  return name === 'HNSCall'
    ? method?.toUpperCase() === 'POST' && /^\/?\w+\/?$/.test(path ?? '')
    : name.startsWith('HcnCreate');
}
