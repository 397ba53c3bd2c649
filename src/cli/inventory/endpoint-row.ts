import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { findHresult } from '../../hcn/hresults.ts';
import { findById, type Inventory, onceFor } from '../../model/inventory.ts';
import { leftoverIn, leftoverTexts, loadBalancersUsing } from '../../model/leftovers.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { isRemote, ownershipIn } from '../../model/ownership.ts';
import { isAttached, stateName } from '../../model/readiness.ts';
import { aclRows } from './acl-row.ts';

/** An endpoint as `ls` shows it. Its network is named by its ID if it is gone; `pod` is `namespace/name`, absent if unknown. */
export type EndpointRow = ReturnType<typeof endpointRow>;

/** The rows of all endpoints. */
export const endpointRows = onceFor((inventory: Inventory): readonly EndpointRow[] =>
  inventory.endpoints.map((endpoint) => endpointRow(endpoint, inventory)),
);

/** The row of one endpoint. */
export function endpointRow(endpoint: ObservedEndpoint, inventory: Inventory) {
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

/** An endpoint as `show` shows it: `policies` has those that are not ACLs, in HCN's order. */
export type EndpointDetail = ReturnType<typeof endpointDetail>;

/** The details of one endpoint. */
export function endpointDetail(endpoint: ObservedEndpoint, inventory: Inventory) {
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
