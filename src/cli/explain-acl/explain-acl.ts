import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { type Family, familyOf } from '../../net/address.ts';
import { aclRows } from '../inventory/acl-row.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import type { Destination } from '../traffic/destination.ts';
import { withinPod } from '../traffic/within-pod.ts';
import { aclCaveats, endpointCaveats, otherAccessPolicies, serviceCaveats } from './acl-caveats.ts';
import { type AclDecision, decideAcl } from './decide-acl.ts';

/** HCN's words for who connects: In, somebody to the pod; Out, the pod to somebody. */
export type Direction = 'In' | 'Out';

/** A connection that is asked about. */
export interface Connection {
  readonly direction: Direction;
  /** The other party's address, with the port that is connected to, whoever has it. */
  readonly remote: Destination;
  /** The port that the connection comes from, where it was said. */
  readonly sourcePort?: number;
}

/** What an endpoint's ACLs make of a connection. */
export interface AclExplanation extends AclDecision {
  readonly endpoint: Guid;
  readonly network: string;
  /** The family of the connection where the endpoint has no address of it: then there are no lines. */
  readonly lacks?: Family;
  /** That the pod sends it to itself, as a sentence: then no ACL counts, and there are no lines. */
  readonly within?: string;
  /** Those of the family of the connection. */
  readonly addresses: readonly string[];
  readonly macAddress: string;
  /** Policies of other kinds that may decide otherwise, a sentence each. */
  readonly ignored: readonly string[];
  readonly caveats: readonly string[];
}

export function explainAcl(
  endpoint: ObservedEndpoint,
  { direction, remote, sourcePort }: Connection,
  inventory: Inventory,
): AclExplanation {
  const { ID, IpConfigurations = [], Policies = [], HostComputeNetwork } = endpoint;
  const row = endpointRow(endpoint, inventory);
  const family = familyOf(remote.address);
  const addresses = IpConfigurations.map(({ IpAddress }) => IpAddress).filter(
    (address) => familyOf(address) === family,
  );
  const { address: remoteAddress, port, protocol } = remote;
  const ports =
    direction === 'In'
      ? { localPort: port, remotePort: sourcePort }
      : { localPort: sourcePort, remotePort: port };
  const acls = aclRows(Policies).filter((acl) => acl.direction === direction);
  const within = addresses.length === 0 ? undefined : withinPod(remoteAddress, addresses);
  const decision: AclDecision =
    addresses.length === 0 || within !== undefined
      ? { lines: [] }
      : decideAcl(acls, { ...ports, protocol, localAddresses: addresses, remoteAddress });
  const network = inventory.networks.find((one) => one.ID === HostComputeNetwork);
  return {
    endpoint: ID,
    network: row.network,
    addresses,
    macAddress: row.macAddress,
    ...(addresses.length === 0 && { lacks: family }),
    ...(within !== undefined && { within }),
    ...decision,
    ignored: otherAccessPolicies(endpoint, network),
    caveats: [
      ...aclCaveats(decision),
      ...(direction === 'Out' && decision.lines.length > 0 ? serviceCaveats(remoteAddress, inventory) : []),
      ...endpointCaveats(row),
    ],
  };
}
