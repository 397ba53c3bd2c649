/** A small fault planted in a source file, as somebody could write it by mistake. */
export interface Mutant {
  /** Occurs once in the file. */
  readonly before: string;
  readonly after: string;
  /** What a user would notice. */
  readonly noticed: string;
}

/** The mutants of one source file, and the tests that are to notice them. */
export interface MutantsOf {
  readonly file: string;
  /** Below test/ and without `.test.ts`, those of the projects unit and e2e; all of these run where none of them notices. */
  readonly tests: readonly string[];
  readonly mutants: readonly Mutant[];
}
