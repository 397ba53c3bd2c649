import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Property } from './property.ts';

/** A property ends after this many milliseconds: a busy machine runs it less often, but at least a tenth. */
const limit = 15_000;

/** Defines one test per property, with the number of runs for `npm test`. */
export function tryEach(properties: readonly Property[]): void {
  test.each(properties)('$name', async ({ property, runs }) => {
    const details = await fc.check(property, { numRuns: runs.test, interruptAfterTimeLimit: limit });
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
    expect(details.numRuns).toBeGreaterThanOrEqual(runs.test / 10);
  });
}
