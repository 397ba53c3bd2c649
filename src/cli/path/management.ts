import type { ObservedNetwork } from '../../hcn/documents.ts';
import { type Family, familyOf, isLinkLocal } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { isUplink } from '../../plan/host-endpoint.ts';
import { nodeAddressOn } from '../traffic/sources.ts';
import type { NodeState } from './node-state.ts';

/** The adapters of the node through which a network's virtual switch reaches the physical network. */
export function uplinksOf({ adapters }: NodeState, network: ObservedNetwork): readonly HostAdapter[] {
  return adapters.filter((adapter) => adapter.addresses.length > 0 && isUplink(adapter, network, adapters));
}

/** The node's address on a network, the new source of translated traffic; undefined if it is not certain. */
export function managementAddress(
  node: NodeState,
  network: ObservedNetwork,
  family: Family,
): string | undefined {
  const known = nodeAddressOn(network, family, node.adapters);
  if (known !== undefined) return known;
  const [only, ...others] = uplinksOf(node, network)
    .flatMap(({ addresses }) => addresses.map(({ address }) => address))
    .filter((address) => familyOf(address) === family && !isLinkLocal(address));
  return others.length === 0 ? only : undefined;
}
