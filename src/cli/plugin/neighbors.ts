import { CniError } from '../../cni/error.ts';
import type { HcnReader } from '../../hcn/client.ts';
import { describeRefusal, describeUse, findAdapterUse, remedyForUse } from '../../plan/adapter-use.ts';
import { isExternal } from '../../plan/network-adapter.ts';
import type { NetworkPlan } from '../../plan/network-plan.ts';
import { describeNatNetworks, describeOverlap, findOverlaps } from '../../plan/segments.ts';

/** What the other networks of the node mean for a network to create. */
export interface Neighbors {
  /** Why HNS refuses the network. */
  readonly problems: readonly string[];
  /** Why HNS may refuse it, and what may go wrong later. */
  readonly warnings: readonly string[];
}

const none: Neighbors = { problems: [], warnings: [] };

/** Compares a NAT network, or a network on an adapter that ADD creates, with the other networks. */
export async function findNeighbors(
  { config, found, planned, adapters }: NetworkPlan,
  hcn: HcnReader,
): Promise<Neighbors> {
  const isNat = config.networkType === 'NAT';
  if (!isNat && (found !== undefined || !isExternal(config.networkType))) return none;
  try {
    const networks = await hcn.findNetworks();
    if (isNat) {
      const others = networks.filter(({ Name }) => Name !== planned.Name);
      const warning = describeNatNetworks([planned, ...others]);
      return { problems: [], warnings: warning === undefined ? [] : [warning] };
    }
    const use = findAdapterUse(planned, networks, adapters);
    const uses =
      use === undefined ? [] : [`${describeUse(use)}: ${describeRefusal(use)}; ${remedyForUse(use)}`];
    const overlaps = findOverlaps(planned, networks, adapters).map(describeOverlap);
    return use?.isExclusive
      ? { problems: uses, warnings: overlaps }
      : { problems: [], warnings: [...uses, ...overlaps] };
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    const warning = `network "${config.name}" was not compared with the other networks: ${error.message}`;
    return { problems: [], warnings: [warning] };
  }
}
