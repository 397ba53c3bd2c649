import { symbolOf } from '../../../src/cli/probe/row.ts';
import { rows } from '../../../src/cli/probe/rows.ts';
import type { HnsOptions } from '../../simulator/hns.ts';
import { type VariantName, variantNames, variants } from '../../simulator/variants/variants.ts';
import { probeReport } from './run-probe.ts';

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
  if (row === undefined || 'impossible' in row.experiment) return [];
  const { expected } = row.experiment;
  return variants[name].positions.map((position): ObservedPosition => {
    const observed = typeof position === 'number' ? symbolOf(position) : position;
    return { name, position, observed, verdict: expected.includes(observed) ? 'holds' : 'does not hold' };
  });
});

/** Positions of other variants without which a variant has no effect. */
const enabling: Partial<Record<VariantName, Readonly<Record<string, string>>>> = {
  earlyHostAttach: { hostAttach: 'after refusals' },
  unreleasedAdapter: { adapterRelease: 'after a refusal' },
};

/** Nodes without which a variant has no effect. */
const nodes: Partial<Record<VariantName, HnsOptions>> = {
  earlyStaticAddress: { staticAddressDelayMs: 3000 },
};

/** A node with a position that shows. */
export function nodeWith({ name, position }: ObservedPosition): HnsOptions {
  return { ...nodes[name], switches: { ...enabling[name], [name]: position } };
}

/** Few nodes on which `probe` together observes each of these positions. Throws if it does not observe one alone. */
export async function fewNodes(
  positions: readonly ObservedPosition[],
  words: readonly string[],
  base: HnsOptions,
): Promise<readonly HnsOptions[]> {
  const found: HnsOptions[] = [];
  let pending = positions;
  let isSingle = false;
  while (pending.length > 0) {
    const tried: readonly ObservedPosition[] = isSingle ? pending.slice(0, 1) : firstOfEach(pending);
    const options = together(tried, base);
    const report = await probeReport(options, words);
    const isSeen = ({ name, observed }: ObservedPosition): boolean =>
      tried.some((one) => one.name === name && one.observed === observed) &&
      report.rows.some((row) => row.id === name && row.observed === observed);
    const left: typeof pending = pending.filter((position) => !isSeen(position));
    if (left.length === pending.length && isSingle)
      throw new Error(`probe does not observe ${JSON.stringify(pending[0])}`);
    isSingle = left.length === pending.length;
    if (!isSingle) found.push(options);
    pending = left;
  }
  return found;
}

function together(positions: readonly ObservedPosition[], base: HnsOptions): HnsOptions {
  const options = positions.map(nodeWith);
  const switches = Object.assign({}, ...options.map((one) => one.switches));
  return Object.assign({}, base, ...options, { switches });
}

function firstOfEach(positions: readonly ObservedPosition[]): readonly ObservedPosition[] {
  return positions.filter(({ name }, index) => positions.findIndex((one) => one.name === name) === index);
}
