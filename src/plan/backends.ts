import { CniError, code } from '../cni/error.ts';
import type { BackendConfig, LoadBalancerConfig } from '../config/load-balancer.ts';
import type {
  HostComputeEndpoint,
  HostComputeNetwork,
  ObservedEndpoint,
  ObservedNetwork,
} from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { remoteEndpointId } from '../model/identity.ts';
import { isOverlay, isPolicyOf, providerAddressOf } from '../model/network-document.ts';
import { isOwnRemote, isRemote } from '../model/ownership.ts';
import { contains, parsePrefix } from '../net/prefix.ts';
import { remoteDifferences, remoteEndpointDocument } from './remote-endpoint.ts';

/** A backend's endpoint: there, to be created, or one of ours that says something else and must be created anew. */
export type BackendEndpoint =
  | { readonly is: 'there'; readonly id: Guid }
  | { readonly is: 'missing'; readonly id: Guid; readonly document: HostComputeEndpoint }
  | {
      readonly is: 'outdated';
      readonly id: Guid;
      readonly document: HostComputeEndpoint;
      readonly observed: ObservedEndpoint;
    };

/**
 * The endpoint of each backend. An endpoint of the network with the backend's address is it, and of two (older Windows lets a
 * remote one take an address in use) the one on this node. Throws code 7 for a backend that cannot have a remote endpoint.
 */
export function endpointsOfBackends(
  { backends }: LoadBalancerConfig,
  network: ObservedNetwork,
  endpoints: readonly ObservedEndpoint[],
): readonly BackendEndpoint[] {
  return backends.map((backend, index) => {
    const candidates = endpoints.filter(
      (endpoint) =>
        endpoint.HostComputeNetwork === network.ID &&
        endpoint.IpConfigurations?.some(({ IpAddress }) => IpAddress === backend.address),
    );
    const observed = candidates.find((endpoint) => !isRemote(endpoint)) ?? candidates[0];
    const path = `/backends/${index}`;
    return observed === undefined
      ? missing(backend, path, network)
      : existing(backend, path, network, observed);
  });
}

function missing(backend: BackendConfig, path: string, network: ObservedNetwork): BackendEndpoint {
  const providerAddress =
    backend.providerAddress ??
    (isOverlay(network) ? providerAddressFor(network, backend.address) : undefined);
  if (isOverlay(network) && providerAddress === undefined) {
    const message = `${path}/providerAddress is missing, expected the address of the node that has ${backend.address}`;
    const details = `Overlay network "${network.Name}" has no endpoint with this address, and no provider address of its own yet`;
    throw new CniError(code.invalidConfig, message, { details });
  }
  const document = remoteEndpointDocument(network, {
    ...backend,
    ...(providerAddress !== undefined && { providerAddress }),
  });
  return { is: 'missing', id: remoteEndpointId(network.ID, backend.address), document };
}

function existing(
  backend: BackendConfig,
  path: string,
  network: ObservedNetwork,
  observed: ObservedEndpoint,
): BackendEndpoint {
  const id = observed.ID;
  const differences = isRemote(observed) ? remoteDifferences(backend, observed) : [];
  if (differences.length === 0) return { is: 'there', id };
  if (isOwnRemote(observed)) {
    const document = remoteEndpointDocument(network, { ...sayingOf(observed), ...backend });
    return { is: 'outdated', id, document, observed };
  }
  const message = `${path} is ${backend.address}, for which somebody else made remote endpoint ${id}: ${differences.join('; ')}`;
  throw new CniError(code.invalidConfig, message, { details: 'make them agree, or delete that endpoint' });
}

/** What a backend would have to say for this endpoint. */
function sayingOf(endpoint: ObservedEndpoint): Omit<BackendConfig, 'address'> {
  const providerAddress = providerAddressOf(endpoint);
  return {
    ...(endpoint.MacAddress && { macAddress: endpoint.MacAddress }),
    ...(providerAddress !== undefined && { providerAddress }),
  };
}

/**
 * The node that packets to an address beyond this one are sent to, on an Overlay network: the one whose subnet the address is in, by
 * the network's RemoteSubnetRoute policies, or else this node itself, which leads to what is in no node's subnet. kube-proxy
 * decides it the same way.
 */
export function providerAddressFor(network: HostComputeNetwork, address: string): string | undefined {
  const routes = network.Policies?.filter((policy) => isPolicyOf('RemoteSubnetRoute', policy)) ?? [];
  const route = routes.find(({ Settings }) => {
    const prefix = parsePrefix(String(Settings?.['DestinationPrefix'] ?? ''));
    return prefix !== undefined && contains(prefix, address);
  });
  const remote = route?.Settings?.['ProviderAddress'];
  return typeof remote === 'string' ? remote : providerAddressOf(network);
}
