import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Property } from './property.ts';

/** A property ends after this many milliseconds: a busy machine runs it less often, but at least a tenth. */
const limit = 15_000;

/** `npm test` runs a tenth of what `npm run test:all` does (test/tiers.ts). */
const share = process.env['WIN_HCN_TIER'] === 'quick' ? 10 : 1;

/** Defines one test per property. */
export function tryEach(properties: readonly Property[]): void {
  test.each(properties)('$name', async ({ property, runs }) => {
    const numRuns = Math.ceil(runs.test / share);
    const details = await fc.check(property, { numRuns, interruptAfterTimeLimit: limit });
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
    expect(details.numRuns).toBeGreaterThanOrEqual(numRuns / 10);
  });
}
