import { addressesIn } from '../../../hcn/documents.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { isDefaultRoute, prefixesOf } from '../../../model/network-document.ts';
import { familyOf, formatPort, isUnspecified, parseAddress } from '../../../net/address.ts';
import { contains, parsePrefix } from '../../../net/prefix.ts';
import { protocolName, protocolNumbers } from '../../../net/protocols.ts';
import { remoteSubnetsOf } from '../../../plan/remote-subnets.ts';
import { endpointRows } from '../../inventory/endpoint-row.ts';
import { type LoadBalancerRow, loadBalancerRows } from '../../inventory/object-rows.ts';
import { countText, firstFew, shortGuid } from '../../terminal/short-text.ts';
import type { Destination } from '../../traffic/destination.ts';
import { findBalancer, frontendAddresses } from '../../traffic/nat.ts';
import { adapterWith } from '../../traffic/node-state.ts';
import { packetTo } from '../../traffic/packet.ts';
import { looksLikeService, podsOfOtherNodes, restartKubeProxy } from '../../traffic/service.ts';
import type { ClusterService } from '../cluster-services.ts';
import { type Check, fail, known, NotObserved, orPass, pass, warn } from '../finding.ts';
import { describeEndpoint, type PodEndpoint, podEndpoints, selectedPods } from '../pod-endpoints.ts';
import type { Snapshot } from '../snapshot.ts';

const dnsPort = 53;
const { tcp, udp } = protocolNumbers;
const see = 'Get-Process kube-proxy';

/** Checks that load balancers have the DNS servers of pods that are services: without them no name resolves. */
export const dnsService: Check = {
  name: 'DNS service',
  isOfPod: true,
  diagnose: (snapshot) => {
    const inventory = known(snapshot.inventory);
    const users = usersOfServers(snapshot, inventory);
    return [...users].map(([server, pods]) => {
      const subjects = pods.map(({ row }) => describeEndpoint(row));
      const elsewhere = otherNetworks(server, pods, inventory);
      if (elsewhere !== undefined) return fail(elsewhere, { subjects, see: 'win-hcn ls services -o wide' });
      const [first, second] = [udp, tcp].filter(
        (protocol) => balancerFor({ address: server, port: dnsPort, protocol }, inventory) === undefined,
      );
      if (first === undefined) return pass(`load balancers have DNS server ${server}, UDP and TCP port 53`);
      // A pod with a name and a namespace is one of Kubernetes, whose services need kube-proxy.
      const isOfKubernetes = pods.some(({ row }) => row.pod?.includes('/'));
      const report = isOfKubernetes && first === udp ? fail : warn;
      const seen =
        second === undefined
          ? `no load balancer has DNS server ${server}, ${protocolName(first).toUpperCase()} port 53: is kube-proxy running?`
          : `no load balancer has DNS server ${server}: is kube-proxy running, and is this the address of the DNS service?`;
      return report(seen, { subjects, see });
    });
  },
};

/** Why load balancers do not serve pods: they are on a network that none of the pods is on. */
function otherNetworks(
  server: string,
  pods: readonly PodEndpoint[],
  inventory: Inventory,
): string | undefined {
  const balancers = inventory.loadBalancers.filter((one) => frontendAddresses(one).includes(server));
  const backends = new Set(balancers.flatMap((one) => one.HostComputeEndpoints));
  const rows = endpointRows(inventory).filter(({ id }) => backends.has(id));
  const served = new Set(rows.map(({ network }) => network));
  const own = new Set(pods.map(({ row }) => row.network));
  if (served.size === 0 || [...served].some((network) => own.has(network))) return undefined;
  return `the load balancer of DNS server ${server} is on network "${[...served].join('", "')}", its pods on "${[...own].join('", "')}": correct --network-name or KUBE_NETWORK of kube-proxy`;
}

/** The DNS servers of pods that are, or look like, services, each with the pods that use it. */
function usersOfServers(snapshot: Snapshot, inventory: Inventory): ReadonlyMap<string, PodEndpoint[]> {
  const node = { inventory, adapters: known(snapshot.adapters) };
  const frontends = new Set(inventory.loadBalancers.flatMap(frontendAddresses));
  const used = selectedPods(snapshot).flatMap((pod) =>
    (pod.endpoint.Dns?.ServerList ?? [])
      .flatMap((text) => parseAddress(text) ?? [])
      .filter((server) => frontends.has(server) || looksLikeService(server, pod.endpoint, node) !== undefined)
      .map((server) => ({ server, pod })),
  );
  const groups = Map.groupBy(used, ({ server }) => server);
  return new Map([...groups].map(([server, group]) => [server, group.map(({ pod }) => pod)]));
}

/** The load balancer that takes packets for an address of its own. */
function balancerFor(destination: Destination, inventory: Inventory) {
  return findBalancer(packetTo(destination, ''), { inventory, adapters: [] });
}

/** Finds services of the cluster that have backends but no load balancer, or one with other backends: kube-proxy does not restore lost ones. */
export const services: Check = {
  name: 'services',
  diagnose: (snapshot) => {
    if (snapshot.services === undefined) return [];
    const inventory = known(snapshot.inventory);
    if (inventory.unreadable !== undefined) throw new NotObserved('HCN does not return every object');
    const families = inventory.networks.flatMap(prefixesOf).map(({ address }) => familyOf(address));
    const expected = snapshot.services.filter(({ address }) => families.includes(familyOf(address)));
    if (expected.length === 0) return [];
    const problems = expected.flatMap((service) => {
      const { name, address, port, protocol } = service;
      const subjects = [`${name} ${formatPort(address, port)}/${protocolName(protocol)}`];
      const seen = differenceOf(service, inventory);
      return seen === undefined ? [] : warn(seen, { noun: 'service port', subjects, see });
    });
    const count = countText(expected.length, 'service port');
    const text = `load balancers have all ${count} of the cluster, and send only to backends in the endpoint slices`;
    return orPass(problems, text);
  },
};

