import {
  type HostComputeEndpoint,
  type ObservedEndpoint,
  type ObservedNetwork,
  type Policy,
  withoutKeys,
} from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf, subnetsOf } from '../../model/network-document.ts';
import { isUnspecified, parseAddress } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { parsePrefix } from '../../net/prefix.ts';
import { comparePolicies, matchesSent } from '../../plan/check.ts';
import { missingExceptions } from '../../plan/outbound-nat.ts';
import { adapterWith } from '../traffic/node-state.ts';
import type { Verdict } from './finding.ts';

/** What a pod's endpoint has on its node. */
export interface Surroundings {
  readonly network: ObservedNetwork;
  readonly inventory: Inventory;
  readonly adapters: readonly HostAdapter[];
  /** The pod subnets of other nodes: policies may except those of nodes that left. */
  readonly remoteSubnets: readonly string[];
  /** Whether the runtime may limit the bandwidth of pods. */
  readonly runtimeLimits: boolean;
}

/** A difference between an endpoint and its plan; UNKNOWN if HNS does not return what would show it. */
export interface PodDifference {
  readonly verdict: Exclude<Verdict, 'PASS'>;
  /** Says nothing that only one pod has: equal texts are counted. */
  readonly seen: string;
}

/** A difference that does not stop the pod, or only may. */
export const differs = (seen: string): PodDifference => ({ verdict: 'WARN', seen });
/** A difference that stops the pod. */
export const fails = (seen: string): PodDifference => ({ verdict: 'FAIL', seen });

/** The types of a plan's policies that are compared. */
export function comparedTypes({ Policies = [] }: Pick<HostComputeEndpoint, 'Policies'>): readonly string[] {
  return [...new Set(Policies.filter(isCompared).map(({ Type }) => Type))];
}

/** Compares the policies of an endpoint with its plan: those of each type that the plan has, what redirects traffic, and host ports. */
export function policyDifferences(
  document: HostComputeEndpoint,
  endpoint: ObservedEndpoint,
  node: Surroundings,
): readonly PodDifference[] {
  return [
    ...plannedTypes(document, endpoint, node),
    ...redirections(document, endpoint, node),
    ...hostPortDifferences(endpoint, node),
  ];
}

/** Port mappings and bandwidth are the runtime's. */
function isCompared({ Type }: Policy): boolean {
  return !['portmapping', 'qos'].includes(Type.toLowerCase());
}

function plannedTypes(
  { Policies: planned = [] }: HostComputeEndpoint,
  endpoint: ObservedEndpoint,
  node: Surroundings,
): readonly PodDifference[] {
  const wanted = planned.filter(isCompared);
  const { missing, unreturned } = comparePolicies(wanted, endpoint);
  return comparedTypes({ Policies: planned }).flatMap((type) => {
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
      ...surplus.map((policy) => differs(unwanted(`policy ${withoutKeys(policy)}`))),
    ];
  });
}

/** HNS may not return a type at all: only an endpoint that has one shows that it does. */
function absent(type: string, { inventory }: Surroundings): PodDifference {
  const policies = inventory.endpoints.flatMap(({ Policies = [] }) => Policies);
  const named = `policy ${type}${type === 'EncapOverhead' ? ' (mtu)' : ''}, which the configuration has`;
  if (policies.some((one) => isPolicyOf(type, one))) return differs(`no ${named}`);
  return { verdict: 'UNKNOWN', seen: `HNS returns no ${named}` };
}

/** HNS excepts the network's own subnets. */
function exceptionDifferences(
  sent: readonly Policy[],
  actual: readonly Policy[],
  { network, remoteSubnets }: Surroundings,
): readonly PodDifference[] {
  const lacking = missingExceptions(sent, actual).join(', ');
  const own = subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix);
  const lengths = remoteSubnets.map((subnet) => parsePrefix(subnet)?.length);
  const surplus = missingExceptions(actual, sent)
    .filter((one) => !own.includes(one) && !lengths.includes(parsePrefix(one)?.length))
    .join(', ');
  return [
    ...(lacking === '' ? [] : [differs(`no OutBoundNAT exception ${lacking}`)]),
    ...(surplus === '' ? [] : [differs(`OutBoundNAT exception ${unwanted(surplus)}`)]),
  ];
}

function unwanted(what: string): string {
  return `${what}, which the configuration does not have`;
}

/** Types of policies that redirect or translate traffic, which nothing but the configuration may set; nor a limit, unless the runtime may. */
const redirecting = ['OutBoundNAT', 'SDNRoute', 'L4Proxy', 'L4WFPPROXY'];

/** Policies that redirect traffic, of types that the configuration does not set. HNS itself translates for NAT networks. */
function redirections(
  { Policies: planned = [] }: HostComputeEndpoint,
  { Policies: actual = [] }: ObservedEndpoint,
  { network, runtimeLimits }: Surroundings,
): readonly PodDifference[] {
  const types = runtimeLimits ? redirecting : [...redirecting, 'QOS'];
  const isNat = ['nat', 'ics'].includes(network.Type.toLowerCase());
  return types.flatMap((type) => {
    const isSet = planned.some((one) => isPolicyOf(type, one));
    if (isSet || (isNat && type === 'OutBoundNAT')) return [];
    const report = type.startsWith('L4') ? fails : differs;
    return actual
      .filter((one) => isPolicyOf(type, one))
      .map((policy) => report(unwanted(`policy ${withoutKeys(policy)}`)));
  });
}

/** Host ports on an address that the node does not have. */
function hostPortDifferences(
  { Policies = [] }: ObservedEndpoint,
  { adapters }: Surroundings,
): readonly PodDifference[] {
  return Policies.filter((one) => isPolicyOf('PortMapping', one)).flatMap(({ Settings = {} }) => {
    const address = parseAddress(String(Settings['VIP'] ?? ''));
    if (address === undefined || isUnspecified(address) || adapters.length === 0) return [];
    if (adapterWith({ adapters }, address) !== undefined) return [];
    return [differs(`host port ${Settings['ExternalPort']} on ${address}, which the node does not have`)];
  });
}
