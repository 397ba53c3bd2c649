import { CniError } from '../../cni/error.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { checkHostEndpoint } from '../../plan/host-endpoint.ts';
import { needsAdapters, resolveAdapterName } from '../../plan/network-adapter.ts';
import { type Difference, networkDifferences } from '../../plan/network-differences.ts';
import { type IdentifiedNetwork, resolveNetwork } from '../../plan/network-plan.ts';
import { hcnNotAvailable } from './check.ts';
import type { Facts } from './facts.ts';
import { attachedHostEndpoint } from './host-endpoint.ts';

/** What ADD would do with the configured network: use or create it, or fail, because it differs or for another reason. */
export type NetworkPlan =
  | {
      readonly is: 'planned';
      readonly config: NetworkConfig;
      readonly found: ObservedNetwork | undefined;
      readonly network: IdentifiedNetwork;
      readonly adapters: readonly HostAdapter[];
      readonly inventory: Inventory;
    }
  | {
      readonly is: 'different';
      readonly config: NetworkConfig;
      readonly found: ObservedNetwork;
      readonly differences: readonly Difference[];
      readonly inventory: Inventory;
    }
  | {
      readonly is: 'refused';
      readonly found: ObservedNetwork | undefined;
      readonly error: CniError;
    }
  | { readonly is: 'unknown'; readonly reason: string };

/** Plans the network as ADD and STATUS do; undefined without a valid configuration. */
export function planConfiguredNetwork({
  configuration,
  inventory,
  adapters,
}: Facts): NetworkPlan | undefined {
  const config = configuration.network;
  if (config === undefined) return undefined;
  if ('error' in inventory) return { is: 'unknown', reason: hcnNotAvailable };
  const { networks, unreadable = [] } = inventory.value;
  const found = networks.find(({ Name }) => Name === config.name);
  if (found === undefined && unreadable.some(({ kind }) => kind === 'Network'))
    return { is: 'unknown', reason: 'HCN did not return every network' };
  if ('error' in adapters && needsAdapters(config, found)) return { is: 'unknown', reason: adapters.error };
  const hostAdapters = 'value' in adapters ? adapters.value : [];
  try {
    const differences =
      found === undefined
        ? []
        : networkDifferences(config, resolveAdapterName(config, found, hostAdapters), found);
    if (found !== undefined && differences.length > 0)
      return { is: 'different', config, found, differences, inventory: inventory.value };
    const network = resolveNetwork(config, found, hostAdapters);
    const exists = found !== undefined && attachedHostEndpoint(found, inventory.value) !== undefined;
    checkHostEndpoint(config, network, exists ? [] : hostAdapters);
    return { is: 'planned', config, found, network, adapters: hostAdapters, inventory: inventory.value };
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    return { is: 'refused', found, error };
  }
}

/** The configured network, if ADD has not created it yet. */
export function missingNetwork(facts: Facts): readonly IdentifiedNetwork[] {
  const plan = planConfiguredNetwork(facts);
  return plan?.is === 'planned' && plan.found === undefined ? [plan.network] : [];
}
