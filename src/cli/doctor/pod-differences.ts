import {
  addressesIn,
  type HostComputeEndpoint,
  type ObservedEndpoint,
  type ObservedNetwork,
  type Policy,
  type Route,
  withoutKeys,
} from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import {
  defaultGateway,
  isDefaultRoute,
  isPolicyOf,
  prefixesOf,
  subnetsOf,
} from '../../model/network-document.ts';
import { isRemote } from '../../model/ownership.ts';
import { type Family, families, isLinkLocal, isUnspecified } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { formatMac } from '../../net/mac.ts';
import { contains, parsePrefix } from '../../net/prefix.ts';
import { comparePolicies, matchesSent } from '../../plan/check.ts';
import { isUplink } from '../../plan/host-endpoint.ts';
import { missingExceptions } from '../../plan/outbound-nat.ts';
import { adapterWith } from '../traffic/node-state.ts';
import type { Verdict } from './finding.ts';
import type { ExpectedEndpoint } from './plan.ts';

/** What a pod's endpoint has on its node. */
export interface Surroundings {
  readonly network: ObservedNetwork;
  readonly inventory: Inventory;
  readonly adapters: readonly HostAdapter[];
  /** The pod subnets of other nodes: policies may except those of nodes that left. */
  readonly remoteSubnets: readonly string[];
}

/** A difference between an endpoint and its plan; UNKNOWN if HNS does not return what would show it. */
export interface PodDifference {
  readonly verdict: Exclude<Verdict, 'PASS'>;
  /** Says nothing that only one pod has: equal texts are counted. */
  readonly text: string;
}

const differs = (text: string): PodDifference => ({ verdict: 'WARN', text });
const fails = (text: string): PodDifference => ({ verdict: 'FAIL', text });

/** Compares an endpoint with its plan. What HNS adds is not a difference, unless it is a policy of a kind that the configuration sets. */
export function podDifferences(
  { document, decidesDns, decidesRoutes }: ExpectedEndpoint,
  endpoint: ObservedEndpoint,
  node: Surroundings,
): readonly PodDifference[] {
  return [
    ...families.flatMap((family) => gatewayDifferences(document, endpoint, family, node)),
    ...(decidesRoutes ? routeDifferences(document, endpoint) : []),
    ...(decidesDns ? dnsDifferences(document, endpoint) : []),
    ...macDifferences(document, endpoint),
    ...policyDifferences(document, endpoint, node),
  ];
}

function gatewayDifferences(
  document: HostComputeEndpoint,
  endpoint: ObservedEndpoint,
  family: Family,
  node: Surroundings,
): readonly PodDifference[] {
  const wanted = defaultGateway(document.Routes ?? [], family);
  const actual = defaultGateway(endpoint.Routes ?? [], family);
  // HNS uses the network's own gateway if an endpoint was sent without one.
  if (actual === undefined) return wanted === undefined ? [] : [fails(`no gateway, expected ${wanted}`)];
  const isExpected = wanted === undefined || wanted === actual;
  const text = isExpected ? `gateway ${actual}` : `gateway ${actual}, expected ${wanted}`;
  if (!hasGateway(actual, node)) return [(isExpected ? differs : fails)(`nothing on this node has ${text}`)];
  return isExpected ? [] : [differs(text)];
}

/** The members of an endpoint that `podDifferences` compares with its plan, as in `gateway, routes, DNS, ACL`. */
export function comparedMembers({ document, decidesDns, decidesRoutes }: ExpectedEndpoint): string {
  const { Dns, MacAddress, Policies = [] } = document;
  const hasDns = dnsMembers.some(([member]) => listed(Dns?.[member]) !== '');
  return [
    'gateway',
    ...(decidesRoutes ? ['routes'] : []),
    ...(decidesDns && hasDns ? ['DNS'] : []),
    ...(MacAddress === undefined ? [] : ['MAC address']),
    ...new Set(Policies.filter(isCompared).map(({ Type }) => Type)),
  ].join(', ');
}

