import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Property } from './property.ts';

/** After so many milliseconds a property is tried no more: a machine that is busy tries it less often, but at least a tenth. */
const limit = 15_000;

/** One test for each property, with as many runs as `npm test` has time for. */
export function tryEach(properties: readonly Property[]): void {
  test.each(properties)('$name', async ({ property, runs }) => {
    const details = await fc.check(property, { numRuns: runs.test, interruptAfterTimeLimit: limit });
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
    expect(details.numRuns).toBeGreaterThanOrEqual(runs.test / 10);
  });
}
