import { describe, expect, test } from 'vitest';
import { nodeWith, observedPositions } from './positions.ts';
import { everything, probeReport } from './run-probe.ts';

/** Rows whose network must have been on the adapter before. */
const before: Readonly<Record<string, readonly string[]>> = {
  adapterRelease: ['--row', 'adapterName'],
  unreleasedAdapter: ['--row', 'adapterName'],
};

describe('probe observes the position of a variant', () => {
  test.each(observedPositions)('$name: $position', async (position) => {
    const { name, observed, verdict } = position;
    const report = await probeReport(nodeWith(position), [
      ...everything,
      '--row',
      name,
      ...(before[name] ?? []),
    ]);
    expect(report.rows).toContainEqual(expect.objectContaining({ id: name, observed, verdict }));
    expect(report.remaining).toEqual([]);
  });
});
