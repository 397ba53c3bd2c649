import { isObject } from '../../json/members.ts';
import { type FiveTuple, fiveTuple } from '../inventory/five-tuple.ts';
import { isPortIn, type MatchResult, matchTraffic, prefixContains } from '../traffic/match-traffic.ts';
import {
  listSetting,
  type NatRule,
  type NumberedPolicy,
  numberedPolicies,
  type Query,
  type Stage,
} from './query.ts';

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
