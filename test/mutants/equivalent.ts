import type { Equivalent } from './equivalents.ts';

/** The mutants that mean the same as the program, each with the reason. Copy `line` from the source, `change` from the report. */
export const equivalents: readonly Equivalent[] = [];
