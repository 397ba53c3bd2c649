import type { Ended } from './request.ts';

/** The most a request may wait for, in milliseconds: its calls that are late, its IPAM plugin, and HNS to finish something. */
const callMilliseconds = { default: 30_000, longest: 120_000 };
/** For giving back what was taken, once a call was late. */
const graceMilliseconds = 5_000;
const ipamMilliseconds = 60_000;
const hnsMilliseconds = 20_000 + 3_000 + 2_000 + 2 * 250;
/** STATUS as a whole: ten seconds for HCN, and half of that for an IPAM plugin at least. */
const statusMilliseconds = 15_000;

/** How long a request that met this may have taken. */
export function allowedMilliseconds({ command, met, ipamRuns, namesLimit }: Ended): number {
  if (command === 'STATUS') return statusMilliseconds;
  const limit = namesLimit ? callMilliseconds.longest : callMilliseconds.default;
  const calls = Math.min(met.late * limit, 2 * limit + graceMilliseconds);
  return calls + ipamRuns * ipamMilliseconds + hnsMilliseconds;
}
