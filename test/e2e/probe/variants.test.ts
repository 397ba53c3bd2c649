import { describe, expect, test } from 'vitest';
import { symbolOf } from '../../../src/cli/probe/row.ts';
import { rows } from '../../../src/cli/probe/rows.ts';
import type { HnsOptions } from '../../simulator/hns.ts';
import { type VariantName, variantNames, variants } from '../../simulator/variants/variants.ts';
import { everything, probeReport } from './run-probe.ts';

/** What `probe` observes of a position. */
function observedOf(position: string | number): string {
  return typeof position === 'number' ? symbolOf(position) : position;
}

const cases = variantNames.flatMap((name) => {
  const row = rows.find(({ id }) => id === name);
  if (row === undefined || 'impossible' in row.experiment) return [];
  const { expected } = row.experiment;
  return variants[name].positions.map((position) => ({ name, position, expected }));
});

describe('probe observes the position of a variant', () => {
  test.each(cases)('$name: $position', async ({ name, position, expected }) => {
    const switches = { ...enabling[name], [name]: position };
    const report = await probeReport({ ...nodes[name], switches }, [...everything, '--row', name]);
    const observed = observedOf(position);
    const verdict = expected.includes(observed) ? 'holds' : 'does not hold';
    expect(report.rows).toMatchObject([{ id: name, observed, verdict }]);
    expect(report.remaining).toEqual([]);
  });
});

/** Positions of other variants without which a variant has no effect. */
const enabling: Partial<Record<VariantName, Readonly<Record<string, string>>>> = {
  earlyHostAttach: { hostAttach: 'after refusals' },
  unreleasedAdapter: { adapterRelease: 'after a refusal' },
};

/** Nodes without which a variant has no effect. */
const nodes: Partial<Record<VariantName, HnsOptions>> = {
  earlyStaticAddress: { staticAddressDelayMs: 60_000 },
};
