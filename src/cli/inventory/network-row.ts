import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { NetworkId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter, defaultGateway, providerAddressOf, subnetsOf } from '../../model/network-document.ts';
import { isOwnNetwork, isRemote } from '../../model/ownership.ts';
import { isReady } from '../../model/readiness.ts';

/** A network with the number of its endpoints. */
export interface NetworkRow {
  readonly id: NetworkId;
  readonly name: string;
  readonly type: string;
  readonly subnets: readonly { readonly subnet: string; readonly gateway?: string }[];
  /** The interface name of the bound adapter. */
  readonly adapter?: string;
  /** The node's provider address, for an Overlay network. */
  readonly providerAddress?: string;
  readonly endpoints: number;
  readonly remoteEndpoints: number;
  /** An Overlay network is ready once HNS has given it a provider address. */
  readonly ready: boolean;
  readonly owner: 'win-hcn' | 'unknown';
}

export function networkRows(inventory: Inventory): readonly NetworkRow[] {
  return inventory.networks.map((network) => networkRow(network, inventory));
}

export function networkRow(network: ObservedNetwork, { endpoints }: Inventory): NetworkRow {
  const { ID: id, Name: name, Type: type } = network;
  const adapter = boundAdapter(network);
  const providerAddress = providerAddressOf(network);
  const own = endpoints.filter(({ HostComputeNetwork }) => HostComputeNetwork === id);
  const remoteEndpoints = own.filter(isRemote).length;
  return {
    id,
    name,
    type,
    subnets: subnetsOf(network).map(({ IpAddressPrefix, Routes = [] }) => {
      const gateway = defaultGateway(Routes);
      return { subnet: IpAddressPrefix, ...(gateway !== undefined && { gateway }) };
    }),
    ...(adapter !== undefined && { adapter }),
    ...(providerAddress !== undefined && { providerAddress }),
    endpoints: own.length - remoteEndpoints,
    remoteEndpoints,
    ready: isReady(network),
    owner: isOwnNetwork(network) ? 'win-hcn' : 'unknown',
  };
}