function differenceOf({ backends, ...service }: ClusterService, inventory: Inventory): string | undefined {
  const balancer = balancerFor(service, inventory);
  if (balancer === undefined) return 'no load balancer of this node has the service: is kube-proxy running?';
  const targets = balancer.targets.map(({ packet }) =>
    formatPort(packet.destination, packet.destinationPort ?? ''),
  );
  const others = targets.filter((target) => !backends.includes(target));
  if (targets.length > 0 && others.length === 0) return undefined;
  return `its load balancer sends to ${firstFew(others) || 'no existing backend'}, unlike its endpoint slices: ${restartKubeProxy}`;
}

/** Checks the load balancers of this node: their backends, their source address, and their frontends. */
export const loadBalancers: Check = {
  name: 'load balancers',
  diagnose: (snapshot) => {
    const inventory = known(snapshot.inventory);
    if (inventory.unreadable !== undefined || inventory.loadBalancers.length === 0) return [];
    const absent = new Set<string>(known(snapshot.missingEndpoints).backends);
    const rows = loadBalancerRows(inventory);
    const isUnrouted = unroutedBackends(snapshot);
    const addresses = new Set(inventory.endpoints.flatMap(addressesIn));
    const pods = podEndpoints(inventory).flatMap(({ endpoint, row }) =>
      addressesIn(endpoint).map((address) => ({ address, row })),
    );
    const byAddress = Map.groupBy(pods, ({ address }) => address);
    const found = rows.flatMap((row) => {
      const { id, frontends, ports } = row;
      const name = [frontends.join(', ') || 'node', ports.join(', ')].filter(Boolean).join(' ');
      const subjects = [`${shortGuid(id)} (${name})`];
      const details = { noun: 'load balancer', subjects, see: `win-hcn show loadbalancer ${shortGuid(id)}` };
      return [
        ...brokenBackends(row, absent, isUnrouted).map((seen) => warn(seen, details)),
        ...missingSource(row, addresses, snapshot.adapters).map((seen) => fail(seen, details)),
        ...frontends
          .flatMap((address) => byAddress.get(address) ?? [])
          .map((pod) => warn(`has as frontend the address of ${describeEndpoint(pod.row)}`, details)),
      ];
    });
    const count = countText(rows.length, 'load balancer');
    return orPass(found, `${count}: backends and sources exist, no frontend is of a pod`);
  },
};

function brokenBackends(
  { backends }: LoadBalancerRow,
  absent: ReadonlySet<string>,
  isUnrouted: (address: string) => boolean,
): readonly string[] {
  if (backends.length === 0) return ['has no backend'];
  const missing = backends.filter(({ id }) => absent.has(id)).map(({ id }) => shortGuid(id));
  const are = missing.length === 1 ? 'a backend that does' : 'backends that do';
  if (missing.length > 0) return [`has ${are} not exist: ${missing.join(', ')}; ${restartKubeProxy}`];
  const unrouted = backends.flatMap(({ addresses }) => addresses.filter(isUnrouted));
  if (unrouted.length > 0)
    return [
      `sends to ${unrouted.join(', ')}, but this node has no route there, though to pods of other nodes: add that node to the configuration, or check the agent that adds routes`,
    ];
  const unused = backends
    .filter(({ state }) => ['Created', 'Detached', 'Degraded', 'Destroyed'].includes(state))
    .map(({ id, addresses, state }) => `${addresses.join('+') || shortGuid(id)} (${state})`);
  return unused.length === 0 ? [] : [`sends to ${unused.join(', ')}`];
}

/**
 * Whether an address is a pod's of another node, to which this node has no route. Only if it has routes to other nodes, by the
 * configuration or an agent: otherwise a router may know the pods.
 */
function unroutedBackends({ configuration, inventory, adapters, routes }: Snapshot) {
  const node = { inventory: known(inventory), adapters: 'value' in adapters ? adapters.value : [] };
  const { networks } = node.inventory;
  const isElsewhere = podsOfOtherNodes(networks, node);
  const remote = [configuration.network ?? { remoteSubnets: [] }].flatMap(
    ({ remoteSubnets }) => remoteSubnets,
  );
  const listed = ('value' in routes ? routes.value : []).filter(({ prefix }) => !isDefaultRoute(prefix));
  const routed = [...remote, ...networks.flatMap(remoteSubnetsOf)].map(({ subnet }) => subnet);
  const reached = [...routed, ...listed.map(({ prefix }) => prefix)].flatMap(
    (text) => parsePrefix(text) ?? [],
  );
  const nextHops = listed.filter(({ nextHop }) => !isUnspecified(nextHop));
  const ofAgent = nextHops.filter(({ prefix }) => isElsewhere(parsePrefix(prefix)?.address ?? ''));
  if (routed.length + ofAgent.length === 0) return () => false;
  return (address: string) => isElsewhere(address) && !reached.some((range) => contains(range, address));
}

/**
 * kube-proxy sends from an endpoint of its own, or to backends outside of the pods' network from the node: without it, no reply reaches this
 * node.
 */
function missingSource(
  { sourceVIP = '' }: LoadBalancerRow,
  addresses: ReadonlySet<string>,
  adapters: Snapshot['adapters'],
): readonly string[] {
  const source = parseAddress(sourceVIP);
  if (source === undefined || addresses.has(source)) return [];
  if ('value' in adapters && adapterWith({ adapters: adapters.value }, source) !== undefined) return [];
  return [`has source VIP ${source}, which no endpoint has`];
}
