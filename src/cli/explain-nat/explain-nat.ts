import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { familyOf, isHostAddress } from '../../net/address.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { backendAddresses } from '../traffic/backends.ts';
import type { Destination } from '../traffic/destination.ts';
import { withinPod } from '../traffic/within-pod.ts';
import { loadBalancerStage } from './load-balancer-stage.ts';
import { loopbackStage } from './loopback-stage.ts';
import { outboundNatStage } from './outbound-nat-stage.ts';
import { portMappingStage } from './port-mapping-stage.ts';
import { proxyStage } from './proxy-stage.ts';
import { type NatLine, policiesOf, type Question } from './question.ts';
import { overlayStage, routeStage, sdnRouteStage } from './route-stages.ts';

/** What HNS was told to do with what an endpoint sends to a destination. */
export interface NatExplanation {
  readonly endpoint: Guid;
  readonly network: string;
  /** Those of the destination's family. */
  readonly addresses: readonly string[];
  readonly macAddress: string;
  /** Sentences, what decides first. */
  readonly says: readonly string[];
  /** Whether something of it cannot be told. */
  readonly open: boolean;
  /** In the order in which they count: what is in the pod, then at its port of the virtual switch. */
  readonly lines: readonly NatLine[];
}

export function explainNat(
  endpoint: ObservedEndpoint,
  destination: Destination,
  inventory: Inventory,
  nodeAddresses: readonly string[] | undefined,
): NatExplanation {
  const { network: name, macAddress, stale } = endpointRow(endpoint, inventory);
  const family = familyOf(destination.address);
  const addresses = (endpoint.IpConfigurations ?? [])
    .map(({ IpAddress }) => IpAddress)
    .filter((address) => familyOf(address) === family);
  const about = { endpoint: endpoint.ID, network: name, addresses, macAddress };
  const nothing = (sentence: string, open: boolean) => ({ ...about, says: [sentence], open, lines: [] });
  if (addresses.length === 0) return nothing(`Not by this endpoint: it has no ${family} address.`, true);
  const within = withinPod(destination.address, addresses);
  if (within !== undefined) return nothing(within, false);
  if (!isHostAddress(destination.address))
    return nothing(
      `${destination.address} is no address of one machine, and what HNS does with it is not documented.`,
      true,
    );
  const network = inventory.networks.find(({ ID }) => ID === endpoint.HostComputeNetwork);
  const question: Question = {
    endpoint,
    addresses,
    destination,
    inventory,
    ...(network !== undefined && { network }),
    ...(nodeAddresses !== undefined && { nodeAddresses }),
  };
  const proxy = proxyStage(question);
  const route = routeStage(question);
  const balancing = loadBalancerStage(question);
  const loopback = loopbackStage(question, balancing.by);
  const sdnRoute = sdnRouteStage(question);
  const overlay = overlayStage(question);
  const backends = balancing.by === undefined ? [] : backendAddresses(balancing.by, inventory, family);
  const nat = outboundNatStage(question, backends);
  const mappings = portMappingStage(question);
  const isSent = route.says.length === 0;
  const inOrder = isSent
    ? [proxy, route, balancing, loopback, sdnRoute, overlay, nat, mappings]
    : [proxy, route];
  const byWeight = isSent ? [proxy, route, balancing, loopback, nat, sdnRoute, overlay] : inOrder;
  const ignored = [endpoint, network].some((owner) => policiesOf('L4Proxy', owner).length > 0)
    ? ['L4Proxy policies are not looked at here, and may lead it elsewhere.']
    : [];
  return {
    ...about,
    says: [
      ...ignored,
      ...byWeight.flatMap(({ says }) => says),
      ...(stale === undefined ? [] : [`The endpoint is a leftover: ${stale}.`]),
    ],
    open: ignored.length > 0 || inOrder.some(({ open }) => open === true),
    lines: inOrder.flatMap(({ lines }) => lines),
  };
}
