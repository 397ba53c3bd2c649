import type { IRawProperty } from 'fast-check';

/** A property that holds for every input, with a few runs in `npm run test:all` and many in `npm run fuzz`. */
export interface Property {
  readonly name: string;
  readonly property: IRawProperty<unknown>;
  /** The number of runs in `npm run test:all`, of which `npm test` has a tenth, and in `npm run fuzz`. */
  readonly runs: { readonly test: number; readonly fuzz: number };
}
