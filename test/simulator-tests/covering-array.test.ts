import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coveringArray, type Parameter, type Row } from '../simulator/covering-array.ts';
import { uncertainties } from '../simulator/variants/variants.ts';

type Parameters = readonly Parameter<string | number>[];

/** Returns pairs of positions that no row contains, by brute force. */
function uncovered(parameters: Parameters, rows: readonly Row<string | number>[]): string[] {
  const missing: string[] = [];
  for (const [at, one] of parameters.entries())
    for (const other of parameters.slice(at + 1))
      for (const first of one.positions)
        for (const second of other.positions)
          if (!rows.some((row) => row[one.name] === first && row[other.name] === second))
            missing.push(`${one.name} ${first}, ${other.name} ${second}`);
  return missing;
}

function parametersOf(sizes: readonly number[]): Parameters {
  return sizes.map((size, index) => ({
    name: `p${index}`,
    positions: Array.from({ length: size }, (_, position) => position),
  }));
}

function isWhole(parameters: Parameters, row: Row<string | number>): boolean {
  const names = parameters.map(({ name }) => name);
  const hasEvery = parameters.every(({ name, positions }) => positions.some((one) => one === row[name]));
  return hasEvery && JSON.stringify(Object.keys(row)) === JSON.stringify(names);
}

describe('a covering array', () => {
  it('contains every pair of positions in rows with one position of each parameter', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 9 });
    const property = fc.property(sizes, (given) => {
      const parameters = parametersOf(given);
      const rows = coveringArray(parameters);
      expect(uncovered(parameters, rows)).toEqual([]);
      expect(rows.every((row) => isWhole(parameters, row))).toBe(true);
      const [largest = 1, second = 1] = given.toSorted((one, other) => other - one);
      expect(rows.length).toBeGreaterThanOrEqual(largest * second);
    });
    fc.assert(property, { numRuns: 200, seed: 1 });
  });
  it('of one parameter has a row for each position', () => {
    expect(coveringArray(parametersOf([3]))).toEqual([{ p0: 0 }, { p0: 1 }, { p0: 2 }]);
  });
  it('of no parameters is empty', () => {
    expect(coveringArray([])).toEqual([]);
  });
  it('of two parameters contains every combination once', () => {
    const parameters = [
      { name: 'ids', positions: ['honored', 'ignored'] },
      { name: 'code', positions: [1, 2] },
    ];
    expect(coveringArray<string | number>(parameters)).toEqual([
      { ids: 'honored', code: 1 },
      { ids: 'ignored', code: 2 },
      { ids: 'honored', code: 2 },
      { ids: 'ignored', code: 1 },
    ]);
  });
  it('of all variants covers every pair in few rows, and is deterministic', () => {
    const rows = coveringArray(uncertainties);
    expect(uncovered(uncertainties, rows)).toEqual([]);
    expect(rows.length).toBeLessThan(24);
    expect(coveringArray(uncertainties)).toEqual(rows);
  });
});
