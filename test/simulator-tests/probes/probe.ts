// A probe shows a variant's position: what it does, and what each position leads to.

import type { Hns, HnsOptions } from '../../simulator/hns.ts';
import type { Position } from '../../simulator/variants/variant.ts';
import type { VariantName } from '../../simulator/variants/variants.ts';

export interface Probe {
  readonly name: VariantName;
  readonly options?: HnsOptions;
  readonly see: (hns: Hns) => Promise<unknown>;
  /** In the order of the table. */
  readonly positions: readonly (readonly [position: Position, seen: unknown])[];
}

export const done = '0x00000000';
export const networkId = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
export const endpointId = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';
export const missingId = 'd7a1f1b0-43f7-4b7e-9a2b-0c5d1e6f7a80';
