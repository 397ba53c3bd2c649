import { CniError } from '../../cni/error.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { checkHostEndpoint } from '../../plan/host-endpoint.ts';
import { type IdentifiedNetwork, resolveNetwork } from '../../plan/network.ts';
import { needsAdapters } from '../../plan/network-adapter.ts';
import type { Facts } from './facts.ts';

/** What ADD makes of the configured network: the one there is, the one it would create, or its refusal. */
export type NetworkOutlook =
  | {
      readonly is: 'planned';
      readonly config: NetworkConfig;
      readonly found: ObservedNetwork | undefined;
      readonly network: IdentifiedNetwork;
      readonly adapters: readonly HostAdapter[];
      readonly inventory: Inventory;
    }
  | {
      readonly is: 'refused';
      readonly found: ObservedNetwork | undefined;
      readonly error: CniError;
    }
  | { readonly is: 'unknown'; readonly reason: string };

/** Plans the network as ADD and STATUS do; undefined where no configuration says what it is to be. */
export function networkOutlook({ configuration, inventory, adapters }: Facts): NetworkOutlook | undefined {
  const config = configuration.network;
  if (config === undefined) return undefined;
  if ('unknown' in inventory) return { is: 'unknown', reason: 'HCN did not say' };
  const { networks, unreadable = [] } = inventory.known;
  const found = networks.find(({ Name }) => Name === config.name);
  if (found === undefined && unreadable.some(({ kind }) => kind === 'Network'))
    return { is: 'unknown', reason: 'HCN did not show every network' };
  if ('unknown' in adapters && needsAdapters(config, found))
    return { is: 'unknown', reason: adapters.unknown };
  const known = 'known' in adapters ? adapters.known : [];
  try {
    const network = resolveNetwork(config, found, known);
    checkHostEndpoint(config, network, known);
    return { is: 'planned', config, found, network, adapters: known, inventory: inventory.known };
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    return { is: 'refused', found, error };
  }
}
