import fc from 'fast-check';
import { test } from 'vitest';
import type { Property } from './property.ts';

/** One test for each property, with as many runs as `npm test` has time for. */
export function tryEach(properties: readonly Property[]): void {
  test.each(properties)('$name', ({ property, runs }) => fc.assert(property, { numRuns: runs.test }));
}
