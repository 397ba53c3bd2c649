import { invalidConfig } from '../cni/error.ts';
import type { NetworkKeys, OverlayRemoteSubnet, RoutedRemoteSubnet } from '../config/network-config.ts';
import type { HostComputeNetwork, Policy } from '../hcn/documents.ts';
import { isPolicyOf, settingsOf, subnetsOf } from '../model/network-document.ts';
import { parseAddress } from '../net/address.ts';
import { parseMac } from '../net/mac.ts';
import { isOurRoute, type NodeRoute, newNodeRoute } from '../net/node-route.ts';
import { canonicalPrefix, withLength } from '../net/prefix.ts';

/** The keys of a configuration that have remote subnets. */
export type RemoteSubnetKeys = Pick<NetworkKeys, 'remoteSubnets' | 'networkPolicies'>;

/** The remote subnets of an Overlay network; those of `networkPolicies` are not among them. */
export function encapsulatedSubnets({ remoteSubnets }: RemoteSubnetKeys): readonly OverlayRemoteSubnet[] {
  return remoteSubnets.filter((remote) => 'providerAddress' in remote);
}

/** The prefixes that `networkPolicies` route in HCN's form. */
export function policySubnets({ networkPolicies }: RemoteSubnetKeys): readonly string[] {
  return networkPolicies.flatMap((policy) => readRemoteSubnet(policy)?.subnet ?? []);
}

/** The remote subnets of an L2Bridge network. */
export function routedSubnets({ remoteSubnets }: RemoteSubnetKeys): readonly RoutedRemoteSubnet[] {
  return remoteSubnets.filter((remote) => 'nextHop' in remote);
}

/**
 * Returns the policy that leads an Overlay network to another node's pod subnet, as flannel sends it. Throws code 7 if neither the remote
 * subnet nor the network has a VSID. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#RemoteSubnetRoutePolicySetting
 */
export function remoteSubnetPolicy(remote: OverlayRemoteSubnet, network: HostComputeNetwork): Policy {
  const vsid = remote.vsid ?? vsidOf(network);
  if (vsid === undefined) {
    throw invalidConfig(
      `remote subnet ${remote.subnet} has no vsid, and neither has network "${network.Name}"`,
      'set "vsid" of the remote subnet',
    );
  }
  return {
    Type: 'RemoteSubnetRoute',
    Settings: {
      DestinationPrefix: remote.subnet,
      IsolationId: vsid,
      ProviderAddress: remote.providerAddress,
      DistributedRouterMacAddress: remote.macAddress,
    },
  };
}

/** The VSID of the network's first subnet that has one. */
export function vsidOf(network: HostComputeNetwork): number | undefined {
  const ids = subnetsOf(network).map(({ Policies }) => Number(settingsOf(Policies, 'VSID')?.['IsolationId']));
  return ids.find(Boolean);
}

/** A remote subnet of a network in HCN, in canonical text. A member that cannot be read is undefined. */
export interface ObservedRemoteSubnet {
  readonly subnet: string;
  readonly providerAddress: string | undefined;
  readonly macAddress: string | undefined;
  readonly vsid: number | undefined;
  /** As HNS returned it. */
  readonly policy: Policy;
}

/** The remote subnets of a network, whoever added them. */
export function remoteSubnetsOf(network: HostComputeNetwork): readonly ObservedRemoteSubnet[] {
  return (network.Policies ?? []).flatMap((policy) => readRemoteSubnet(policy) ?? []);
}

/** Reads a RemoteSubnetRoute policy; undefined for another type, or without a valid prefix. */
export function readRemoteSubnet(policy: Policy): ObservedRemoteSubnet | undefined {
  if (!isPolicyOf('RemoteSubnetRoute', policy)) return undefined;
  const {
    DestinationPrefix,
    ProviderAddress,
    DistributedRouterMacAddress: mac,
    IsolationId,
  } = policy.Settings ?? {};
  const prefix = canonicalPrefix(String(DestinationPrefix));
  const vsid = Number(IsolationId);
  if (prefix === undefined) return undefined;
  return {
    subnet: withLength(prefix),
    providerAddress: parseAddress(String(ProviderAddress)),
    macAddress: parseMac(String(mac)),
    vsid: Number.isInteger(vsid) ? vsid : undefined,
    policy,
  };
}

/** Whether two policies lead to the same remote subnet with the same values, in whatever form. */
export function isSameRemoteSubnet(one: Policy, other: Policy): boolean {
  const [a, b] = [readRemoteSubnet(one), readRemoteSubnet(other)];
  return a !== undefined && b !== undefined && a.subnet === b.subnet && isSame(a, b);
}

