import { coveringArray, type Parameter } from '../../simulator/covering-array.ts';
import type { Switches } from '../../simulator/profiles.ts';
import type { Position } from '../../simulator/variants/variant.ts';
import { type Uncertainty, uncertainties, type VariantName } from '../../simulator/variants/variants.ts';
import type { Behavior } from './other-hns.ts';

/** Variants of error codes on which decisions of win-hcn depend. */
const codesThatMatter: readonly VariantName[] = [
  'addressConflict',
  'deleteMissingEndpoint',
  'deleteMissingNetwork',
  'duplicateEndpoint',
  'earlyHostAttach',
  'removeAbsentEndpoint',
  'unreleasedAdapter',
];

function isUsed({ name, isErrorCode }: Uncertainty): boolean {
  return !isErrorCode || codesThatMatter.includes(name);
}

const parameters: readonly Parameter<Position>[] = uncertainties.filter(isUsed);

/** Variants of HNS that contain each pair of positions of two variants. */
export const rows: readonly Behavior[] = coveringArray(parameters).map((switches, index) => ({
  name: `on HNS ${index + 1} of the covering array`,
  switches: switches as Partial<Switches>,
  hasVariants: true,
}));
