import type { Dns, ObservedEndpoint, Policy, Route } from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { loadBalancersUsing } from '../../model/leftovers.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { type AclRow, aclRows } from './acl-row.ts';
import { type EndpointRow, endpointRow } from './endpoint-row.ts';

/** All that HCN says of an endpoint. */
export interface EndpointDetail extends EndpointRow {
  readonly routes: readonly Route[];
  readonly dns: Dns;
  /** Those that refer to it. */
  readonly loadBalancers: readonly Guid[];
  readonly acls: readonly AclRow[];
  /** The other policies, in HCN's order. */
  readonly policies: readonly Policy[];
}

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
