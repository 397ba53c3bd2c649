import type { Equivalent } from './equivalents.ts';

/** The mutants that mean the same as the program, each with the reason. Copy `line` from the source, `change` from the report. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/net/overlaps.ts',
    line: '.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : one.at - other.at));',
    change: '1 -> 2',
    reason: 'sort only reads the sign',
  },
];
