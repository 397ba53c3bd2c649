import type { ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import { isHostEndpoint } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import { selectHostNamespace } from '../../model/ownership.ts';

/** The node's own endpoint on a network, by win-hcn or another program, if it is attached. */
export function attachedHostEndpoint(
  { ID, Name }: ObservedNetwork,
  { endpoints, namespaces }: Inventory,
): ObservedEndpoint | undefined {
  const host = selectHostNamespace(namespaces)?.ID;
  return endpoints.find(
    ({ ID: id, Name: name, HostComputeNetwork, HostComputeNamespace }) =>
      HostComputeNetwork === ID &&
      isHostEndpoint({ id, name }, Name) &&
      host !== undefined &&
      HostComputeNamespace === host,
  );
}
