import { CniError, code } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { hostEndpointName, hostNamespaceOf } from '../plan/host-endpoint.ts';
import type { PlannedNetwork } from '../plan/network.ts';
import { isAttached } from '../plan/observed-endpoint.ts';

/** An interrupted request leaves a host endpoint in no namespace: `unfinished` as it was configured, `leftover` otherwise. */
type HostEndpointState = 'at work' | 'unfinished' | 'leftover' | 'absent';

/** What there is of the node's own endpoint. Throws code 7 for one at work that has another address than is configured. */
export async function findHostEndpoint(
  id: Guid,
  network: PlannedNetwork,
  address: string,
  hcn: HcnClient,
): Promise<HostEndpointState> {
  const endpoint = (await hcn.findEndpoint(id)) ?? (await findInherited(network, address, hcn));
  if (endpoint === undefined) return 'absent';
  const addresses = (endpoint.IpConfigurations ?? []).map(({ IpAddress }) => IpAddress);
  const isAsConfigured = addresses.includes(address) && endpoint.HostComputeNetwork === network.ID;
  if (!isAttached(endpoint)) return isAsConfigured ? 'unfinished' : 'leftover';
  if (isAsConfigured) return 'at work';
  const message = `host endpoint "${endpoint.Name}" has ${addresses.join(', ') || 'no address'}, and /hostEndpoint asks for ${address}`;
  throw new CniError(code.invalidConfig, message, {
    details:
      'pods may use it as their gateway: delete it by hand once they are gone, or configure its address',
  });
}

/** One that flannel, Calico or a script has made where ours would be. */
async function findInherited(
  network: PlannedNetwork,
  address: string,
  hcn: HcnClient,
): Promise<ObservedEndpoint | undefined> {
  for (const id of await hcn.findEndpointsByName(hostEndpointName(network.Name))) {
    const endpoint = await hcn.findEndpoint(id);
    const hasAddress = endpoint?.IpConfigurations?.some(({ IpAddress }) => IpAddress === address);
    if (endpoint !== undefined && hasAddress && isAttached(endpoint)) return endpoint;
  }
  return undefined;
}

/** The namespace of the node itself. Throws code 100 where HCN has none. */
export async function findHostNamespace(hcn: HcnClient): Promise<Guid> {
  const namespace = hostNamespaceOf(await hcn.findNamespaces());
  if (namespace?.ID === undefined) {
    throw new CniError(
      code.hcnFailure,
      'HCN has no namespace of the node itself, type HostDefault in compartment 1',
      { details: 'restart the Host Network Service: Restart-Service hns' },
    );
  }
  return namespace.ID;
}
