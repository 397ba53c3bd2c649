// What a request may cost. CI enforces these limits; lower them when a change makes requests cheaper.

import type { Lane } from './run-lane.ts';

/** The executable on Linux, compared to a bare start of the same runtime. */
export interface Limit {
  /** The name of a row. */
  readonly request: string;
  /** The highest ratio of CPU time: of minimum or of median times, whichever is lower. A busy machine rarely raises both. */
  readonly cpu: number;
  /** The highest ratio of memory. */
  readonly memory: number;
  /** Kilobytes that the request may read in addition to the bare start. */
  readonly kilobytesRead: number;
}

/** About 10 % of CPU time and 4 % of memory above the median values of the slower of two machines, both busy. */
export const limits: readonly Limit[] = [
  { request: 'VERSION', cpu: 1.05, memory: 1.1, kilobytesRead: 2 },
  { request: 'STATUS', cpu: 1.39, memory: 1.25, kilobytesRead: 1160 },
  { request: 'ADD', cpu: 1.63, memory: 1.36, kilobytesRead: 1160 },
  { request: 'ADD with host-local', cpu: 2.21, memory: 1.46, kilobytesRead: 1160 },
  { request: 'CHECK', cpu: 1.48, memory: 1.27, kilobytesRead: 1160 },
  { request: 'DEL', cpu: 1.39, memory: 1.25, kilobytesRead: 1160 },
];

/** The private memory of an ADD that waits for HNS, compared to a bare start that waits: 110 pods may wait at once. */
export const waitingMemory = 1.4;

/** Kilobytes of bundles: the first answers VERSION and loads the second for all other requests. */
export const sizeLimits: Readonly<Record<string, number>> = {
  'build/win-hcn.cjs': 6.5,
  'build/win-hcn-plugin.cjs': 193,
};

/** Returns a sentence for each limit that a lane exceeds. */
export function excesses(lane: Lane, allowed: readonly Limit[]): readonly string[] {
  return allowed.flatMap((limit) => {
    const request = lane.requests.find(({ name }) => name === limit.request);
    if (request === undefined) return [`${limit.request} was not measured`];
    const { bare } = lane;
    const cpu = Math.min(request.cpu.min / bare.cpu.min, request.cpu.median / bare.cpu.median);
    const kilobytesRead = (request.bytesRead - bare.bytesRead) / 1000;
    return [
      ...excess(limit.request, 'times the CPU time of a bare start', cpu, limit.cpu),
      ...excess(limit.request, 'times its memory', request.memoryKib / bare.memoryKib, limit.memory),
      ...excess(limit.request, 'kB read in addition to it', kilobytesRead, limit.kilobytesRead),
    ];
  });
}

function excess(request: string, measure: string, value: number, limit: number): readonly string[] {
  return value > limit ? [`${request}: ${value.toFixed(2)} ${measure}, limit ${limit}`] : [];
}
