import { CniError } from '../../../cni/error.ts';
import { addressesIn, type ObservedEndpoint } from '../../../hcn/documents.ts';
import { type Family, familyOf, formatPort, parseAddress } from '../../../net/address.ts';
import { firstHost, parsePrefix } from '../../../net/prefix.ts';
import { protocolNumbers } from '../../../net/protocols.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, shortContainer } from '../../terminal/short-text.ts';
import { outcomeOf, type PredictedWay, predictPath, type Sender } from '../../trace/predict-path.ts';
import type { Destination } from '../../traffic/destination.ts';
import type { NodeState } from '../../traffic/node-state.ts';
import { type Check, fail, isSelected, known, pass } from '../finding.ts';
import { expectedEndpoint, type UsedNetwork, usedNetwork } from '../plan.ts';
import type { Snapshot } from '../snapshot.ts';
import { describeEndpoint } from './endpoints.ts';
import { type PodEndpoint, podEndpoints } from './pods.ts';

/** Addresses of the documentation, which no node has: they stand for another network. */
const outside: Readonly<Record<Family, string>> = { IPv4: '192.0.2.1', IPv6: '2001:db8::1' };

/** A packet whose path is predicted. */
interface Flow {
  /** As in `to its DNS server 10.96.0.10`. */
  readonly text: string;
  readonly sender: Sender;
  readonly destination: Destination;
}

/**
 * Predicts, as trace does, packets of each pod on the configured network: a loss stops the pod. What the configuration itself blocks with
 * ACLs is not reported, nor what no document decides.
 */
export const paths: Check = {
  name: 'paths',
  isOfPod: true,
  diagnose: (snapshot) => {
    const used = usedNetwork(snapshot);
    const { windows, routes, adapters } = snapshot;
    if (used === undefined || 'error' in windows.forwarding || 'error' in routes) return [];
    const node = {
      inventory: used.inventory,
      adapters: known(adapters),
      routes: routes.value,
      forwarding: windows.forwarding.value,
    };
    const pods = podEndpoints(used.inventory).filter(
      ({ row }) => row.network === used.config.name && isSelected(snapshot, row.id),
    );
    const flows = pods.flatMap((pod) =>
      flowsOf(pod.endpoint, used).map((flow) => ({ pod, flow, way: predict(flow, node) })),
    );
    const lost = flows.filter(
      ({ pod, flow, way }) =>
        isLost(way) && !(isBlocked(way) && isBlockedByPlan(pod, flow, used, snapshot, node)),
    );
    if (lost.length === 0) {
      const open = new Set(
        flows.filter(({ way }) => way === undefined || isUnknown(way)).map(({ flow }) => flow.text),
      );
      const compared = new Set(flows.map(({ flow }) => flow.text).filter((text) => !open.has(text)));
      if (compared.size === 0) return [];
      return [
        pass(
          `no predicted loss on this node for ${countText(pods.length, 'endpoint')}: ${[...compared].join(', ')}`,
        ),
      ];
    }
    return lost.map(({ pod, flow, way }) =>
      fail(`packets ${flow.text} are lost: ${(way?.reply ?? way)?.because}`, {
        subjects: [describeEndpoint(pod.row)],
        see: traceCommand(pod, flow),
      }),
    );
  },
};

function flowsOf(endpoint: ObservedEndpoint, { config }: UsedNetwork): readonly Flow[] {
  const own = addressesIn(endpoint);
  const sender = { is: 'pod', endpoint } as const;
  const to = (text: string, address: string, port: number, protocol: number = protocolNumbers.tcp): Flow => ({
    text,
    sender,
    destination: { address, port, protocol },
  });
  const servers = (endpoint.Dns?.ServerList ?? []).flatMap((text) => parseAddress(text) ?? []);
  const remote = config.remoteSubnets.flatMap(
    ({ subnet }) => firstHost(parsePrefix(subnet) ?? noHosts) ?? [],
  );
  return [
    ...servers.map((server) => to(`to DNS server ${server}`, server, 53, protocolNumbers.udp)),
    ...remote.slice(0, 1).map((address) => to(`to pods such as ${address}`, address, 80)),
    ...own.map(familyOf).map((family) => to(`to other networks (${family})`, outside[family], 443)),
    ...own.map((address): Flow => {
      const destination = { address, port: 80, protocol: protocolNumbers.tcp };
      return { text: 'from the node', sender: { is: 'node' }, destination };
    }),
  ].filter(({ destination }) => own.some((one) => familyOf(one) === familyOf(destination.address)));
}

const noHosts = { address: '0.0.0.0', length: 32 };

/** The worst way; undefined if there is none to predict. */
function predict({ sender, destination }: Flow, node: NodeState): PredictedWay | undefined {
  return predictPath(sender, destination, { node })[0];
}

function isLost(way: PredictedWay | undefined): boolean {
  return way !== undefined && outcomeOf(way) === 'lost';
}

function isUnknown(way: PredictedWay): boolean {
  return outcomeOf(way) === 'unknown';
}

/** Whether an ACL loses it. */
function isBlocked(way: PredictedWay | undefined): boolean {
  return isLost(way) && (way?.reply ?? way)?.hops.at(-1)?.did === 'blocks it';
}

/** Whether the endpoint that ADD creates would lose it too. */
function isBlockedByPlan(
  { endpoint, row }: PodEndpoint,
  flow: Flow,
  used: UsedNetwork,
  { configuration: { plugin } }: Snapshot,
  node: NodeState,
): boolean {
  try {
    const { Policies = [] } = expectedEndpoint(used, plugin, endpoint, row).document;
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

function traceCommand({ row }: PodEndpoint, { sender, destination }: Flow): string {
  const { address, port = 80, protocol } = destination;
  const pod = row.pod ?? shortContainer(row.container ?? row.id);
  const target = `${formatPort(address, port)}${protocol === protocolNumbers.udp ? '/udp' : ''}`;
  return `win-hcn trace ${sender.is === 'node' ? 'node' : quote(pod)} ${target}`;
}
