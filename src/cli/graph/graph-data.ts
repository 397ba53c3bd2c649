import type { ObservedEndpoint, Policy } from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { providerAddressOf } from '../../model/network-document.ts';
import { type EndpointDetail, endpointDetail } from '../inventory/endpoint-row.ts';
import { type LoadBalancerRow, loadBalancerRows } from '../inventory/load-balancer-row.ts';
import { type NamespaceRow, namespaceRows } from '../inventory/namespace-row.ts';
import { type NetworkRow, networkRow } from '../inventory/network-row.ts';
import type { Occasion } from './occasion.ts';

/** What the page has in it, as JSON. */
export interface GraphData {
  /** ISO 8601, in UTC. */
  readonly taken: string;
  readonly version: string;
  readonly node?: string;
  readonly networks: readonly GraphNetwork[];
  readonly endpoints: readonly GraphEndpoint[];
  readonly namespaces: readonly NamespaceRow[];
  readonly loadBalancers: readonly LoadBalancerRow[];
  /** What HCN lists and did not show: it is in none of the others. */
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
  /** Names are no keys: two networks may have the same, and one that is gone has none. */
  readonly networkId: Guid;
  /** Of the node that the pod is on, where HCN says it of a remote endpoint. */
  readonly providerAddress?: string;
}

export function graphData(inventory: Inventory, { taken, ...occasion }: Occasion): GraphData {
  return {
    taken: taken.toISOString(),
    ...occasion,
    networks: inventory.networks.map((network) => ({
      ...networkRow(network, inventory),
      policies: network.Policies ?? [],
    })),
    endpoints: inventory.endpoints.map((endpoint) => graphEndpoint(endpoint, inventory)),
    namespaces: namespaceRows(inventory),
    loadBalancers: loadBalancerRows(inventory),
    unreadable: (inventory.unreadable ?? []).map(({ id, error }) => ({ id, error: error.message })),
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
