import { CniError, code } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { hostEndpointName } from '../model/identity.ts';
import { isHostNamespace, selectHostNamespace } from '../model/ownership.ts';
import { isAttached } from '../model/readiness.ts';
import type { IdentifiedNetwork } from '../plan/network.ts';
import { findNamed } from './own-endpoints.ts';

/** An interrupted request leaves a host endpoint in no namespace: `unfinished` as it was configured, `leftover` otherwise. */
type HostEndpoint =
  | { readonly state: 'absent' }
  | { readonly state: 'at work' | 'unfinished' | 'leftover'; readonly id: Guid };

/** What there is of the node's own endpoint. Throws code 7 for one at work that has another address than is configured. */
export async function findHostEndpoint(
  id: Guid,
  network: IdentifiedNetwork,
  address: string,
  hcn: HcnClient,
): Promise<HostEndpoint> {
  const endpoint = (await hcn.findEndpoint(id)) ?? (await findNamedSo(network, address, hcn));
  if (endpoint === undefined) return { state: 'absent' };
  const isAsConfigured = hasAddress(endpoint, address) && endpoint.HostComputeNetwork === network.ID;
  if (!isAttached(endpoint)) return { state: isAsConfigured ? 'unfinished' : 'leftover', id: endpoint.ID };
  if (isAsConfigured) return { state: 'at work', id: endpoint.ID };
  const addresses = (endpoint.IpConfigurations ?? []).map(({ IpAddress }) => IpAddress);
  const message = `host endpoint "${endpoint.Name}" has ${addresses.join(', ') || 'no address'}, and /hostEndpoint asks for ${address}`;
  throw new CniError(code.invalidConfig, message, {
    details:
      'pods may use it as their gateway: delete it by hand once they are gone, or configure its address',
  });
}

/** A host endpoint with the configured name and address whose id HNS chose, or that flannel, Calico or a script created. */
async function findNamedSo(
  network: IdentifiedNetwork,
  address: string,
  hcn: HcnClient,
): Promise<ObservedEndpoint | undefined> {
  const named = (await findNamed(hostEndpointName(network.Name), hcn)).filter((endpoint) =>
    hasAddress(endpoint, address),
  );
  return named.find(isAttached) ?? named.find(({ HostComputeNetwork }) => HostComputeNetwork === network.ID);
}

function hasAddress({ IpConfigurations }: ObservedEndpoint, address: string): boolean {
  return IpConfigurations?.some(({ IpAddress }) => IpAddress === address) ?? false;
}

/**
 * The namespace of the node itself: the one that HNS's filter `IsDefault` finds, as Terway does, else one of type HostDefault. Throws
 * code 100 if HCN has none.
 */
export async function findHostNamespace(hcn: HcnClient): Promise<Guid> {
  const defaults = await hcn.findDefaultNamespaces();
  const [only, ...others] = defaults.filter(isHostNamespace);
  const namespace =
    selectHostNamespace(defaults) ??
    (others.length === 0 ? only : undefined) ??
    selectHostNamespace(await hcn.findNamespaces());
  if (namespace?.ID === undefined) {
    throw new CniError(
      code.hcnFailure,
      'HCN has no namespace of the node itself, type HostDefault in compartment 1',
      { details: 'restart the Host Network Service: Restart-Service hns' },
    );
  }
  return namespace.ID;
}
