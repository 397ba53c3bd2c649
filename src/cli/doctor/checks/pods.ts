import { CniError } from '../../../cni/error.ts';
import type { HostComputeNamespace, ObservedEndpoint } from '../../../hcn/documents.ts';
import { isObject } from '../../../json/members.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { containersIn } from '../../../model/readiness.ts';
import { familyOf, parseAddress } from '../../../net/address.ts';
import { protocolNumbers } from '../../../net/protocols.ts';
import { type EndpointRow, endpointRow } from '../../inventory/endpoint-row.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, shortContainer, shortGuid } from '../../terminal/short-text.ts';
import { fileName } from '../../terminal/windows-path.ts';
import { addressesOf } from '../../traffic/destination.ts';
import { findBalancer } from '../../traffic/nat.ts';
import { packetTo } from '../../traffic/packet.ts';
import { outAcls } from '../../traffic/pod.ts';
import { type Check, type Diagnosis, fail, isSelected, known, pass, warn } from '../finding.ts';
import { expectedEndpoint, type UsedNetwork, usedNetwork } from '../plan.ts';
import { comparedMembers, podDifferences } from '../pod-differences.ts';
import type { PodDifference } from '../policy-differences.ts';
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
  isOfPod: true,
  diagnose: (snapshot) => {
    const expected = usedNetwork(snapshot);
    if (expected === undefined) return [];
    const own = podEndpoints(expected.inventory).filter(
      ({ row }) => row.network === expected.config.name && isSelected(snapshot, row.id),
    );
    const compared = own.map((pod) => ({ pod, ...comparePod(pod, expected, snapshot) }));
    const found = compared.flatMap(({ pod, differences }) =>
      differences.map(
        ({ verdict, text }): Diagnosis => ({
          verdict,
          seen: text,
          subjects: [describeEndpoint(pod.row)],
          see: `win-hcn show endpoint ${shortGuid(pod.row.id)}`,
        }),
      ),
    );
    const problems = [...found, ...podsElsewhere(expected, snapshot)];
    if (problems.length > 0) return problems;
    const file = fileName(snapshot.configuration.used?.path ?? '');
    return [...Map.groupBy(compared, ({ members }) => members)].map(([members, { length }]) =>
      pass(`${countText(length, 'endpoint')} as ADD creates them with ${file}: ${members}`),
    );
  },
};

/** Pods of Kubernetes without an endpoint on the configured network, or on one of another active file. */
function podsElsewhere({ config, inventory }: UsedNetwork, snapshot: Snapshot): readonly Diagnosis[] {
  const { files } = snapshot.configuration;
  const configured = [config.name, ...('value' in files ? files.value.map(({ network }) => network) : [])];
  const rows = podEndpoints(inventory).map(({ row }) => row);
  return rows.flatMap((row) => {
    const isConfigured = rows.some(
      (one) => one.namespace === row.namespace && configured.includes(one.network),
    );
    if (isConfigured || !row.pod?.includes('/') || !isSelected(snapshot, row.id)) return [];
    const details = { subjects: [describeEndpoint(row)], see: `win-hcn show endpoint ${shortGuid(row.id)}` };
    return [
      fail(`on network "${row.network}", the configuration has "${config.name}": recreate the pod`, details),
    ];
  });
}

/** The differences of an endpoint, and the members that were compared. ADD refuses an address that the pod must not have. */
function comparePod(
  { endpoint, row }: PodEndpoint,
  expected: UsedNetwork,
  { configuration: { plugin }, adapters }: Snapshot,
): { readonly differences: readonly PodDifference[]; readonly members: string } {
  const { inventory, found, config } = expected;
  const capabilities = plugin?.config['capabilities'];
  const node = {
    network: found,
    inventory,
    adapters: 'value' in adapters ? adapters.value : [],
    remoteSubnets: config.remoteSubnets.map(({ subnet }) => subnet),
    runtimeLimits: isObject(capabilities) && capabilities['bandwidth'] === true,
  };
  try {
    const planned = expectedEndpoint(expected, plugin, endpoint, row);
    return { differences: podDifferences(planned, endpoint, node), members: comparedMembers(planned) };
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    return { differences: [{ verdict: 'FAIL', text: error.message }], members: '' };
  }
}

/**
 * Reports namespaces with running containers and without endpoints: HNS can lose endpoints when it crashes. A warning, because `ctr run`
 * also starts containers without a network.
 */
export const missingPods: Check = {
  name: 'running pods',
  isOfPod: true,
  diagnose: (snapshot) => {
    const inventory = known(snapshot.inventory);
    const isChosen = ({ ID = '' }: HostComputeNamespace) => isSelected(snapshot, ID);
    const lost = known(snapshot.missingEndpoints)
      .namespaces.filter(isChosen)
      .flatMap((namespace) => containersIn(namespace).slice(0, 1));
    const count = inventory.namespaces.filter(isChosen).filter((one) => containersIn(one).length > 0).length;
    if (lost.length === 0)
      return count === 0
        ? []
        : [pass(`${countText(count, 'namespace')} with containers, all with endpoints`)];
    return lost.map((id) => {
      const name = containerKey(id, inventory);
      const details = { noun: 'pod', subjects: [name], see: `win-hcn show pod ${quote(name)}` };
      return warn('without an endpoint and so without network: recreate the pod', details);
    });
  },
};

/** Checks that the ACLs of pods let their DNS queries out, whichever plugin created them. */
export const dns: Check = {
  name: 'DNS',
  isOfPod: true,
  diagnose: (snapshot) => {
    const inventory = known(snapshot.inventory);
    const asking = podEndpoints(inventory).filter(
      ({ endpoint }) => serversOf(endpoint).length > 0 && isSelected(snapshot, endpoint.ID),
    );
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
    warn(`ACLs block DNS queries to ${blocked.join(', ')} (UDP port ${dnsPort})`, {
      subjects: [describeEndpoint(row)],
      see: `win-hcn trace ${quote(pod)} ${server}:${dnsPort}/udp`,
    }),
  ];
}

/** A key of a container for other commands: the name of its pod, or else the start of its ID. */
function containerKey(container: string, { pods: named }: Inventory): string {
  return named?.get(container.toLowerCase())?.name ?? shortContainer(container);
}
