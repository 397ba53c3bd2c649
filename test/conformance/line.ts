// A line of the checklist of requirements of the specification and its libraries (SPEC.md, CONVENTIONS.md, skel, libcni).

import { type CaseTest, type Story, testsOf } from './case.ts';
import { cases } from './data/cases.ts';

/** Black-box cases that cover a line: all tests of a case, or those with the text in their titles. */
type Proof = number | readonly [number, string];

export interface Line {
  readonly line: number;
  readonly says: string;
  readonly by?: readonly Proof[];
  readonly story?: Story;
}

const tests = cases.filter(({ windows }) => windows !== 'only').flatMap(testsOf);

export const titleOf = ({ line, says }: Line): string => `line ${line}: ${says}`;

/** Returns the black-box tests of a line. Throws if a reference matches no test. */
export function casesOf({ line, by = [] }: Line): readonly CaseTest[] {
  return by.flatMap((proof) => {
    const [number, text] = typeof proof === 'number' ? [proof, ''] : proof;
    const found = tests.filter(
      (test) => test.number === number && `${test.title}: ${test.what}`.includes(text),
    );
    if (found.length === 0)
      throw new Error(`line ${line}: no test of case ${number} has "${text}" in its title`);
    return found;
  });
}
