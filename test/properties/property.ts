import type { IRawProperty } from 'fast-check';

/** What holds for every input, tried a few times with every test run and many times by `npm run fuzz`. */
export interface Property {
  readonly name: string;
  readonly property: IRawProperty<unknown>;
  /** How often `npm test` tries it, and how often `npm run fuzz`. */
  readonly runs: { readonly test: number; readonly fuzz: number };
}