/** HNS may add routes without a next hop, such as those to the pod's own subnet. */
function routeDifferences(
  { Routes: wanted = [] }: HostComputeEndpoint,
  { Routes: actual = [] }: ObservedEndpoint,
): readonly PodDifference[] {
  const texts = (routes: readonly Route[]) =>
    routes
      .filter(
        ({ DestinationPrefix, NextHop }) => !isDefaultRoute(DestinationPrefix) && !isUnspecified(NextHop),
      )
      .map(({ DestinationPrefix, NextHop }) => `${DestinationPrefix} via ${NextHop}`);
  const [expected, found] = [texts(wanted), texts(actual)];
  return [
    ...expected.filter((one) => !found.includes(one)).map((one) => differs(`no route ${one}`)),
    ...found
      .filter((one) => !expected.includes(one))
      .map((one) => differs(`route ${one}, which the configuration does not have`)),
  ];
}

/** Whether a gateway may answer: an interface or endpoint of the node has it, HNS provides it, or it is outside of the node. */
function hasGateway(gateway: string, { network, inventory, adapters }: Surroundings): boolean {
  const isOnNode =
    adapterWith({ adapters }, gateway) !== undefined ||
    inventory.endpoints.some((one) => !isRemote(one) && addressesIn(one).includes(gateway));
  if (isOnNode || isLinkLocal(gateway)) return true;
  if (!['l2bridge', 'transparent'].includes(network.Type.toLowerCase()))
    return (
      subnetsOf(network).some(({ Routes = [] }) => defaultGateway(Routes) === gateway) ||
      network.Type.toLowerCase() === 'l2tunnel'
    );
  const lans = adapters
    .filter((one) => isUplink(one, network, adapters))
    .flatMap(({ addresses }) => addresses);
  const isOutside = lans.some((lan) => contains(lan, gateway));
  return isOutside || !prefixesOf(network).some((prefix) => contains(prefix, gateway));
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

/** Port mappings and bandwidth are the runtime's. */
function isCompared({ Type }: Policy): boolean {
  return !['portmapping', 'qos'].includes(Type.toLowerCase());
}

function policyDifferences(
  { Policies: planned = [] }: HostComputeEndpoint,
  endpoint: ObservedEndpoint,
  node: Surroundings,
): readonly PodDifference[] {
  const wanted = planned.filter(isCompared);
  const { missing, unreturned } = comparePolicies(wanted, endpoint);
  return [...new Set(wanted.map(({ Type }) => Type))].flatMap((type) => {
    const ofType = (policies: readonly Policy[]) => policies.filter((one) => isPolicyOf(type, one));
    const [sent, actual] = [ofType(wanted), ofType(endpoint.Policies ?? [])];
    if (actual.length === 0) return [absent(type, node)];
    const isNat = type === 'OutBoundNAT';
    const exceptions = isNat ? exceptionDifferences(sent, actual, node) : [];
    if (exceptions.length > 0) return exceptions;
    // HNS may merge OutBoundNAT policies, and return one ACL for several.
    const isMerged = isNat || ofType(unreturned).length > 0;
    const surplus = actual
      .filter((one) => Object.keys(one.Settings ?? {}).length > 0)
      .filter((one) => !isMerged && !sent.some((policy) => matchesSent(one, policy)));
    return [
      ...ofType(missing).map((policy) => differs(`no policy ${withoutKeys(policy)}`)),
      ...surplus.map((policy) =>
        differs(`policy ${withoutKeys(policy)}, which the configuration does not have`),
      ),
    ];
  });
}

/** HNS may not return a type at all: only an endpoint that has one shows that it does. */
function absent(type: string, { inventory }: Surroundings): PodDifference {
  const isReturned = inventory.endpoints.some(({ Policies = [] }) =>
    Policies.some((one) => isPolicyOf(type, one)),
  );
  if (isReturned) return differs(`no policy ${type}, which the configuration has`);
  return { verdict: 'UNKNOWN', text: `HNS returns no policy ${type}, which the configuration has` };
}

/** HNS excepts the network's own subnets. */
function exceptionDifferences(
  sent: readonly Policy[],
  actual: readonly Policy[],
  { network, remoteSubnets }: Surroundings,
): readonly PodDifference[] {
  const lacking = missingExceptions(sent, actual);
  const own = subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix);
  const lengths = remoteSubnets.map((subnet) => parsePrefix(subnet)?.length);
  const surplus = missingExceptions(actual, sent).filter(
    (one) => !own.includes(one) && !lengths.includes(parsePrefix(one)?.length),
  );
  return [
    ...(lacking.length === 0 ? [] : [differs(`no OutBoundNAT exception ${lacking.join(', ')}`)]),
    ...(surplus.length === 0
      ? []
      : [differs(`OutBoundNAT exception ${surplus.join(', ')}, which the configuration does not have`)]),
  ];
}
