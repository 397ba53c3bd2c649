import { errorMessage } from '../../cni/error.ts';
import type { ObservedEndpoint, Policy } from '../../hcn/documents.ts';
import type { Guid, NetworkId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { providerAddressOf } from '../../model/network-document.ts';
import type { System } from '../../system.ts';
import { version } from '../../version.ts';
import { type EndpointDetail, endpointDetail } from '../inventory/endpoint-row.ts';
import {
  type LoadBalancerRow,
  loadBalancerRows,
  type NamespaceRow,
  type NetworkRow,
  namespaceRows,
  networkRow,
} from '../inventory/object-rows.ts';

/** When and where an inventory was read. */
export interface Snapshot {
  readonly taken: Date;
  /** The version of win-hcn. */
  readonly version: string;
  /** The computer name; absent if unknown. */
  readonly node?: string;
}

/** The data of a graph. The page contains it as JSON. */
export interface GraphData extends Omit<Snapshot, 'taken'> {
  /** ISO 8601, in UTC. */
  readonly taken: string;
  readonly networks: readonly GraphNetwork[];
  readonly endpoints: readonly GraphEndpoint[];
  readonly namespaces: readonly NamespaceRow[];
  readonly loadBalancers: readonly LoadBalancerRow[];
  /** Objects that HCN lists but does not return. No other list contains them. */
  readonly unreadable: readonly UnreadableObject[];
}

interface UnreadableObject {
  readonly id: Guid;
  readonly error: string;
}

export interface GraphNetwork extends NetworkRow {
  readonly policies: readonly Policy[];
}

export interface GraphEndpoint extends EndpointDetail {
  /** Network names are not unique, and a deleted network has none. */
  readonly networkId: NetworkId;
  /** The address of a remote endpoint's node, if HCN returns it. */
  readonly providerAddress?: string;
}

/** A snapshot taken now. */
export function snapshotOf({ clock, environment }: System): Snapshot {
  const node = environment['COMPUTERNAME'];
  return { taken: clock(), version, ...(node !== undefined && { node }) };
}

/** The rows of an inventory for the page. */
export function graphData(inventory: Inventory, { taken, ...snapshot }: Snapshot): GraphData {
  return {
    taken: taken.toISOString(),
    ...snapshot,
    networks: inventory.networks.map((network) => ({
      ...networkRow(network, inventory),
      policies: network.Policies ?? [],
    })),
    endpoints: inventory.endpoints.map((endpoint) => graphEndpoint(endpoint, inventory)),
    namespaces: namespaceRows(inventory),
    loadBalancers: loadBalancerRows(inventory),
    unreadable: (inventory.unreadable ?? []).map(({ id, error }) => ({ id, error: errorMessage(error) })),
  };
}

function graphEndpoint(endpoint: ObservedEndpoint, inventory: Inventory): GraphEndpoint {
  const providerAddress = providerAddressOf(endpoint);
  return {
    ...endpointDetail(endpoint, inventory),
    networkId: endpoint.HostComputeNetwork,
    ...(providerAddress !== undefined && { providerAddress }),
  };
}
