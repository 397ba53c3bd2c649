import type { Ended } from './request.ts';

/** Time limits of a request in milliseconds: late calls, the IPAM plugin, and waits until HNS has finished something. */
const callMilliseconds = { default: 90_000, longest: 120_000 };
/** The time for the rollback after a late call. */
const graceMilliseconds = 5_000;
const ipamMilliseconds = 60_000;
const hnsMilliseconds = 20_000 + 3_000 + 2_000 + 2 * 250;
/** The whole STATUS: ten seconds for HCN, and at least five for an IPAM plugin. */
const statusMilliseconds = 15_000;

/** Returns the time limit of a request with these faults. */
export function allowedMilliseconds({ command, met, ipamRuns, namesLimit }: Ended): number {
  if (command === 'STATUS') return statusMilliseconds;
  const limit = namesLimit ? callMilliseconds.longest : callMilliseconds.default;
  const calls = Math.min(met.late * limit, 2 * limit + graceMilliseconds);
  return calls + ipamRuns * ipamMilliseconds + hnsMilliseconds;
}
