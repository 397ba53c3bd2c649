import type { Switches } from '../../simulator/profiles.ts';
import type { Node } from '../node.ts';
import type { Command, Scenario } from './scenario.ts';

/** How many lists HNS may give without a new network. */
const lateLists = 2;

/** Lets time pass until lists have a network that was just created. */
export async function letListsCatchUp({ hcn }: Node, { hns }: Scenario): Promise<void> {
  if (hns?.switches?.networkListing !== 'late') return;
  for (let list = 0; list < lateLists; list += 1) await hcn.findNetworks();
}

/**
 * Whether nobody can cope with a late list: GC asks for nothing else, and HNS that accepts two networks of one name under ids of its
 * own creates the second one.
 */
export function needsLists(command: Command, { hns }: Scenario): boolean {
  const { callerIds, duplicateNetworkName }: Partial<Switches> = hns?.switches ?? {};
  return command === 'GC' || (callerIds === 'ignored' && duplicateNetworkName === 'accepted');
}
