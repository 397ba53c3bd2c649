import { type Attachment, parseNamespaceId } from '../cni/request.ts';
import { isEmpty, type Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import {
  addressesIn,
  type HostComputeEndpoint,
  type HostComputeNamespace,
  type ObservedEndpoint,
  type Policy,
  withoutKeys,
} from '../hcn/documents.ts';
import type { NamespaceId } from '../hcn/guid.ts';
import { defaultGateways, isPolicyOf, providerAddressOf } from '../model/network-document.ts';
import { attachedTo } from '../model/readiness.ts';
import { familyOf } from '../net/address.ts';
import { formatMac } from '../net/mac.ts';
import { endpointNameFor, hcnDns, macAddressFor } from './endpoint.ts';
import { healthNotice, lostAcls, mayIncludeAcl, stateFailures } from './endpoint-differences.ts';
import { isSameOutboundNat } from './outbound-nat.ts';
import { endpointPolicies } from './policies.ts';
import { cniDns, resultOf } from './result.ts';

/** The attachment as the configuration and the runtime's prevResult describe it. */
export interface ExpectedAttachment {
  readonly config: NetworkConfig;
  readonly attachment: Attachment;
  readonly namespaceId: NamespaceId;
  readonly prevResult: Result;
  /** The network's subnets, if outbound NAT excludes them. */
  readonly ownSubnets: readonly string[];
  /** In bytes; undefined if the configuration has no MTU. */
  readonly encapOverhead: number | undefined;
}

/** The attachment's objects in HCN; undefined if absent. */
export interface ObservedAttachment {
  readonly endpoint: ObservedEndpoint | undefined;
  readonly namespace: HostComputeNamespace | undefined;
  /** True if the network was queried and is absent. */
  readonly isNetworkMissing: boolean;
}

/**
 * Returns what differs from the expected attachment, one line per difference. Additions of later plugins in the chain to prevResult are
 * allowed (CNI specification, section 2, "CHECK").
 */
export function attachmentDifferences(
  expected: ExpectedAttachment,
  { endpoint, namespace, isNetworkMissing }: ObservedAttachment,
): readonly string[] {
  if (endpoint === undefined) {
    return [`endpoint "${endpointNameFor(expected.config, expected.attachment)}" is gone`];
  }
  return [
    ...(isNetworkMissing ? [`network "${expected.config.name}" is gone`] : []),
    ...namespaceDifferences(expected, endpoint, namespace),
    ...addressDifferences(expected, endpoint),
    ...documentDifferences(expected, endpoint),
    ...healthNotice(endpoint),
    ...stateFailures(endpoint),
  ];
}

function namespaceDifferences(
  { namespaceId }: ExpectedAttachment,
  endpoint: ObservedEndpoint,
  namespace: HostComputeNamespace | undefined,
): readonly string[] {
  if (namespace === undefined) return [`namespace ${namespaceId} is gone`];
  const actual = attachedTo(endpoint)?.toLowerCase();
  const listed = namespace.Resources?.some(({ Data }) => Data.Id === endpoint.ID);
  const location = actual === undefined ? 'no namespace' : `namespace ${actual}`;
  return [
    ...(actual === namespaceId ? [] : [`the endpoint is in ${location}, expected ${namespaceId}`]),
    ...(listed ? [] : [`namespace ${namespaceId} does not list the endpoint`]),
  ];
}

function addressDifferences(
  { attachment, namespaceId, prevResult }: ExpectedAttachment,
  endpoint: ObservedEndpoint,
): readonly string[] {
  const actual = resultOf(endpoint, attachment, namespaceId);
  const gateways = defaultGateways(endpoint.Routes ?? []);
  const index = prevResult.interfaces.findIndex(
    ({ name, sandbox }) => name === attachment.ifname && parseNamespaceId(sandbox ?? '') === namespaceId,
  );
  if (index < 0) return [`prevResult has no interface "${attachment.ifname}" in namespace ${namespaceId}`];
  const own = prevResult.ips.filter((ip) => ip.interface === index);
  if (own.length === 0) return [`prevResult has no address on interface "${attachment.ifname}"`];
  return own.flatMap(({ address, gateway }) => {
    const found = actual.ips.find((ip) => ip.address === address);
    if (found === undefined)
      return [
        `the endpoint has ${actual.ips.map((ip) => ip.address).join(', ') || 'no address'}, expected ${address}`,
      ];
    return gateway === undefined || gateways.includes(gateway)
      ? []
      : [`the gateway of ${address} is ${found.gateway ?? 'none'}, expected ${gateway}`];
  });
}

function documentDifferences(expected: ExpectedAttachment, endpoint: HostComputeEndpoint): readonly string[] {
  const { config } = expected;
  const { missing } = comparePolicies(wantedPolicies(expected, endpoint), endpoint);
  const lacksProvider = config.networkType === 'Overlay' && providerAddressOf(endpoint) === undefined;
  const dns = hcnDns(config.dns);
  const lacksDns = !isEmpty(config.dns) && !matchesSent(hcnDns(cniDns(endpoint.Dns)), dns);
  return [
    ...missing.map((policy) => `policy ${withoutKeys(policy)} is missing`),
    ...(lacksProvider ? ['policy ProviderAddress is missing'] : []),
    ...(lacksDns ? [`dns is ${JSON.stringify(endpoint.Dns ?? {})}, expected ${JSON.stringify(dns)}`] : []),
    ...macDifferences(config, endpoint),
  ];
}

/**
 * Returns the policies that HNS may have applied without returning them, one line per policy: those of a type of which it returns none,
 * and ACLs that it may have merged with others. They do not fail CHECK.
 */
export function unreturnedPolicies(
  expected: ExpectedAttachment,
  endpoint: HostComputeEndpoint,
): readonly string[] {
  return comparePolicies(wantedPolicies(expected, endpoint), endpoint).unreturned.map(
    (policy) => `HNS does not return policy ${withoutKeys(policy)} of endpoint "${endpoint.Name}"`,
  );
}

function wantedPolicies(
  { config, ownSubnets, encapOverhead }: ExpectedAttachment,
  endpoint: HostComputeEndpoint,
): readonly Policy[] {
  const addresses = addressesIn(endpoint);
  const families = addresses.map(familyOf);
  const context = { providerAddress: undefined, addresses, families, ownSubnets, encapOverhead };
  // Nodes join and leave during the life of a pod, which keeps the exceptions that it was created with.
  return endpointPolicies({ ...config, remoteSubnets: [] }, context);
}

/**
 * Returns the wanted policies that an endpoint lacks, and those that HNS may have applied without returning them. V1 documents have
 * EncapOverhead as a member of the endpoint (Azure/AKS#1367).
 */
export function comparePolicies(
  wanted: readonly Policy[],
  endpoint: HostComputeEndpoint,
): { readonly missing: readonly Policy[]; readonly unreturned: readonly Policy[] } {
  const policies = endpoint.Policies ?? [];
  const families = addressesIn(endpoint).map(familyOf);
  const candidatesFor = newCandidates(policies);
  const hasSameNat = isSameOutboundNat(wanted, policies, families);
  const isReturned = (sent: Policy) =>
    candidatesFor(sent).some((policy) => matchesSent(policy, sent)) ||
    (sent.Type === 'OutBoundNAT' && hasSameNat);
  const absent = wanted.filter((sent) => !isReturned(sent));
  const absentOnes = new Set(absent);
  const ofType = (type: string) => policies.filter((policy) => isPolicyOf(type, policy));
  const lost = new Set(lostAcls({ Policies: wanted }, endpoint));
  const hasOwnAcl = wanted.some((sent) => sent.Type === 'ACL' && !absentOnes.has(sent));
  const mayExist = (sent: Policy) =>
    sent.Type === 'ACL'
      ? !lost.has(sent) && (hasOwnAcl || mayIncludeAcl(ofType('ACL'), sent))
      : ofType(sent.Type).length === 0;
  return {
    missing: absent.filter((policy) => !mayExist(policy)),
    unreturned: absent.filter(mayExist),
  };
}

/**
 * Returns the observed policies that may match a sent one: those with the rarest of its texts. An endpoint may have thousands of ACLs, too
 * many to compare each with each.
 */
function newCandidates(observed: readonly Policy[]): (sent: Policy) => readonly Policy[] {
  const members = observed.flatMap((policy) =>
    Object.entries(policy.Settings ?? {}).map((member) => ({ key: memberKey(member), policy })),
  );
  const byMember = Map.groupBy(members, ({ key }) => key);
  return ({ Settings = {} }) => {
    const groups = Object.entries(Settings)
      .filter(([name, value]) => typeof value === 'string' && !isDefaultValue(value, defaultNames[name]))
      .map((member) => byMember.get(memberKey(member)) ?? []);
    const [rarest] = groups.toSorted((one, other) => one.length - other.length);
    return rarest?.map(({ policy }) => policy) ?? observed;
  };
}

function memberKey([name, value]: readonly [string, unknown]): string {
  return `${name} ${String(value)}`.toLowerCase();
}

function macDifferences(config: NetworkConfig, endpoint: HostComputeEndpoint) {
  const { MacAddress = '' } = endpoint;
  const wanted = macAddressFor(config, addressesIn(endpoint));
  if (wanted === undefined || formatMac(wanted) === formatMac(MacAddress)) return [];
  return [`the MAC address is ${formatMac(MacAddress) || 'none'}, expected ${formatMac(wanted)}`];
}

/**
 * Whether a document that HNS returned contains everything that was sent. HNS adds members and items, reorders keys and lists, omits members with
 * default values, and changes the case of some enumerations and GUIDs. `defaultName` is the default of an enumeration.
 */
export function matchesSent(observed: unknown, sent: unknown, defaultName?: string): boolean {
  if (observed === undefined || observed === null) return isDefaultValue(sent, defaultName);
  if (typeof sent === 'string' && typeof observed === 'string') {
    return sent.toLowerCase() === observed.toLowerCase();
  }
  if (Array.isArray(sent)) {
    return (
      Array.isArray(observed) &&
      sent.every((item) => observed.some((candidate) => matchesSent(candidate, item)))
    );
  }
  if (typeof sent === 'object' && sent !== null) {
    const members = new Map(Object.entries(observed));
    return Object.entries(sent).every(([name, value]) =>
      matchesSent(members.get(name), value, defaultNames[name]),
    );
  }
  return observed === sent;
}

/** The first members of the enumerations ActionType, DirectionType and RuleType. */
const defaultNames: Readonly<Record<string, string>> = {
  Action: 'Allow',
  TierAclRuleAction: 'Allow',
  Direction: 'In',
  RuleType: 'Host',
};

function isDefaultValue(sent: unknown, defaultName: string | undefined): boolean {
  if (typeof sent === 'string') return sent === '' || sent === defaultName;
  if (typeof sent === 'object' && sent !== null) {
    return Object.entries(sent).every(([name, value]) => isDefaultValue(value, defaultNames[name]));
  }
  return sent === undefined || sent === null || sent === false || sent === 0;
}
