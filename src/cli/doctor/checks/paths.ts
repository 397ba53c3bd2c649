import { CniError } from '../../../cni/error.ts';
import { addressesIn } from '../../../hcn/documents.ts';
import { isPolicyOf } from '../../../model/network-document.ts';
import { type Family, familyOf, formatPort, parseAddress } from '../../../net/address.ts';
import { everyAddress, firstHost, parsePrefix } from '../../../net/prefix.ts';
import { protocolNumbers } from '../../../net/protocols.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, shortContainer } from '../../terminal/short-text.ts';
import { outcomeOf, type PredictedWay, predictPath, type Sender } from '../../trace/predict-path.ts';
import type { Destination } from '../../traffic/destination.ts';
import type { NodeState } from '../../traffic/node-state.ts';
import { type Check, type Diagnosis, fail, known, orPass, warn } from '../finding.ts';
import { expectedEndpoint, type UsedNetwork, usedNetwork } from '../plan.ts';
import { type PodEndpoint, selectedPods, showEndpoint } from '../pod-endpoints.ts';
import type { Snapshot } from '../snapshot.ts';

/** Addresses of the documentation, which no node has: they stand for another network. */
const outside: Readonly<Record<Family, string>> = { IPv4: '192.0.2.1', IPv6: '2001:db8::1' };

const { tcp, udp } = protocolNumbers;
const dnsPort = 53;

/** A packet of a pod, or for it, whose path is predicted. */
interface Flow {
  readonly pod: PodEndpoint;
  /** As in `to DNS server 10.96.0.10`. */
  readonly text: string;
  readonly sender: Sender;
  readonly destination: Destination;
}

/**
 * Predicts packets of each pod, as trace does. On the configured network a loss stops the pod, unless ACLs of the configuration block the
 * packet. Of DNS queries these are a warning, and those of other plugins; nothing else of their pods is predicted.
 */
export const paths: Check = {
  name: 'paths',
  isOfPod: true,
  diagnose: (snapshot) => {
    const used = usedNetwork(snapshot);
    const { windows, routes, adapters, inventory } = snapshot;
    if ('error' in windows.forwarding || 'error' in routes) return [];
    const node = {
      inventory: known(inventory),
      adapters: known(adapters),
      routes: routes.value,
      forwarding: windows.forwarding.value,
    };
    const pods = selectedPods(snapshot);
    const hasIPv6 = node.routes.some(({ prefix }) => prefix === everyAddress('IPv6'));
    const flows = pods
      .flatMap((pod) => flowsOf(pod, used))
      .filter(({ destination }) => destination.address !== outside.IPv6 || hasIPv6)
      .map((flow) => ({ flow, way: predict(flow, node) }));
    const isOpen = (way: PredictedWay | undefined) =>
      way === undefined || ['lost', 'unknown'].includes(outcomeOf(way));
    const open = new Set(flows.filter(({ way }) => isOpen(way)).map(({ flow }) => flow.text));
    const passed = new Set(flows.map(({ flow }) => flow.text).filter((text) => !open.has(text)));
    const lost = flows.flatMap(({ flow, way }) =>
      way !== undefined && outcomeOf(way) === 'lost' ? diagnoseLoss(flow, way, { used, node, snapshot }) : [],
    );
    if (lost.length + passed.size === 0) return [];
    const count = countText(pods.length, 'endpoint');
    return orPass(lost, `no predicted loss on this node for ${count}: ${[...passed].join(', ')}`);
  },
};

interface Surroundings {
  readonly used: UsedNetwork | undefined;
  readonly node: NodeState;
  readonly snapshot: Snapshot;
}

function diagnoseLoss(flow: Flow, way: PredictedWay, surroundings: Surroundings): readonly Diagnosis[] {
  const { row } = flow.pod;
  const seen = `packets ${flow.text} are lost: ${(way.reply ?? way).because}`;
  const { address, port = 0, protocol } = flow.destination;
  const sender =
    flow.sender.is === 'node' ? 'node' : quote(row.pod ?? shortContainer(row.container ?? row.id));
  const target = `${formatPort(address, port)}${protocol === udp ? '/udp' : ''}`;
  const details = { ...showEndpoint(row), see: `win-hcn trace ${sender} ${target}` };
  const isOurs = row.network === surroundings.used?.config.name;
  if (isOurs && !(isBlocked(way) && isPermitted(flow, surroundings))) return [fail(seen, details)];
  return isBlocked(way) && port === dnsPort ? [warn(seen, details)] : [];
}

function flowsOf(pod: PodEndpoint, used: UsedNetwork | undefined): readonly Flow[] {
  const { endpoint, row } = pod;
  const own = addressesIn(endpoint);
  const to = (text: string, address: string, port: number, protocol: number = tcp): Flow => ({
    pod,
    text,
    sender: { is: 'pod', endpoint },
    destination: { address, port, protocol },
  });
  const servers = (endpoint.Dns?.ServerList ?? []).flatMap((text) => parseAddress(text) ?? []);
  const queries = servers.map((server) => to(`to DNS server ${server}`, server, dnsPort, udp));
  const remote = (used?.config.remoteSubnets ?? [])
    .flatMap(({ subnet }) => parsePrefix(subnet) ?? [])
    .flatMap((prefix) => firstHost(prefix) ?? []);
  const others = [
    ...remote.slice(0, 1).map((address) => to(`to pods such as ${address}`, address, 80)),
    ...own.map(familyOf).map((family) => to(`to other networks (${family})`, outside[family], 443)),
    ...own.map((address): Flow => ({ ...to('from the node', address, 80), sender: { is: 'node' } })),
  ];
  const flows = row.network === used?.config.name ? [...queries, ...others] : queries;
  return flows.filter(({ destination }) =>
    own.some((one) => familyOf(one) === familyOf(destination.address)),
  );
}

/** The worst way; undefined if there is none to predict. */
function predict({ sender, destination }: Flow, node: NodeState): PredictedWay | undefined {
  return predictPath(sender, destination, { node })[0];
}

/** Whether an ACL loses it. */
function isBlocked(way: PredictedWay | undefined): boolean {
  return (
    way !== undefined && outcomeOf(way) === 'lost' && (way.reply ?? way).hops.at(-1)?.did === 'blocks it'
  );
}

/** Whether ACLs may block it: those of the configuration, or of an agent for network policies, if the configuration has none. */
function isPermitted(flow: Flow, { used, node, snapshot }: Surroundings): boolean {
  if (used === undefined) return false;
  const { endpoint, row } = flow.pod;
  try {
    const { Policies = [] } = expectedEndpoint(used, snapshot.configuration.plugin, endpoint, row).document;
    if (!Policies.some((policy) => isPolicyOf('ACL', policy))) return true;
    const planned = { ...endpoint, Policies };
    const endpoints = node.inventory.endpoints.map((one) => (one.ID === planned.ID ? planned : one));
    const sender = flow.sender.is === 'pod' ? { ...flow.sender, endpoint: planned } : flow.sender;
    return isBlocked(predict({ ...flow, sender }, { ...node, inventory: { ...node.inventory, endpoints } }));
  } catch (error) {
    // Check pods reports that ADD refuses it.
    if (error instanceof CniError) return true;
    throw error;
  }
}
