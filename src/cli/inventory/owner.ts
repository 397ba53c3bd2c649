import { isName } from '../../cni/name.ts';
import type { Attachment } from '../../cni/request.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import { familyOf, parseAddress } from '../../net/address.ts';
import { macFromAddress, macWithColons } from '../../net/mac.ts';
import { selectHostNamespace } from '../../plan/host-endpoint.ts';
import {
  attachmentNamed,
  endpointId,
  hostEndpointId,
  isDerived,
  ownerOnNetwork,
  takesCallerIds,
} from '../../plan/identity.ts';
import { isOwnRemote, isRemote, macPrefix } from '../../plan/remote-endpoint.ts';
import type { Inventory } from './inventory.ts';

/** Who made an endpoint: `another plugin` is one of those whose endpoints are called after container and network. */
export type Owner = 'win-hcn' | 'another plugin' | 'host endpoint' | 'kube-proxy' | 'somebody else';

/** Whose an endpoint is, and which container it is for, as far as its name and id tell. */
export interface Ownership {
  readonly owner: Owner;
  readonly container?: string;
  readonly interface?: string;
}

/** An inherited name has no interface in it; this is the one that nearly every container has. */
export const usualInterface = 'eth0';

export function ownershipOf(
  endpoint: ObservedEndpoint,
  network: ObservedNetwork | undefined,
  { namespaces, endpoints }: Pick<Inventory, 'namespaces' | 'endpoints'>,
): Ownership {
  if (isRemote(endpoint)) return { owner: ownerOfRemote(endpoint) };
  const { ID: id, Name, HostComputeNamespace } = endpoint;
  const node = selectHostNamespace(namespaces)?.ID;
  const isOfNode = node !== undefined && HostComputeNamespace === node;
  if (isOfNode || (network !== undefined && id === hostEndpointId(network.Name)))
    return { owner: 'host endpoint' };
  if (network === undefined) return { owner: 'somebody else' };
  const attachment = attachmentNamed(Name, id, network.Name);
  const onNetwork = endpoints.filter(({ HostComputeNetwork }) => HostComputeNetwork === network.ID);
  const mayBeOurs = isDerived(id) || !takesCallerIds(onNetwork.map(({ ID }) => ID));
  if (attachment !== undefined && mayBeOurs) return { owner: 'win-hcn', ...named(attachment) };
  const container = ownerOnNetwork(Name, network.Name);
  if (!isName(container)) return { owner: 'somebody else' };
  if (!isDerived(id)) return { owner: 'another plugin', container };
  const usual = { containerId: container, ifname: usualInterface, network: network.Name };
  return { owner: 'win-hcn', ...(endpointId(usual) === id ? named(usual) : { container }) };
}

function ownerOfRemote(endpoint: ObservedEndpoint): Owner {
  if (isOwnRemote(endpoint)) return 'win-hcn';
  return hasMacOfKubeProxy(endpoint) ? 'kube-proxy' : 'somebody else';
}

/** What kube-proxy gives every IPv6 address. */
const itsMacForIpv6 = '02-11-22-33-44-55';

/**
 * kube-proxy names no endpoint, but makes its MAC address of the IPv4 one.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go
 */
function hasMacOfKubeProxy({ MacAddress = '', IpConfigurations = [] }: ObservedEndpoint): boolean {
  const its = IpConfigurations.flatMap(({ IpAddress }) => {
    const address = parseAddress(IpAddress);
    if (address === undefined) return [];
    return familyOf(address) === 'IPv4' ? macFromAddress(macPrefix, address) : itsMacForIpv6;
  });
  return its.some((mac) => macWithColons(mac) === macWithColons(MacAddress));
}

function named({ containerId, ifname }: Attachment): Omit<Ownership, 'owner'> {
  return { container: containerId, interface: ifname };
}
