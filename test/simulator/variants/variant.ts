// A row in the tables of variants.

import { type HresultName, hresultOf } from '../hresults.ts';
import type { Profile } from '../profiles.ts';

/** A word, or an HRESULT where only the code is uncertain. */
export type Position = string | number;

/** One uncertainty about real HNS. */
export interface Variant {
  readonly meaning: string;
  /** D documented, S relied on by a client's source, T required by hcsshim's or hnslib's tests, O observed on a host, C reported in a
   * code comment, I inferred. */
  readonly evidence: string;
  /** The first is the default. */
  readonly positions: readonly [Position, Position, ...Position[]];
  /** The profiles with another position than the first. */
  readonly profiles?: Readonly<Partial<Record<Profile, Position>>>;
}

/** Positions that differ in the code only. */
export function codes(
  first: HresultName,
  second: HresultName,
  ...others: HresultName[]
): readonly [number, number, ...number[]] {
  return [hresultOf(first), hresultOf(second), ...others.map(hresultOf)];
}