/** How a remote subnet differs from the configuration, and what to remove, then add. No other remote subnet is touched. */
interface Change<T> {
  readonly subnet: string;
  readonly difference: 'missing' | 'different' | 'additional';
  readonly remove: readonly T[];
  readonly add: readonly T[];
}

/** `remove` has the policies as HNS returned them. */
export type RemoteSubnetChange = Change<Policy>;

/**
 * Returns what turns the remote subnets of an Overlay network into the wanted ones: additional ones first, then the missing and different
 * ones. If HNS returns several policies for one prefix, only equal ones are left alone: kube-proxy uses the last one.
 */
export function remoteSubnetChanges(
  wanted: readonly OverlayRemoteSubnet[],
  network: HostComputeNetwork,
): readonly RemoteSubnetChange[] {
  const observed = remoteSubnetsOf(network);
  const found = Map.groupBy(observed, ({ subnet }) => subnet);
  const policies = (subnet: string) => found.get(subnet) ?? [];
  const changes = wanted.flatMap((remote): readonly RemoteSubnetChange[] => {
    const { subnet } = remote;
    const own = policies(subnet);
    const vsid = remote.vsid ?? vsidOf(network);
    if (own.length > 0 && own.every((one) => isSame(one, { ...remote, vsid }))) return [];
    return [
      {
        subnet,
        difference: own.length === 0 ? 'missing' : 'different',
        remove: own.map(({ policy }) => policy),
        add: [remoteSubnetPolicy(remote, network)],
      },
    ];
  });
  const additional = unwanted(observed, wanted).map((subnet): RemoteSubnetChange => {
    return {
      subnet,
      difference: 'additional',
      remove: policies(subnet).map(({ policy }) => policy),
      add: [],
    };
  });
  return [...additional, ...changes];
}

type Addresses = Pick<ObservedRemoteSubnet, 'providerAddress' | 'macAddress' | 'vsid'>;

function isSame(one: Addresses, other: Addresses): boolean {
  return (
    one.providerAddress === other.providerAddress &&
    one.macAddress === other.macAddress &&
    one.vsid === other.vsid
  );
}

function unwanted(
  observed: readonly { readonly subnet: string }[],
  wanted: readonly { readonly subnet: string }[],
): readonly string[] {
  const known = new Set(wanted.map(({ subnet }) => subnet));
  return [...new Set(observed.map(({ subnet }) => subnet))].filter((subnet) => !known.has(subnet));
}

/** `others` are the routes of other programs to the subnet, which win-hcn leaves alone; it then adds none beside them. */
export interface RouteChange extends Change<NodeRoute> {
  readonly others: readonly NodeRoute[];
}

/**
 * Returns what turns win-hcn's routes on an interface of the node into those to the wanted subnets: additional ones first, then the
 * missing and different ones. Another program's route to the same next hop is as good as win-hcn's.
 */
export function routeChanges(
  wanted: readonly RoutedRemoteSubnet[],
  interfaceIndex: number,
  routes: readonly NodeRoute[],
): readonly RouteChange[] {
  const isOurs = (route: NodeRoute) => isOurRoute(route) && route.interfaceIndex === interfaceIndex;
  const byPrefix = Map.groupBy(routes, ({ prefix }) => prefix);
  const changes = wanted.flatMap(({ subnet, nextHop }): readonly RouteChange[] => {
    const same = byPrefix.get(subnet) ?? [];
    const isRight = (route: NodeRoute) =>
      route.interfaceIndex === interfaceIndex && route.nextHop === nextHop;
    const wrong = same.filter((route) => !isRight(route));
    const others = wrong.filter((route) => !isOurs(route));
    const isAdded = others.length === 0 && !same.some(isRight);
    if (wrong.length === 0 && !isAdded) return [];
    return [
      {
        subnet,
        difference: same.length === 0 ? 'missing' : 'different',
        remove: wrong.filter(isOurs),
        add: isAdded ? [newNodeRoute(interfaceIndex, subnet, nextHop)] : [],
        others,
      },
    ];
  });
  const ours = routes.filter(isOurs).map(({ prefix }) => ({ subnet: prefix }));
  const additional = unwanted(ours, wanted).map((subnet): RouteChange => {
    const remove = (byPrefix.get(subnet) ?? []).filter(isOurs);
    return { subnet, difference: 'additional', remove, add: [], others: [] };
  });
  return [...additional, ...changes];
}
