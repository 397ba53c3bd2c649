export interface Compared {
  /** The time of the long run. */
  readonly time: number;
  /** The time of the long run, divided by that of all short runs. */
  readonly ratio: number;
}

/** Compares the time of one long run to that of several short ones, which together do as much if time grows linearly. */
export function timeRatio(short: () => void, times: number, long: () => void): Compared {
  const inShortRuns = shortest(() => {
    for (let done = 0; done < times; done += 1) short();
  });
  const first = timeOf(long);
  const time = first / inShortRuns > 2 ? Math.min(first, shortest(long)) : first;
  return { time, ratio: time / inShortRuns };
}

/** Every try must show growth: a busy machine shows it now and then. */
const tries = 6;

/** Whether time grows about as the square, or faster, in every try. `compare` compares to this number of short runs. */
export function grows(times: number, compare: () => Compared): boolean {
  for (let tried = 0; tried < tries; tried += 1) if (compare().ratio <= Math.max(4, times / 2)) return false;
  return true;
}

/**
 * The shortest time of several runs, in milliseconds. On a busy machine one run may take long, which would feign growth, or hide it: then
 * a longer text would take hours.
 */
export function shortest(work: () => unknown, runs = 3): number {
  return Math.min(...Array.from({ length: runs }, () => timeOf(work)));
}

function timeOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
