import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { familyOf, isHostAddress } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { type AclVerdict, aclVerdict } from '../traffic/acl-verdict.ts';
import { addressesOf, type Destination, describeLocalDelivery } from '../traffic/destination.ts';
import { evaluateNat } from '../traffic/evaluate-nat.ts';
import type { NatRule, Query } from '../traffic/query.ts';
import { nodeAddressOn } from '../traffic/sources.ts';
import { isLost, verdict } from './verdict.ts';

/** How HNS is configured to handle traffic from an endpoint to a destination. */
export interface NatExplanation {
  readonly endpoint: EndpointId;
  readonly network: string;
  /** The endpoint's addresses of the destination's family. */
  readonly addresses: readonly string[];
  readonly macAddress: string;
  /** Sentences: the verdict, then its reasons. */
  readonly says: readonly string[];
  /** Absent if the endpoint has no ACLs, or if the traffic is lost or does not leave the pod. */
  readonly acls?: AclVerdict;
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
  adapters: readonly HostAdapter[] | undefined,
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
  const nodeAddress = nodeAddressOn(network, family, adapters);
  const query: Query = {
    endpoint,
    addresses,
    destination,
    inventory,
    ...(network !== undefined && { network }),
    ...(adapters !== undefined && {
      nodeAddresses: adapters.flatMap((adapter) => adapter.addresses.map((one) => one.address)),
    }),
    ...(nodeAddress !== undefined && { nodeAddress }),
  };
  const { reasons, dataPath, ...outcome } = evaluateNat(query);
  const { isUnevaluated, balancing } = outcome;
  const acls = isLost(query, outcome) ? undefined : aclVerdict(query, balancing);
  return {
    ...about,
    says: [
      verdict(query, outcome),
      ...reasons.flatMap(({ sentences }) => sentences),
      ...(isUnevaluated ? ['explain-nat does not evaluate L4Proxy policies.'] : []),
      ...(stale === undefined ? [] : [`The endpoint is a leftover: ${stale}.`]),
    ],
    ...(acls !== undefined && { acls }),
    open: isUnevaluated || dataPath.some(({ uncertain }) => uncertain === true),
    lines: dataPath.flatMap(({ rules }) => rules),
  };
}
