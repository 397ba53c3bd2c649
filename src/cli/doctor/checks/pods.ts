import type { ObservedEndpoint } from '../../../hcn/documents.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { defaultGateway, prefixesOf, subnetsOf } from '../../../model/network-document.ts';
import { containersIn } from '../../../model/readiness.ts';
import { families, familyOf, parseAddress } from '../../../net/address.ts';
import { secondHost } from '../../../net/prefix.ts';
import { protocolNumbers } from '../../../net/protocols.ts';
import { type EndpointRow, endpointRow, endpointRows } from '../../inventory/endpoint-row.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, firstFew, shortContainer } from '../../terminal/short-text.ts';
import { addressesOf } from '../../traffic/destination.ts';
import { findBalancer } from '../../traffic/load-balancer.ts';
import { packetTo } from '../../traffic/packet.ts';
import { outAcls } from '../../traffic/pod.ts';
import { type Check, type Diagnosis, pass, warn, withHcnValue } from '../check.ts';
import type { MissingEndpoints } from '../missing-endpoints.ts';
import { containerKey, objectKey } from '../object-keys.ts';
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

/** Checks that running pods have endpoints, and that these can reach their gateway and their DNS servers. */
export const pods: Check = {
  name: 'pods',
  diagnose: (facts) => {
    if ('error' in facts.inventory) return [];
    const inventory = facts.inventory.value;
    const endpoints = podEndpoints(inventory);
    const nodeRows = endpointRows(inventory).filter(({ owner }) => owner === 'node');
    const found = [
      ...withHcnValue(facts.missingEndpoints, (missing) => diagnoseLost(missing, inventory)),
      ...findFirst(endpoints, (one) => diagnoseGateway(one, nodeRows, inventory)),
      ...findFirst(endpoints, (one) => diagnoseDns(one, inventory)),
    ];
    if (found.length > 0) return found.slice(0, maxFindings);
    return endpoints.length === 0
      ? []
      : [pass(`gateway and DNS of ${countText(endpoints.length, 'endpoint')} are valid`)];
  },
};

/** Further pods usually have the same problem as the first ones. */
export const maxFindings = 8;

function findFirst(
  endpoints: readonly PodEndpoint[],
  diagnose: (endpoint: PodEndpoint) => readonly Diagnosis[],
): readonly Diagnosis[] {
  const found: Diagnosis[] = [];
  for (const endpoint of endpoints) {
    if (found.length >= maxFindings) break;
    found.push(...diagnose(endpoint));
  }
  return found;
}

/**
 * Reports namespaces with running containers and without endpoints: HNS can lose endpoints when it crashes. A warning, because `ctr run`
 * also starts containers without a network.
 */
function diagnoseLost({ namespaces }: MissingEndpoints, inventory: Inventory): readonly Diagnosis[] {
  const { pods: known } = inventory;
  const lost = namespaces.flatMap((namespace) => containersIn(namespace).slice(0, 1));
  const [first] = lost;
  if (first === undefined) return [];
  const named = lost.flatMap((id) => known?.get(id.toLowerCase())?.name ?? []);
  const [kind, labels] =
    named.length === lost.length ? ['pod', named] : ['container', lost.map(shortContainer)];
  const seen =
    lost.length === 1
      ? `${kind} ${firstFew(labels)} runs without an endpoint and has no network: recreate the pod`
      : `${kind}s ${firstFew(labels)} run without endpoints and have no network: recreate the pods`;
  return [
    warn(seen, {
      see: `win-hcn show pod ${quote(containerKey(first, inventory))}`,
    }),
  ];
}

/** Pods use the network's gateway or the node's own endpoint, by convention the second address of the subnet. */
function diagnoseGateway(
  { endpoint, row }: PodEndpoint,
  nodeRows: readonly EndpointRow[],
  inventory: Inventory,
): readonly Diagnosis[] {
  const network = inventory.networks.find(({ ID }) => ID === endpoint.HostComputeNetwork);
  if (network === undefined) return [];
  const ofNetwork = subnetsOf(network).flatMap(({ Routes = [] }) => defaultGateway(Routes) ?? []);
  const ofNode = nodeRows
    .filter((other) => other.network === row.network)
    .flatMap(({ addresses }) => addresses.map((address) => address.replace(/\/.*/, '')));
  const usual = [
    ...ofNetwork,
    ...ofNode,
    ...prefixesOf(network).flatMap((prefix) => secondHost(prefix) ?? []),
  ];
  return families.flatMap((family) => {
    const gateway = defaultGateway(endpoint.Routes ?? [], family);
    const known = [...new Set([...ofNetwork, ...ofNode])].filter((one) => familyOf(one) === family);
    if (gateway === undefined || known.length === 0 || isLinkLocal(gateway)) return [];
    if (usual.includes(parseAddress(gateway) ?? gateway)) return [];
    const seen = `${describeEndpoint(row)} uses gateway ${gateway}, but network "${network.Name}" has ${known.join(' and ')}`;
    return [warn(seen, { see: `win-hcn show endpoint ${objectKey(row.id, inventory.endpoints)}` })];
  });
}

/** Whether a router announced the gateway: its IPv6 address is in no subnet. */
function isLinkLocal(gateway: string): boolean {
  return /^fe[89ab]/i.test(gateway);
}

const dnsPort = 53;

/** ACLs that allow the backends of a load balancer are enough: HNS does not document whether ACLs see its frontend. */
function diagnoseDns({ endpoint, row }: PodEndpoint, inventory: Inventory): readonly Diagnosis[] {
  const blocked = (endpoint.Dns?.ServerList ?? []).filter((server) => {
    const address = parseAddress(server);
    if (address === undefined) return false;
    const [source = ''] = addressesOf(endpoint, familyOf(address));
    const packet = packetTo({ address, port: dnsPort, protocol: protocolNumbers.udp }, source);
    return (
      outAcls(endpoint, packet, findBalancer(packet, { inventory, adapters: [] }), inventory).decision ===
      'block'
    );
  });
  const [first] = blocked;
  if (first === undefined) return [];
  const seen = `${describeEndpoint(row)}: its ACLs block DNS queries to ${firstFew(blocked)} (UDP port ${dnsPort})`;
  const pod = row.container === undefined ? row.id : containerKey(row.container, inventory);
  const server = first.includes(':') ? `[${first}]` : first;
  return [warn(seen, { see: `win-hcn trace ${quote(pod)} ${server}:${dnsPort}/udp` })];
}
