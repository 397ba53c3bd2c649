import type { IRawProperty } from 'fast-check';

/** A property that holds for every input, with a few runs in `npm test` and many in `npm run fuzz`. */
export interface Property {
  readonly name: string;
  readonly property: IRawProperty<unknown>;
  /** The number of runs in `npm test` and in `npm run fuzz`. */
  readonly runs: { readonly test: number; readonly fuzz: number };
}
