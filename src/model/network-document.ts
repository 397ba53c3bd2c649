import type { HostComputeNetwork, Policy, Route, Subnet } from '../hcn/documents.ts';
import { type Family, families, familyOf } from '../net/address.ts';
import { type HostAdapter, switchInAlias } from '../net/host-adapter.ts';
import { type Prefix, parsePrefix } from '../net/prefix.ts';

/** The subnets of a network HCN has. */
export function subnetsOf(network: HostComputeNetwork): readonly Subnet[] {
  return network.Ipams?.flatMap((ipam) => ipam.Subnets ?? []) ?? [];
}

/** The prefixes of a network's subnets. */
export function prefixesOf(network: HostComputeNetwork): readonly Prefix[] {
  return subnetsOf(network).flatMap(({ IpAddressPrefix }) => parsePrefix(IpAddressPrefix) ?? []);
}

/** The address families of a network's subnets. */
export function familiesOf(network: HostComputeNetwork): readonly Family[] {
  const found = subnetsOf(network).map(({ IpAddressPrefix }) => familyOf(IpAddressPrefix));
  return families.filter((family) => found.includes(family));
}

/** The next hop of the first default route, of the given family or of any. HNS may add default routes. */
export function defaultGateway(routes: readonly Route[], family?: Family): string | undefined {
  return defaultGateways(routes).find((nextHop) => family === undefined || familyOf(nextHop) === family);
}

/** The next hops of all default routes. */
export function defaultGateways(routes: readonly Route[]): readonly string[] {
  return routes.filter((route) => isDefaultRoute(route.DestinationPrefix)).map(({ NextHop }) => NextHop);
}

/** Whether a prefix contains every address of its family. */
export function isDefaultRoute(destinationPrefix: string): boolean {
  return parsePrefix(destinationPrefix)?.length === 0;
}

/** The settings of the first policy of a type; HNS may write the type in another case. */
export function settingsOf(policies: readonly Policy[] | undefined, type: string): Policy['Settings'] {
  return policies?.find((policy) => isPolicyOf(type, policy))?.Settings;
}

/** Whether a policy has this type; HNS may write the type in another case. */
export function isPolicyOf(type: string, policy: Policy): boolean {
  return policy.Type.toLowerCase() === type.toLowerCase();
}

/**
 * The interface name of the adapter that a network is bound to; undefined if HNS returns none, or an id in its place. HNS may return the one
 * of its switch, vEthernet (X), for X.
 */
export function boundAdapter(network: HostComputeNetwork): string | undefined {
  const name = settingsOf(network.Policies, 'NetAdapterName')?.['NetworkAdapterName'];
  if (
    typeof name !== 'string' ||
    name === '' ||
    /^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i.test(name)
  )
    return undefined;
  return switchInAlias(name) ?? name;
}

/** That adapter, where the host has it. */
export function boundHostAdapter(
  network: HostComputeNetwork,
  adapters: readonly HostAdapter[],
): HostAdapter | undefined {
  const name = boundAdapter(network)?.toLowerCase();
  return adapters.find(({ alias }) => alias.toLowerCase() === name);
}

/** Whether a network is of type Overlay. */
export function isOverlay({ Type }: HostComputeNetwork): boolean {
  return Type?.toLowerCase() === 'overlay';
}

/** The node's address on the physical network, from the policy of an Overlay network or endpoint. */
export function providerAddressOf(owner: Pick<HostComputeNetwork, 'Policies'>): string | undefined {
  const address = settingsOf(owner.Policies, 'ProviderAddress')?.['ProviderAddress'];
  return typeof address === 'string' && address !== '' ? address : undefined;
}

/** `Overlay network "vxlan0"`, on one line. */
export function describeNetwork({ Type, Name }: HostComputeNetwork): string {
  return `${Type} network ${JSON.stringify(Name)}`;
}

/** A network as an argument of a command: its name, or its id if the name would need quotes. */
export function networkArgument({ ID, Name }: HostComputeNetwork): string {
  return /^\w[\w.-]*$/.test(Name) ? Name : (ID ?? 'ID');
}
