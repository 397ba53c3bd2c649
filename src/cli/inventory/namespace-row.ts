import type { HostComputeNamespace } from '../../hcn/documents.ts';
import type { EndpointId, NamespaceId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { containersIn } from '../../model/readiness.ts';

/** A namespace with its containers and endpoints. */
export interface NamespaceRow {
  readonly id: NamespaceId;
  /** HCN's type: `HostDefault` is the node's own. */
  readonly type: string;
  readonly compartment: number;
  readonly containers: readonly string[];
  readonly endpoints: readonly { readonly id: EndpointId; readonly addresses: readonly string[] }[];
}

export function namespaceRows(inventory: Inventory): readonly NamespaceRow[] {
  return inventory.namespaces.map((namespace) => namespaceRow(namespace, inventory));
}

export function namespaceRow(namespace: HostComputeNamespace, { endpoints }: Inventory): NamespaceRow {
  const { ID: id = '', Type: type = 'Host', NamespaceId: compartment = 0 } = namespace;
  return {
    id,
    type,
    compartment,
    containers: containersIn(namespace),
    endpoints: endpoints
      .filter(({ HostComputeNamespace }) => HostComputeNamespace === id)
      .map(({ ID, IpConfigurations = [] }) => ({
        id: ID,
        addresses: IpConfigurations.map(({ IpAddress }) => IpAddress),
      })),
  };
}
