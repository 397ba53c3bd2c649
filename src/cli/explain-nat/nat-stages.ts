import type { ObservedLoadBalancer } from '../../hcn/documents.ts';
import { isObject } from '../../json/members.ts';
import { familyOf } from '../../net/address.ts';
import { formatPrefix, networkOf } from '../../net/prefix.ts';
import { natFlags } from '../../plan/policies.ts';
import { type FiveTuple, fiveTuple } from '../inventory/acl-row.ts';
import { loadBalancerLabel } from '../inventory/object-rows.ts';
import { policyText } from '../inventory/policy-text.ts';
import { hasPorts } from '../traffic/destination.ts';
import { isPortIn, type MatchResult, matchTraffic, prefixContains } from '../traffic/match-traffic.ts';
import { findDecidingEntry, isTranslated, type NatEntry, natEntries, virtualIp } from './nat-entries.ts';
import {
  certainRule,
  listSetting,
  type NatRule,
  type NumberedPolicy,
  numberedPolicies,
  type Query,
  type Stage,
} from './query.ts';

const outBoundNat = 'OutBoundNAT';

/** Whether HNS translates the source address. `backends` are the addresses to which a load balancer redirects the traffic. */
export function outboundNatStage(query: Query, backends: readonly string[]): Stage {
  const { address, protocol } = query.destination;
  const entries = natEntries(numberedPolicies(outBoundNat, query.endpoint), podSubnets(query));
  const deciding = findDecidingEntry(entries, address);
  const translated = isTranslated(deciding);
  const differs = (backend: string) =>
    !query.addresses.includes(backend) && isTranslated(findDecidingEntry(entries, backend)) !== translated;
  const differing = deciding?.kind === 'pod subnet' ? [] : backends.filter(differs);
  const doubts = [
    ...(translated && !hasPorts(protocol) ? [doubtWithoutPorts] : []),
    ...(deciding !== undefined && lacksIPv6Flag(deciding, address) ? [doubtWithoutFlag] : []),
    ...(differing.length > 0 ? [doubtByBackends(differing, translated)] : []),
  ];
  return {
    sentences: [
      deciding === undefined ? withoutEntry(entries, query) : entrySentence(deciding, address),
      ...doubts,
    ],
    uncertain: doubts.length > 0,
    rules: entries.map((entry) => entryRule(entry, address, entry === deciding)),
  };
}

const doubtWithoutPorts =
  'Without ports the translation is uncertain: Kubernetes documents that HNS translates only TCP and UDP, but users report working pings.';

const doubtWithoutFlag =
  'The translation of IPv6 is uncertain: this policy lacks the IPv6 flag, and HNS does not document whether it is required.';

function doubtByBackends(backends: readonly string[], translated: boolean): string {
  const missing = translated ? 'the load balancer address' : 'the backends';
  return (
    `For the backends ${backends.join(' and ')} the policies decide the opposite, and HNS does not document which address it ` +
    `compares. Add ${missing} to the exceptions.`
  );
}

function lacksIPv6Flag(entry: NatEntry, address: string): boolean {
  if (!isTranslated(entry) || !('policy' in entry) || familyOf(address) === 'IPv4') return false;
  return (Number(entry.policy.settings['Flags'] ?? 0) & natFlags.ipv6) === 0;
}

function podSubnets({ endpoint }: Query): readonly string[] {
  return (endpoint.IpConfigurations ?? []).flatMap(({ IpAddress, PrefixLength }) =>
    PrefixLength === undefined ? [] : [formatPrefix(networkOf({ address: IpAddress, length: PrefixLength }))],
  );
}

function entrySentence(entry: NatEntry, address: string): string {
  switch (entry.kind) {
    case 'exception':
      return `${entry.prefix} is an OutBoundNAT exception (${entry.policy.label}): ${keepsAddress(address)}.`;
    case 'pod subnet':
      return `${entry.prefix} is the pod subnet, which HNS reportedly excludes from OutBoundNAT: ${keepsAddress(address)}.`;
    case 'destination':
      return `${entry.prefix} is an OutBoundNAT destination (${entry.policy.label}): ${getsAddress(address, entry.policy)}.`;
    case 'default':
      return `No OutBoundNAT exception matches (${entry.policy.label}): ${getsAddress(address, entry.policy)}.`;
  }
}

function withoutEntry(entries: readonly NatEntry[], { destination, network }: Query): string {
  const reason = entries.length === 0 ? 'No OutBoundNAT policy' : 'No OutBoundNAT policy matches';
  // The NAT of Windows itself needs no policy.
  if (['nat', 'ics'].includes(network?.Type.toLowerCase() ?? ''))
    return `${reason}, but network "${network?.Name}" has type ${network?.Type}: Windows translates outgoing traffic to a node address.`;
  return `${reason}: ${keepsAddress(destination.address)}.`;
}

function keepsAddress(address: string): string {
  return `traffic to ${address} keeps the pod IP address as its source`;
}

function getsAddress(address: string, policy: NumberedPolicy): string {
  const source = virtualIp(policy);
  return `traffic to ${address} gets ${source === undefined ? 'a node address' : `the VirtualIP ${source}`} as its source`;
}

