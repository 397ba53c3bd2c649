import type { Equivalent } from './equivalents.ts';

/** The mutants that do not change the program's behavior, each with the reason. Copy `line` from the source, `change` from the report. */
export const equivalents: readonly Equivalent[] = [];
