import type { Inventory } from '../../model/inventory.ts';
import { printable } from '../printable.ts';

/** What of HCN's could not be read, a line for each object; none where all could. */
export function unreadableRemarks({ unreadable = [] }: Inventory): readonly string[] {
  return unreadable.map(({ error }) => `win-hcn: left out: ${printable(error.message)}`);
}