function entryRule(entry: NatEntry, address: string, decides: boolean): NatRule {
  const rule = (line: string, matches: boolean) => certainRule(outBoundNat, line, matches, decides);
  switch (entry.kind) {
    case 'pod subnet':
      return rule(`HNS default: exception ${entry.prefix}`, prefixContains(entry.prefix, address));
    case 'default':
      return rule(`${entry.policy.label}: all other destinations`, decides);
    case 'destination':
    case 'exception':
      return rule(
        `${entry.policy.label}: ${entry.kind} ${entry.prefix}`,
        prefixContains(entry.prefix, address),
      );
  }
}

/** Whether a pod reaches itself through a load balancer. That requires an OutBoundNAT policy with its own address as a destination. */
export function loopbackStage(
  { endpoint, addresses, inventory }: Query,
  loadBalancer: ObservedLoadBalancer | undefined,
): Stage {
  if (loadBalancer?.HostComputeEndpoints.includes(endpoint.ID) !== true) return { sentences: [], rules: [] };
  const own = addresses.join(', ');
  const entries = numberedPolicies(outBoundNat, endpoint).flatMap((policy) =>
    listSetting(policy, 'Destinations').map((prefix) => ({
      label: policy.label,
      prefix,
      isOwn: addresses.every((address) => prefixContains(prefix, address)),
    })),
  );
  const found = entries.find(({ isOwn }) => isOwn);
  return {
    sentences: [
      found === undefined
        ? `The pod is a backend, but no OutBoundNAT policy has its address ${own} as a destination (loopbackDSR): traffic that load ` +
          `balancer ${loadBalancerLabel(loadBalancer.ID, inventory)} sends back to it is lost.`
        : `The pod is a backend and reaches itself: its address is an OutBoundNAT destination (${found.label}).`,
    ],
    rules: entries.map((entry) => {
      const line = `${entry.label}: destination ${entry.prefix}`;
      const rule = certainRule('loopbackDSR', line, entry.isOwn, entry === found);
      return entry.isOwn ? rule : { ...rule, because: `the pod address is ${own}` };
    }),
  };
}

/** The node ports that lead to the pod. They never decide: they apply to inbound connections and their replies. */
export function portMappingStage({ endpoint }: Query): Stage {
  const type = 'PortMapping';
  const rules = numberedPolicies(type, endpoint).map(({ label, settings }): NatRule => {
    const line = `${label}: ${policyText({ Type: type, Settings: settings })}`;
    return { ...certainRule(type, line, false, false), because: 'inbound connections only' };
  });
  return { sentences: [], rules };
}

const stage = 'L4WFPPROXY';

/**
 * Whether a proxy in the pod intercepts the traffic before it leaves the pod.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#L4WfpProxyPolicySetting
 */
export function proxyStage(query: Query): Stage {
  const rules = numberedPolicies(stage, query.endpoint).map((policy) => evaluateProxy(policy, query));
  const deciding = rules.find(({ matches }) => matches === 'yes');
  const possible = deciding === undefined ? rules.filter(({ matches }) => matches === 'unknown') : [];
  return {
    sentences:
      deciding !== undefined
        ? [
            `${stage} (${deciding.label}) redirects the traffic to port ${deciding.port} in the pod. The rest applies to traffic from there.`,
          ]
        : possible.map(
            ({ label, because }) =>
              `${stage} (${label}) may redirect the traffic to a proxy in the pod: ${because}.`,
          ),
    uncertain: possible.length > 0,
    rules: rules.map((rule) => {
      const { label: _label, port: _port, ...shown } = rule;
      return { ...shown, decides: rule === deciding ? 'yes' : possible.includes(rule) ? 'may' : 'no' };
    }),
  };
}

interface ProxyRule extends Omit<NatRule, 'decides'> {
  readonly label: string;
  readonly port: string;
}

function evaluateProxy({ label, settings }: NumberedPolicy, query: Query): ProxyRule {
  const { OutboundProxyPort, FilterTuple, OutboundExceptions, UserSID } = settings;
  const port = String(OutboundProxyPort ?? '');
  const tuple = fiveTuple(isObject(FilterTuple) ? FilterTuple : {});
  const account = UserSID ? `, except from ${UserSID}` : '';
  return {
    stage,
    label,
    port,
    line: `${label}: ${tuple.protocols} to ${tuple.remoteAddresses} port ${tuple.remotePorts} goes to ${port || 'no port'}${account}`,
    ...(port === '' || port === '0'
      ? { matches: 'no' as const, because: 'OutboundProxyPort is missing' }
      : matchProxy(tuple, isObject(OutboundExceptions) ? OutboundExceptions : {}, query)),
  };
}

function matchProxy(
  tuple: FiveTuple,
  exceptions: NumberedPolicy['settings'],
  { destination, addresses }: Query,
): MatchResult {
  const { address, port, protocol } = destination;
  const listOf = (key: string) => listSetting({ settings: exceptions }, key);
  const exception = listOf('IpAddressExceptions').find((item) => prefixContains(item, address));
  if (exception !== undefined) return { matches: 'no', because: `${exception} is an exception` };
  const ports = listOf('PortExceptions');
  if (port !== undefined && isPortIn(ports, port))
    return { matches: 'no', because: `port ${port} is an exception` };
  const result = matchTraffic(tuple, {
    protocol,
    localAddresses: addresses,
    remoteAddress: address,
    remotePort: port,
  });
  if (result.matches === 'yes' && port === undefined && ports.length > 0)
    return { matches: 'unknown', because: 'the remote port is not given' };
  return result;
}
