import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { familyOf, isHostAddress } from '../../net/address.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import {
  addressesOf,
  backendAddresses,
  type Destination,
  describeLocalDelivery,
} from '../traffic/destination.ts';
import { loadBalancerStage } from './load-balancer-stage.ts';
import { loopbackStage, outboundNatStage, portMappingStage, proxyStage } from './nat-stages.ts';
import { type NatRule, numberedPolicies, type Query } from './query.ts';
import { overlayStage, routeStage, sdnRouteStage } from './route-stages.ts';

/** How HNS is configured to handle traffic from an endpoint to a destination. */
export interface NatExplanation {
  readonly endpoint: EndpointId;
  readonly network: string;
  /** The endpoint's addresses of the destination's family. */
  readonly addresses: readonly string[];
  readonly macAddress: string;
  /** Sentences, most important first. */
  readonly says: readonly string[];
  /** Whether part of the result is uncertain. */
  readonly open: boolean;
  /** In the order of the data path: first the pod, then its port of the virtual switch. */
  readonly lines: readonly NatRule[];
}

/** Explains which NAT, load balancer, route or proxy applies to traffic from an endpoint. */
export function explainNat(
  endpoint: ObservedEndpoint,
  destination: Destination,
  inventory: Inventory,
  nodeAddresses: readonly string[] | undefined,
): NatExplanation {
  const { network: name, macAddress, stale } = endpointRow(endpoint, inventory);
  const { address } = destination;
  const family = familyOf(address);
  const addresses = addressesOf(endpoint, family);
  const about = { endpoint: endpoint.ID, network: name, addresses, macAddress };
  const withoutLines = (sentence: string, open: boolean) => ({ ...about, says: [sentence], open, lines: [] });
  if (addresses.length === 0)
    return withoutLines(`Not through this endpoint: it has no ${family} address.`, true);
  const within = describeLocalDelivery(address, addresses);
  if (within !== undefined) return withoutLines(within, false);
  if (!isHostAddress(address))
    return withoutLines(
      `${address} is not a unicast address, and HNS does not document how it handles it.`,
      true,
    );
  const network = inventory.networks.find(({ ID }) => ID === endpoint.HostComputeNetwork);
  const query: Query = {
    endpoint,
    addresses,
    destination,
    inventory,
    ...(network !== undefined && { network }),
    ...(nodeAddresses !== undefined && { nodeAddresses }),
  };
  const proxy = proxyStage(query);
  const route = routeStage(query);
  const balancing = loadBalancerStage(query);
  const loopback = loopbackStage(query, balancing.by);
  const sdnRoute = sdnRouteStage(query);
  const overlay = overlayStage(query);
  const backends = balancing.by === undefined ? [] : backendAddresses(balancing.by, inventory, family);
  const nat = outboundNatStage(query, backends);
  const mappings = portMappingStage(query);
  const hasRoute = route.sentences.length === 0;
  const dataPath = hasRoute
    ? [proxy, route, balancing, loopback, sdnRoute, overlay, nat, mappings]
    : [proxy, route];
  const byImportance = hasRoute ? [proxy, route, balancing, loopback, nat, sdnRoute, overlay] : dataPath;
  const unevaluated = [endpoint, network].some((owner) => numberedPolicies('L4Proxy', owner).length > 0)
    ? ['L4Proxy policies, which explain-nat does not evaluate, may redirect the traffic.']
    : [];
  return {
    ...about,
    says: [
      ...unevaluated,
      ...byImportance.flatMap(({ sentences }) => sentences),
      ...(stale === undefined ? [] : [`The endpoint is a leftover: ${stale}.`]),
    ],
    open: unevaluated.length > 0 || dataPath.some(({ uncertain }) => uncertain === true),
    lines: dataPath.flatMap(({ rules }) => rules),
  };
}
