import { symbolOf } from '../../../src/cli/probe/experiment.ts';
import { rows } from '../../../src/cli/probe/experiments.ts';
import type { HnsOptions } from '../../simulator/hns.ts';
import { type VariantName, variantNames, variants } from '../../simulator/variants/variants.ts';

/** A position of a variant, and what `probe` observes there. */
export interface ObservedPosition {
  readonly name: VariantName;
  readonly position: string | number;
  readonly observed: string;
  readonly verdict: 'holds' | 'does not hold';
}

/** Every position that an experiment observes. */
export const observedPositions: readonly ObservedPosition[] = variantNames.flatMap((name) => {
  const row = rows.find(({ id }) => id === name);
  if (row === undefined) return [];
  const { expected } = row;
  return variants[name].positions.map((position): ObservedPosition => {
    const observed = typeof position === 'number' ? symbolOf(position) : position;
    return { name, position, observed, verdict: expected.includes(observed) ? 'holds' : 'does not hold' };
  });
});

/** Positions of other variants without which a variant has no effect. */
const enabling: Partial<Record<VariantName, Readonly<Record<string, string>>>> = {
  unreleasedAdapter: { adapterRelease: 'after a refusal' },
};

/** A node with a position that shows. */
export function nodeWith({ name, position }: ObservedPosition): HnsOptions {
  return { switches: { ...enabling[name], [name]: position } };
}
