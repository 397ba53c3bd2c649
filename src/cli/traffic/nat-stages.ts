import type { ObservedLoadBalancer } from '../../hcn/documents.ts';
import { isObject } from '../../json/members.ts';
import { type FiveTuple, fiveTuple } from '../inventory/acl-row.ts';
import { policyText } from '../inventory/policy-text.ts';
import { isPortIn, type MatchResult, matchTraffic, prefixContains } from './match-traffic.ts';
import {
  certainRule,
  listSetting,
  type NatRule,
  type NumberedPolicy,
  numberedPolicies,
  outBoundNat,
  type Query,
  type Stage,
} from './query.ts';
import { type Source, translatedSource } from './sources.ts';

export interface LoopbackStage extends Stage {
  /** The source of traffic that a load balancer sends back to the pod; absent if it is lost. */
  readonly source?: Source;
}

/** Whether a pod reaches itself through a load balancer. That requires an OutBoundNAT policy with its own address as a destination. */
export function loopbackStage(query: Query, loadBalancer: ObservedLoadBalancer | undefined): LoopbackStage {
  const { endpoint, addresses } = query;
  if (loadBalancer?.HostComputeEndpoints.includes(endpoint.ID) !== true) return { sentences: [], rules: [] };
  const own = addresses.join(', ');
  const entries = numberedPolicies(outBoundNat, endpoint).flatMap((policy) =>
    listSetting(policy, 'Destinations').map((prefix) => ({
      policy,
      label: policy.label,
      prefix,
      isOwn: addresses.every((address) => prefixContains(prefix, address)),
    })),
  );
  const found = entries.find(({ isOwn }) => isOwn);
  return {
    sentences: [
      found === undefined
        ? `The pod is a backend, but no OutBoundNAT policy has its address ${own} as a destination (loopbackDSR).`
        : `The pod is a backend, and its address is an OutBoundNAT destination (${found.label}, loopbackDSR).`,
    ],
    ...(found !== undefined && { source: translatedSource(found.policy, query) }),
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

export interface ProxyStage extends Stage {
  /** The policy and the proxy's port in the pod, if a proxy gets the traffic. */
  readonly by?: { readonly label: string; readonly port: string };
  /** The policies that may redirect the traffic. */
  readonly possible: readonly string[];
}

/**
 * Whether a proxy in the pod intercepts the traffic before it leaves the pod.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#L4WfpProxyPolicySetting
 */
export function proxyStage(query: Query): ProxyStage {
  const rules = numberedPolicies(stage, query.endpoint).map((policy) => evaluateProxy(policy, query));
  const deciding = rules.find(({ matches }) => matches === 'yes');
  const possible = deciding === undefined ? rules.filter(({ matches }) => matches === 'unknown') : [];
  return {
    sentences: possible.map(
      ({ label, because }) =>
        `${stage} (${label}) may redirect the traffic to a proxy in the pod: ${because}.`,
    ),
    ...(deciding !== undefined && { by: deciding }),
    possible: possible.map(({ label }) => `${stage} (${label})`),
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
