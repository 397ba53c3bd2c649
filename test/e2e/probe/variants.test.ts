import { describe, expect, test } from 'vitest';
import { nodeWith, observedPositions } from './positions.ts';
import { everything, probeReport } from './run-probe.ts';

describe('probe observes the position of a variant', () => {
  test.each(observedPositions)('$name: $position', async (position) => {
    const { name, observed, verdict } = position;
    const report = await probeReport(nodeWith(position), [...everything, '--row', name]);
    expect(report.rows).toMatchObject([{ id: name, observed, verdict }]);
    expect(report.remaining).toEqual([]);
  });
});
