import type { Dns, ObservedEndpoint, Policy, Route } from '../../hcn/documents.ts';
import type { EndpointId, LoadBalancerId, NamespaceId } from '../../hcn/guid.ts';
import { findHresult } from '../../hcn/hresults.ts';
import { findById, type Inventory } from '../../model/inventory.ts';
import { leftoverIn, leftoverTexts, loadBalancersUsing } from '../../model/leftovers.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { isRemote, type Ownership, ownershipIn } from '../../model/ownership.ts';
import { isAttached, stateName } from '../../model/readiness.ts';
import { type AclRow, aclRows } from './acl-row.ts';

/** An endpoint as `ls` shows it. */
export interface EndpointRow extends Ownership {
  readonly id: EndpointId;
  readonly name: string;
  /** The pod, as `namespace/name`; absent if unknown. */
  readonly pod?: string;
  /** The network's name, or its id if the network is gone. */
  readonly network: string;
  readonly addresses: readonly string[];
  readonly macAddress: string;
  readonly namespace?: NamespaceId;
  readonly state: string;
  /** `ok`, or the symbol or number of HNS's last error. */
  readonly health: string;
  readonly remote: boolean;
  /** Why it is left over; absent if it is not. */
  readonly leftover?: string;
}

/** The rows of all endpoints. */
export function endpointRows(inventory: Inventory): readonly EndpointRow[] {
  return inventory.endpoints.map((endpoint) => endpointRow(endpoint, inventory));
}

/** The row of one endpoint. */
export function endpointRow(endpoint: ObservedEndpoint, inventory: Inventory): EndpointRow {
  const { ID: id, Name, HostComputeNetwork, IpConfigurations = [], MacAddress = '' } = endpoint;
  const network = findById(inventory.networks, HostComputeNetwork);
  const { owner, container, interface: ifname } = ownershipIn(inventory, endpoint);
  const pod = container === undefined ? undefined : podOf(container, inventory);
  const reason = leftoverIn(inventory, endpoint, owner);
  return {
    id,
    name: Name,
    ...(pod !== undefined && { pod }),
    ...(container !== undefined && { container }),
    ...(ifname !== undefined && { interface: ifname }),
    network: network?.Name ?? HostComputeNetwork,
    addresses: IpConfigurations.map(({ IpAddress, PrefixLength }) =>
      PrefixLength === undefined ? IpAddress : `${IpAddress}/${PrefixLength}`,
    ),
    macAddress: MacAddress,
    ...(isAttached(endpoint) && { namespace: endpoint.HostComputeNamespace }),
    state: stateName(endpoint),
    health: healthOf(endpoint),
    owner,
    remote: isRemote(endpoint),
    ...(reason !== undefined && { leftover: leftoverTexts[reason] }),
  };
}

/** An endpoint as `show` shows it. */
export interface EndpointDetail extends EndpointRow {
  readonly routes: readonly Route[];
  readonly dns: Dns;
  /** The load balancers that refer to it. */
  readonly loadBalancers: readonly LoadBalancerId[];
  readonly acls: readonly AclRow[];
  /** The other policies, in HCN's order. */
  readonly policies: readonly Policy[];
}

/** The details of one endpoint. */
export function endpointDetail(endpoint: ObservedEndpoint, inventory: Inventory): EndpointDetail {
  const { Routes = [], Dns = {}, Policies = [] } = endpoint;
  return {
    ...endpointRow(endpoint, inventory),
    routes: Routes,
    dns: Dns,
    loadBalancers: loadBalancersUsing(endpoint.ID, inventory.loadBalancers),
    acls: aclRows(Policies),
    policies: Policies.filter((policy) => !isPolicyOf('ACL', policy)),
  };
}

/** The name of a container's pod; undefined if unknown. */
export function podOf(container: string, { pods }: Inventory): string | undefined {
  return pods?.get(container.toLowerCase())?.name;
}

/** Returns `ok`, or the symbol or number of HNS's last error. */
export function healthOf({ Health }: ObservedEndpoint): string {
  const error = (Health?.Data?.LastErrorCode ?? 0) >>> 0;
  return error === 0 ? 'ok' : (findHresult(error)?.symbol ?? `0x${error.toString(16).padStart(8, '0')}`);
}
