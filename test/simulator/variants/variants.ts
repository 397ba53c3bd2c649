// All uncertain behavior of real HNS, and the parameters for a covering array.

import type { Profile } from '../profiles.ts';
import { answerVariants } from './answers.ts';
import { endpointVariants } from './endpoints.ts';
import { hostVariants } from './host.ts';
import { loadBalancerVariants } from './load-balancers.ts';
import { namespaceVariants } from './namespaces.ts';
import { networkVariants } from './networks.ts';
import { policyVariants } from './policies.ts';
import type { Position, Variant } from './variant.ts';

const table = {
  ...networkVariants,
  ...endpointVariants,
  ...policyVariants,
  ...namespaceVariants,
  ...loadBalancerVariants,
  ...hostVariants,
  ...answerVariants,
};

export type VariantName = keyof typeof table;

/** The position of each variant. HnsOptions can set every one. */
export type Switches = {
  readonly [Name in VariantName]: (typeof table)[Name]['positions'][number];
};

export const variants: Readonly<Record<VariantName, Variant>> = table;

export const variantNames = Object.keys(variants) as readonly VariantName[];

/** Returns a profile's position of each variant: its own, or the first. */
export function positionsOf(profile: Profile): Switches {
  const chosen = variantNames.map((name): [VariantName, Position] => {
    const { positions, profiles } = variants[name];
    return [name, profiles?.[profile] ?? positions[0]];
  });
  return Object.fromEntries(chosen) as Switches;
}

/** A variant as a parameter of a covering array. */
export interface Uncertainty {
  readonly name: VariantName;
  readonly positions: readonly Position[];
  /** The positions differ in an HRESULT and in nothing else. */
  readonly isErrorCode: boolean;
}

export const uncertainties: readonly Uncertainty[] = variantNames.map((name) => {
  const { positions } = variants[name];
  return { name, positions, isErrorCode: positions.every((position) => typeof position === 'number') };
});
