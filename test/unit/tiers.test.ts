import { describe, expect, test } from 'vitest';
import { laterStarts, testFiles, tierOf, tiers } from '../tiers.ts';

describe('every test file runs', () => {
  test('in one tier, and each tier has files', () => {
    const byTier = Map.groupBy(testFiles(), tierOf);
    expect([...byTier.keys()].toSorted()).toEqual([...tiers].toSorted());
  });

  test.each(laterStarts)('as %s says, which is the start of a test file', (start) => {
    expect(testFiles().filter((file) => file.startsWith(start))).not.toEqual([]);
  });
});
