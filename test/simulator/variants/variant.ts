// One row of the tables of variants.

import { type HresultName, hresultOf } from '../hresults.ts';
import type { Profile } from '../profiles.ts';

/** A word, or an HRESULT if only the code is uncertain. */
export type Position = string | number;

/** Behavior of real HNS that is uncertain. Its row of `win-hcn probe` has the evidence. */
export interface Variant {
  readonly meaning: string;
  /** The first is the default. */
  readonly positions: readonly [Position, Position, ...Position[]];
  /** The positions of profiles that differ from the first position. */
  readonly profiles?: Readonly<Partial<Record<Profile, Position>>>;
}

/** Returns positions that differ in the code only. */
export function codes(
  first: HresultName,
  second: HresultName,
  ...others: HresultName[]
): readonly [number, number, ...number[]] {
  return [hresultOf(first), hresultOf(second), ...others.map(hresultOf)];
}
