// MAC addresses: the default pool of a network and the next free address.

import type { MacRange } from './documents.ts';
import { HnsError } from './hresults.ts';

const pattern = /^[0-9a-f]{2}([-:])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$/i;

export function isMacAddress(text: string): boolean {
  return pattern.test(text);
}

/** 4096 addresses of Microsoft's range that no other network's default pool has: 00-15-5D-xx-y0-00 to -yF-FF. */
export function defaultRange(taken: readonly MacRange[]): MacRange {
  for (let block = 0x5_2c; block <= 0xf_ff; block++) {
    const hex = block.toString(16).toUpperCase().padStart(3, '0');
    const stem = `00-15-5D-${hex.slice(0, 2)}-${hex.slice(2)}`;
    const range = { StartMacAddress: `${stem}0-00`, EndMacAddress: `${stem}F-FF` };
    if (!taken.some((other) => other.StartMacAddress === range.StartMacAddress)) return range;
  }
  throw new HnsError('E_FAIL');
}

export function nextMacAddress(ranges: readonly MacRange[], taken: readonly string[]): string {
  const used = new Set(taken.map(macValue));
  for (const range of ranges) {
    const end = macValue(range.EndMacAddress);
    for (let value = macValue(range.StartMacAddress); value <= end; value++) {
      if (!used.has(value)) return formatMac(value);
    }
  }
  throw new HnsError('HCN_E_ADDR_INVALID_OR_RESERVED');
}

export function macValue(text: string): number {
  return Number.parseInt(text.replaceAll(/[-:]/g, ''), 16);
}

function formatMac(value: number): string {
  const hex = value.toString(16).toUpperCase().padStart(12, '0');
  return (hex.match(/../g) ?? []).join('-');
}
