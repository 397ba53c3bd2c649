import {
  addressesIn,
  type HostComputeEndpoint,
  type ObservedEndpoint,
  type Route,
} from '../../hcn/documents.ts';
import { defaultGateway, isDefaultRoute, prefixesOf, subnetsOf } from '../../model/network-document.ts';
import { isRemote } from '../../model/ownership.ts';
import { type Family, families, isLinkLocal, isUnspecified } from '../../net/address.ts';
import { formatMac } from '../../net/mac.ts';
import { contains } from '../../net/prefix.ts';
import { isUplink } from '../../plan/host-endpoint.ts';
import { adapterWith } from '../traffic/node-state.ts';
import type { ExpectedEndpoint } from './plan.ts';
import {
  comparedTypes,
  differs,
  fails,
  type PodDifference,
  policyDifferences,
  type Surroundings,
} from './policy-differences.ts';

/**
 * Compares an endpoint with its plan, and names what was compared, as in `gateway, routes, DNS, ACL`. What HNS adds is not a difference,
 * unless it is a policy of a kind that the configuration sets.
 */
export function comparePod(
  { document, decidesDns, decidesRoutes }: ExpectedEndpoint,
  endpoint: ObservedEndpoint,
  node: Surroundings,
): { readonly differences: readonly PodDifference[]; readonly members: string } {
  const { Dns = {}, MacAddress } = document;
  const hasDns = dnsMembers.some(([member]) => listed(Dns[member]) !== '');
  const gateways = families.flatMap((family) => gatewayDifferences(document, endpoint, family, node));
  const compared: readonly (readonly [string, readonly PodDifference[]])[] = [
    ['prefix length', lengthDifferences(document, endpoint)],
    ['gateway', gateways],
    [decidesRoutes ? 'routes' : '', decidesRoutes ? routeDifferences(document, endpoint, node) : []],
    [decidesDns && hasDns ? 'DNS' : '', decidesDns ? dnsDifferences(document, endpoint) : []],
    [MacAddress === undefined ? '' : 'MAC address', macDifferences(document, endpoint)],
    [comparedTypes(document).join(', '), policyDifferences(document, endpoint, node)],
  ];
  const members = compared.map(([member]) => member).filter((member) => member !== '');
  return { differences: compared.flatMap(([, differences]) => differences), members: members.join(', ') };
}

/** Check paths finds a gateway that nothing has. HNS uses the network's own gateway if an endpoint was sent without one. */
function gatewayDifferences(
  { Routes: wanted = [] }: HostComputeEndpoint,
  { Routes: actual = [] }: ObservedEndpoint,
  family: Family,
  node: Surroundings,
): readonly PodDifference[] {
  const [expected, gateway] = [defaultGateway(wanted, family), defaultGateway(actual, family)];
  if (expected === undefined || expected === gateway) return [];
  if (gateway === undefined) return [fails(`no gateway, expected ${expected}`)];
  if (findGateway(expected, node) !== undefined) return [differs(`gateway ${gateway}, expected ${expected}`)];
  // Then the configuration is wrong, not the pods.
  return [fails(`gateway ${gateway}, but nothing on this node has that of the configuration, ${expected}`)];
}

/** HNS may not return the length. */
function lengthDifferences(
  { IpConfigurations: wanted = [] }: HostComputeEndpoint,
  { IpConfigurations: actual = [] }: ObservedEndpoint,
): readonly PodDifference[] {
  return actual.flatMap(({ IpAddress, PrefixLength = 0 }) => {
    const expected = wanted.find((one) => one.IpAddress === IpAddress)?.PrefixLength;
    if (expected === undefined || PrefixLength === 0 || PrefixLength === expected) return [];
    // The pod takes addresses of other subnets for its neighbors.
    const report = PrefixLength < expected ? fails : differs;
    return [report(`prefix length ${PrefixLength}, expected ${expected}`)];
  });
}

/** HNS may add routes without a next hop, such as those to the pod's own subnet. */
function routeDifferences(
  { Routes: wanted = [] }: HostComputeEndpoint,
  { Routes: actual = [] }: ObservedEndpoint,
  node: Surroundings,
): readonly PodDifference[] {
  const textsOf = (routes: readonly Route[]) =>
    new Map(
      routes
        .filter((one) => !isDefaultRoute(one.DestinationPrefix) && !isUnspecified(one.NextHop))
        .map(({ DestinationPrefix, NextHop }) => [`${DestinationPrefix} via ${NextHop}`, NextHop]),
    );
  const [expected, found] = [textsOf(wanted), textsOf(actual)];
  const surplus = [...found].filter(([text]) => !expected.has(text));
  return [
    ...[...expected.keys()].filter((text) => !found.has(text)).map((text) => differs(`no route ${text}`)),
    ...surplus.map(([text, nextHop]) => {
      const seen = `route ${text}, which the configuration does not have`;
      if (findGateway(nextHop, node) !== undefined) return differs(seen);
      return fails(`${seen}, nor anything on this node`);
    }),
  ];
}

/** Who has a gateway: the node or HNS, or another host, which is not checked; undefined if nothing can have it. */
export function findGateway(
  gateway: string,
  { network, inventory, adapters }: Omit<Surroundings, 'remoteSubnets' | 'runtimeLimits'>,
): 'this node' | 'HNS' | 'another host' | undefined {
  const isOnNode =
    adapterWith({ adapters }, gateway) !== undefined ||
    inventory.endpoints.some((one) => !isRemote(one) && addressesIn(one).includes(gateway));
  if (isOnNode) return 'this node';
  if (isLinkLocal(gateway)) return 'HNS';
  if (!['l2bridge', 'transparent'].includes(network.Type.toLowerCase())) {
    const isOfNetwork = subnetsOf(network).some(({ Routes = [] }) => defaultGateway(Routes) === gateway);
    return isOfNetwork || network.Type.toLowerCase() === 'l2tunnel' ? 'HNS' : undefined;
  }
  const lans = adapters
    .filter((one) => isUplink(one, network, adapters))
    .flatMap(({ addresses }) => addresses);
  const isOutside = lans.some((lan) => contains(lan, gateway));
  return isOutside || !prefixesOf(network).some((prefix) => contains(prefix, gateway))
    ? 'another host'
    : undefined;
}

const dnsMembers = [
  ['ServerList', 'DNS servers'],
  ['Search', 'DNS search domains'],
  ['Domain', 'DNS domain'],
] as const;

/** Only of members that the configuration sets: HNS adds others from the node. */
function dnsDifferences({ Dns: wanted = {} }: HostComputeEndpoint, { Dns = {} }: ObservedEndpoint) {
  return dnsMembers.flatMap(([member, noun]) => {
    const [expected, actual] = [listed(wanted[member]), listed(Dns[member])];
    if (expected === '' || expected === actual) return [];
    return [(actual === '' ? fails : differs)(`${noun} ${actual || 'missing'}, expected ${expected}`)];
  });
}

function listed(value: string | readonly string[] = []): string {
  return [value].flat().join(', ').toLowerCase();
}

function macDifferences({ MacAddress: wanted }: HostComputeEndpoint, { MacAddress = '' }: ObservedEndpoint) {
  if (wanted === undefined || formatMac(wanted) === formatMac(MacAddress)) return [];
  return [differs(`a MAC address other than the configuration's`)];
}
