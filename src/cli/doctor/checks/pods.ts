import { CniError } from '../../../cni/error.ts';
import type { HostComputeNamespace, ObservedEndpoint } from '../../../hcn/documents.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { containersIn } from '../../../model/readiness.ts';
import { familyOf, parseAddress } from '../../../net/address.ts';
import { protocolNumbers } from '../../../net/protocols.ts';
import { type EndpointRow, endpointRow } from '../../inventory/endpoint-row.ts';
import { keysOf, uniqueContainers } from '../../inventory/pods.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, firstFew, shortContainer } from '../../terminal/short-text.ts';
import { fileName } from '../../terminal/windows-path.ts';
import { addressesOf } from '../../traffic/destination.ts';
import { findBalancer } from '../../traffic/nat.ts';
import { packetTo } from '../../traffic/packet.ts';
import { outAcls } from '../../traffic/pod.ts';
import { type Check, type Diagnosis, known, pass, warn } from '../finding.ts';
import { type ExpectedNetwork, expectedEndpoint, expectedNetwork } from '../plan.ts';
import { comparedWith, type PodDifference, podDifferences } from '../pod-differences.ts';
import type { Snapshot } from '../snapshot.ts';
import { describeEndpoint, objectKey } from './endpoints.ts';

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
    const expected = expectedNetwork(snapshot);
    if (expected?.is !== 'planned' || expected.found === undefined) return [];
    const { inventory, config } = expected;
    const own = podEndpoints(inventory).filter(({ row }) => row.network === config.name);
    const compared = own.map((one) => comparePod(one, expected, snapshot));
    const found = compared.flatMap(({ pod, differences }) =>
      differences.map(
        ({ verdict, text }): Diagnosis => ({
          verdict,
          seen: text,
          subjects: [describeEndpoint(pod.row)],
          see: `win-hcn show endpoint ${objectKey(pod.row.id, inventory.endpoints)}`,
        }),
      ),
    );
    if (found.length > 0 || own.length === 0) return found;
    const members = [...new Set(compared.flatMap((one) => one.compared))];
    const file = fileName(snapshot.configuration.used?.path ?? '');
    return [pass(`${countText(own.length, 'endpoint')} as ${file} says: ${members.join(', ')}`)];
  },
};

interface ComparedPod {
  readonly pod: PodEndpoint;
  readonly differences: readonly PodDifference[];
  /** What was compared, in words. */
  readonly compared: readonly string[];
}

/** ADD refuses an address that the pod must not have. */
function comparePod(
  pod: PodEndpoint,
  expected: ExpectedNetwork & { readonly is: 'planned' },
  { configuration: { plugin }, adapters }: Snapshot,
): ComparedPod {
  const { inventory, network, config } = expected;
  const found = { ...network, Type: network.Type ?? '' };
  const node = {
    network: found,
    inventory,
    adapters: 'value' in adapters ? adapters.value : [],
    remoteSubnets: config.remoteSubnets.map(({ subnet }) => subnet),
  };
  try {
    const planned = expectedEndpoint(expected, plugin, pod.endpoint, pod.row);
    return { pod, differences: podDifferences(planned, pod.endpoint, node), compared: comparedWith(planned) };
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    return { pod, differences: [{ verdict: 'FAIL', text: error.message }], compared: [] };
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
    const count = inventory.namespaces.filter(isRunning).length;
    if (first === undefined)
      return count === 0
        ? []
        : [pass(`${countText(count, 'namespace')} with containers, all with endpoints`)];
    const names = lost.flatMap((id) => inventory.pods?.get(id.toLowerCase())?.name ?? []);
    const [kind, labels] =
      names.length === lost.length ? ['pod', names] : ['container', lost.map(shortContainer)];
    const seen =
      lost.length === 1
        ? `${kind} ${labels[0]} runs without an endpoint and has no network: recreate the pod`
        : `${countText(lost.length, kind)} run without endpoints and have no network: recreate the pods (${firstFew(labels)})`;
    return [warn(seen, { see: `win-hcn show pod ${quote(containerKey(first, inventory))}` })];
  },
};

function isRunning(namespace: HostComputeNamespace): boolean {
  return containersIn(namespace).length > 0;
}

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

/** A key of a container for other commands: its pod's name, the start of its ID, or all of it, the first that is unambiguous. */
function containerKey(container: string, inventory: Inventory): string {
  const ids = uniqueContainers(inventory);
  const nameOf = (id: string) => inventory.pods?.get(id.toLowerCase())?.name;
  const name = nameOf(container);
  const named = ids.filter((id) => name !== undefined && keysOf(nameOf(id) ?? '').includes(name));
  if (name !== undefined && named.length === 1) return name;
  const short = shortContainer(container);
  return ids.filter((id) => id.startsWith(short)).length === 1 ? short : container;
}
