import type { Summary } from '../../bench/statistics.ts';

/** A summary whose median times are 5 percent above the minimum. */
export function summary(name: string, cpuMs: number, more: Partial<Summary> = {}): Summary {
  return {
    name,
    runs: 25,
    cpu: { min: cpuMs, median: cpuMs * 1.05 },
    wall: { min: cpuMs * 2, median: cpuMs * 2.1 },
    memoryKib: 40_000,
    bytesRead: 30_000,
    hcnCalls: 1,
    ipHelperCalls: 0,
    ...more,
  };
}
