import type { Ended } from './request.ts';

/** The most a request may wait for, in milliseconds: its calls that are late, its IPAM plugin, and HNS to finish something. */
const callMilliseconds = 120_000;
const ipamMilliseconds = 60_000;
const hnsMilliseconds = 20_000 + 3_000 + 2_000 + 2 * 250;
/** STATUS as a whole: a runtime asks every few seconds. */
const statusMilliseconds = 2_000;

/** How long a request that met this may have taken. */
export function allowedMilliseconds({ command, met, ipamRuns }: Ended): number {
  if (command === 'STATUS') return statusMilliseconds;
  return met.late * callMilliseconds + ipamRuns * ipamMilliseconds + hnsMilliseconds;
}
