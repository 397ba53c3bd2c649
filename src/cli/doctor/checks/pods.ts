import { CniError } from '../../../cni/error.ts';
import type { ObservedEndpoint } from '../../../hcn/documents.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { containersIn } from '../../../model/readiness.ts';
import { familyOf, parseAddress } from '../../../net/address.ts';
import { protocolNumbers } from '../../../net/protocols.ts';
import { type EndpointRow, endpointRow } from '../../inventory/endpoint-row.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, firstFew, shortContainer, shortGuid } from '../../terminal/short-text.ts';
import { fileName } from '../../terminal/windows-path.ts';
import { addressesOf } from '../../traffic/destination.ts';
import { findBalancer } from '../../traffic/nat.ts';
import { packetTo } from '../../traffic/packet.ts';
import { outAcls } from '../../traffic/pod.ts';
import { type Check, type Diagnosis, known, pass, warn } from '../finding.ts';
import { expectedEndpoint, type UsedNetwork, usedNetwork } from '../plan.ts';
import { type PodDifference, podDifferences } from '../pod-differences.ts';
import type { Snapshot } from '../snapshot.ts';
import { describeEndpoint } from './endpoints.ts';

/** An endpoint of a pod, as HCN has it and as `ls` shows it. */
export interface PodEndpoint {
  readonly endpoint: ObservedEndpoint;
  readonly row: EndpointRow;
}

/** The endpoints of pods of this node. */
export function podEndpoints(inventory: Inventory): readonly PodEndpoint[] {
  return inventory.endpoints
    .map((endpoint) => ({ endpoint, row: endpointRow(endpoint, inventory) }))
    .filter(({ row }) => row.namespace !== undefined && row.owner !== 'node' && !row.remote);
}

/** Compares each pod's endpoint on the configured network with the one that ADD would create from the configuration. */
export const pods: Check = {
  name: 'pods',
  diagnose: (snapshot) => {
    const expected = usedNetwork(snapshot);
    if (expected === undefined) return [];
    const own = podEndpoints(expected.inventory).filter(({ row }) => row.network === expected.config.name);
    const found = own.flatMap((pod) =>
      comparePod(pod, expected, snapshot).map(
        ({ verdict, text }): Diagnosis => ({
          verdict,
          seen: text,
          subjects: [describeEndpoint(pod.row)],
          see: `win-hcn show endpoint ${shortGuid(pod.row.id)}`,
        }),
      ),
    );
    if (found.length > 0 || own.length === 0) return found;
    const file = fileName(snapshot.configuration.used?.path ?? '');
    return [pass(`${countText(own.length, 'endpoint')} as ADD creates them with ${file}`)];
  },
};

/** ADD refuses an address that the pod must not have. */
function comparePod(
  { endpoint, row }: PodEndpoint,
  expected: UsedNetwork,
  { configuration: { plugin }, adapters }: Snapshot,
): readonly PodDifference[] {
  const { inventory, found, config } = expected;
  const node = {
    network: found,
    inventory,
    adapters: 'value' in adapters ? adapters.value : [],
    remoteSubnets: config.remoteSubnets.map(({ subnet }) => subnet),
  };
  try {
    return podDifferences(expectedEndpoint(expected, plugin, endpoint, row), endpoint, node);
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    return [{ verdict: 'FAIL', text: error.message }];
  }
}

/**
 * Reports namespaces with running containers and without endpoints: HNS can lose endpoints when it crashes. A warning, because `ctr run`
 * also starts containers without a network.
 */
export const missingPods: Check = {
  name: 'running pods',
  diagnose: (snapshot) => {
    const inventory = known(snapshot.inventory);
    const { namespaces } = known(snapshot.missingEndpoints);
    const lost = namespaces.flatMap((namespace) => containersIn(namespace).slice(0, 1));
    const [first] = lost;
    const count = inventory.namespaces.filter((one) => containersIn(one).length > 0).length;
    if (first === undefined)
      return count === 0
        ? []
        : [pass(`${countText(count, 'namespace')} with containers, all with endpoints`)];
    const names = lost.map((id) => containerKey(id, inventory));
    const them = lost.length === 1 ? 'it' : 'them';
    const seen = `${countText(lost.length, 'pod')} without an endpoint and so without network: ${firstFew(names)}; recreate ${them}`;
    return [warn(seen, { see: `win-hcn show pod ${quote(containerKey(first, inventory))}` })];
  },
};

/** Checks that the ACLs of pods let their DNS queries out, whichever plugin created them. */
export const dns: Check = {
  name: 'DNS',
  diagnose: ({ inventory: objects }) => {
    const inventory = known(objects);
    const asking = podEndpoints(inventory).filter(({ endpoint }) => serversOf(endpoint).length > 0);
    const found = asking.flatMap((one) => diagnoseDns(one, inventory));
    if (found.length > 0 || asking.length === 0) return found;
    return [pass(`no ACL of ${countText(asking.length, 'endpoint')} blocks queries to its DNS servers`)];
  },
};

function serversOf({ Dns }: ObservedEndpoint): readonly string[] {
  return Dns?.ServerList ?? [];
}

const dnsPort = 53;

/** ACLs that allow the backends of a load balancer are enough: HNS does not document whether ACLs see its frontend. */
function diagnoseDns({ endpoint, row }: PodEndpoint, inventory: Inventory): readonly Diagnosis[] {
  const blocked = serversOf(endpoint).filter((server) => {
    const address = parseAddress(server);
    if (address === undefined) return false;
    const [source = ''] = addressesOf(endpoint, familyOf(address));
    const packet = packetTo({ address, port: dnsPort, protocol: protocolNumbers.udp }, source);
    const balancer = findBalancer(packet, { inventory, adapters: [] });
    return outAcls(endpoint, packet, balancer, inventory).decision === 'block';
  });
  const [first] = blocked;
  if (first === undefined) return [];
  const pod = row.container === undefined ? row.id : containerKey(row.container, inventory);
  const server = first.includes(':') ? `[${first}]` : first;
  return [
    warn(`ACLs block DNS queries to ${firstFew(blocked)} (UDP port ${dnsPort})`, {
      subjects: [describeEndpoint(row)],
      see: `win-hcn trace ${quote(pod)} ${server}:${dnsPort}/udp`,
    }),
  ];
}

/** A key of a container for other commands: the name of its pod, or else the start of its ID. */
function containerKey(container: string, { pods: named }: Inventory): string {
  return named?.get(container.toLowerCase())?.name ?? shortContainer(container);
}
