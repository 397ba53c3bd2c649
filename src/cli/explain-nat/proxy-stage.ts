import { isObject } from '../../cni/text.ts';
import { fiveTuple } from '../inventory/five-tuple.ts';
import { isPortIn, type Judgement, matchTuple } from '../traffic/match-tuple.ts';
import { isIn } from '../traffic/prefixes.ts';
import { type NatLine, type PlacedPolicy, policiesOf, type Question, type Stage } from './question.ts';

const stage = 'L4WFPPROXY';

/**
 * Whether a proxy in the pod gets what is sent before it leaves the pod.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#L4WfpProxyPolicySetting
 */
export function proxyStage(question: Question): Stage {
  const lines = policiesOf(stage, question.endpoint).map((policy) => proxyLine(policy, question));
  const deciding = lines.find(({ matches }) => matches === 'yes');
  const possible = lines.filter(({ matches }) => matches === 'unknown');
  return {
    says:
      deciding !== undefined
        ? [
            `${stage} (${deciding.place}) leads it to port ${deciding.port} in the pod. What that sends on is what the following is about.`,
          ]
        : possible.map(
            ({ place, because }) => `${stage} (${place}) may lead it to a proxy in the pod: ${because}.`,
          ),
    open: deciding === undefined && possible.length > 0,
    lines: lines.map((line) => {
      const { place: _place, port: _port, ...shown } = line;
      const decides =
        line === deciding ? 'yes' : possible.includes(line) && deciding === undefined ? 'may' : 'no';
      return { ...shown, decides };
    }),
  };
}

interface ProxyLine extends Omit<NatLine, 'decides'> {
  readonly place: string;
  readonly port: string;
}

function proxyLine({ place, settings }: PlacedPolicy, question: Question): ProxyLine {
  const { OutboundProxyPort, FilterTuple, OutboundExceptions, UserSID } = settings;
  const port = String(OutboundProxyPort ?? '');
  const tuple = fiveTuple(isObject(FilterTuple) ? FilterTuple : {});
  const account = UserSID ? `, but for what ${UserSID} sends` : '';
  return {
    stage,
    place,
    port,
    line: `${place}: ${tuple.protocols} to ${tuple.remoteAddresses} port ${tuple.remotePorts} goes to ${port || 'no port'}${account}`,
    ...(port === '' || port === '0'
      ? { matches: 'no' as const, because: 'it has no OutboundProxyPort' }
      : judge(tuple, isObject(OutboundExceptions) ? OutboundExceptions : {}, question)),
  };
}

function judge(
  tuple: Parameters<typeof matchTuple>[0],
  exceptions: Readonly<Record<string, unknown>>,
  { destination, addresses }: Question,
): Judgement {
  const { address, port, protocol } = destination;
  const listOf = (member: string) => {
    const list = exceptions[member];
    return Array.isArray(list) ? list.map(String) : [];
  };
  const exception = listOf('IpAddressExceptions').find((item) => isIn(item, address));
  if (exception !== undefined) return { matches: 'no', because: `${exception} is one of its exceptions` };
  const ports = listOf('PortExceptions');
  if (port !== undefined && isPortIn(ports, port))
    return { matches: 'no', because: `port ${port} is one of its exceptions` };
  const judgement = matchTuple(tuple, {
    protocol,
    localAddresses: addresses,
    remoteAddress: address,
    remotePort: port,
  });
  if (judgement.matches === 'yes' && port === undefined && ports.length > 0)
    return { matches: 'unknown', because: 'the remote port is not said' };
  return judgement;
}
