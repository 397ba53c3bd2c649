import type { Switches } from '../../simulator/profiles.ts';
import type { Node } from '../node.ts';
import type { Command, Scenario } from './scenario.ts';

/** How many enumerations may omit a new network. */
const lateLists = 2;

/** Waits until enumerations contain a new network. */
export async function letListsCatchUp({ hcn }: Node, { hns }: Scenario): Promise<void> {
  if (hns?.switches?.networkListing !== 'late') return;
  for (let list = 0; list < lateLists; list += 1) await hcn.findNetworks();
}

/**
 * Whether a late enumeration has no remedy: GC has no other source, and an HNS that chooses ids and accepts two networks of one name
 * creates a second one.
 */
export function needsLists(command: Command, { hns }: Scenario): boolean {
  const { callerIds, duplicateNetworkName }: Partial<Switches> = hns?.switches ?? {};
  return command === 'GC' || (callerIds === 'ignored' && duplicateNetworkName === 'accepted');
}
