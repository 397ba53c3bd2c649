import type { Usage } from './measure.ts';

/** In milliseconds. */
export interface Times {
  readonly min: number;
  readonly median: number;
}

/** Statistics of the runs of one request. */
export interface Summary {
  readonly name: string;
  readonly runs: number;
  readonly cpu: Times;
  readonly wall: Times;
  /** Medians. */
  readonly memoryKib: number;
  readonly bytesRead: number;
  readonly hcnCalls: number;
  readonly ipHelperCalls: number;
}

/** The figures of one run. */
export interface Sample extends Usage {
  readonly hcnCalls: number;
  readonly ipHelperCalls: number;
}

/** Returns the statistics of a request's runs. Throws if there is none. */
export function summarize(name: string, samples: readonly Sample[]): Summary {
  const medianOf = (key: keyof Sample) => median(samples.map((sample) => sample[key]));
  const times = (key: 'cpuUs' | 'wallUs'): Times => ({
    min: Math.min(...samples.map((sample) => sample[key])) / 1000,
    median: medianOf(key) / 1000,
  });
  return {
    name,
    runs: samples.length,
    cpu: times('cpuUs'),
    wall: times('wallUs'),
    memoryKib: medianOf('memoryKib'),
    bytesRead: medianOf('bytesRead'),
    hcnCalls: medianOf('hcnCalls'),
    ipHelperCalls: medianOf('ipHelperCalls'),
  };
}

/** The higher of the two in the middle. Throws if there is no value. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('no values');
  return middle;
}

/** How many times a bare start a request takes. */
export interface Ratios {
  readonly cpu: number;
  readonly memory: number;
}

/** Compares the minimum times, which other programs on the machine disturb least. */
export function ratios(request: Summary, bare: Summary): Ratios {
  return {
    cpu: request.cpu.min / bare.cpu.min,
    memory: request.memoryKib / bare.memoryKib,
  };
}
