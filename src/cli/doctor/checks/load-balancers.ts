import { addressesIn, type ObservedLoadBalancer } from '../../../hcn/documents.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { isDefaultRoute, prefixesOf } from '../../../model/network-document.ts';
import { familyOf, formatPort, parseAddress } from '../../../net/address.ts';
import { contains, parsePrefix } from '../../../net/prefix.ts';
import { protocolName, protocolNumbers } from '../../../net/protocols.ts';
import { type LoadBalancerRow, loadBalancerRows } from '../../inventory/object-rows.ts';
import { countText, shortGuid } from '../../terminal/short-text.ts';
import { adapterWith } from '../../traffic/node-state.ts';
import { looksLikeService } from '../../traffic/service.ts';
import { type Check, type Diagnosis, fail, isSelected, known, pass, warn } from '../finding.ts';
import type { Snapshot } from '../snapshot.ts';
import { describeEndpoint } from './endpoints.ts';
import { podEndpoints } from './pods.ts';

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
    return [...users].flatMap(([server, subjects]): readonly Diagnosis[] => {
      const has = (protocol: number) => findPort(inventory.loadBalancers, server, dnsPort, protocol);
      const missing = [udp, tcp].filter((protocol) => !has(protocol));
      if (missing.length === 0)
        return [pass(`load balancers have DNS server ${server}, UDP and TCP port 53`)];
      if (inventory.loadBalancers.length === 0) {
        const seen = `no load balancer has DNS server ${server}, and this node has no other: is kube-proxy running?`;
        return [fail(seen, { subjects, see })];
      }
      const port = missing.length > 1 ? '' : `, ${protocolName(missing[0] ?? udp).toUpperCase()} port 53`;
      return [
        warn(`no load balancer has DNS server ${server}${port}: is kube-proxy running?`, { subjects, see }),
      ];
    });
  },
};

/** The DNS servers of pods that are, or look like, services, each with the endpoints that use it. */
function usersOfServers(snapshot: Snapshot, inventory: Inventory): ReadonlyMap<string, readonly string[]> {
  const adapters = known(snapshot.adapters);
  const users = new Map<string, readonly string[]>();
  for (const { endpoint, row } of podEndpoints(inventory)) {
    const servers = (endpoint.Dns?.ServerList ?? []).flatMap((text) => parseAddress(text) ?? []);
    for (const server of isSelected(snapshot, endpoint.ID) ? servers : []) {
      const isService =
        inventory.loadBalancers.some((one) => frontendsOf(one).includes(server)) ||
        looksLikeService(server, endpoint, { inventory, adapters }) !== undefined;
      if (isService) users.set(server, [...(users.get(server) ?? []), describeEndpoint(row)]);
    }
  }
  return users;
}

function frontendsOf({ FrontendVIPs = [] }: ObservedLoadBalancer): readonly string[] {
  return FrontendVIPs.flatMap((text) => parseAddress(text) ?? []);
}

function findPort(
  loadBalancers: readonly ObservedLoadBalancer[],
  address: string,
  port: number,
  protocol: number,
): boolean {
  return loadBalancers.some(
    (one) =>
      frontendsOf(one).includes(address) &&
      one.PortMappings.some((mapping) => mapping.ExternalPort === port && mapping.Protocol === protocol),
  );
}

/** Finds services of the cluster that have backends but no load balancer: kube-proxy does not restore lost ones. */
export const services: Check = {
  name: 'services',
  diagnose: (snapshot) => {
    if (snapshot.services === undefined) return [];
    const { loadBalancers, networks } = known(snapshot.inventory);
    const families = networks.flatMap(prefixesOf).map(({ address }) => familyOf(address));
    const expected = snapshot.services.filter(({ address }) => families.includes(familyOf(address)));
    const missing = expected.filter(
      ({ address, port, protocol }) => !findPort(loadBalancers, address, port, protocol),
    );
    if (missing.length === 0)
      return [pass(`load balancers have all ${countText(expected.length, 'service port')} of the cluster`)];
    const subjects = missing.map(
      ({ name, address, port, protocol }) => `${name} ${formatPort(address, port)}/${protocolName(protocol)}`,
    );
    const seen = `no load balancer of this node has the service: is kube-proxy running?`;
    return [warn(seen, { noun: 'service port', subjects, see })];
  },
};

/** Checks the load balancers of this node: their backends, their source address, and that no two have the same frontend and port. */
export const loadBalancers: Check = {
  name: 'load balancers',
  diagnose: (snapshot) => {
    const inventory = known(snapshot.inventory);
    if (inventory.unreadable !== undefined || inventory.loadBalancers.length === 0) return [];
    const absent = known(snapshot.missingEndpoints).backends;
    const rows = loadBalancerRows(inventory);
    const isUnrouted = unroutedBackends(snapshot);
    const found = rows.flatMap((row) =>
      [brokenBackends(row, absent, isUnrouted), missingSource(row, inventory, snapshot.adapters)].flatMap(
        (seen) => (seen === undefined ? [] : [warn(`${named(row)} ${seen}`, { see: seeRow(row) })]),
      ),
    );
    const all = [...found, ...sharedFrontends(rows)];
    return all.length > 0
      ? all
      : [pass(`${countText(rows.length, 'load balancer')}: backends exist, frontends differ`)];
  },
};

/** `8b3e4d5c (10.96.0.77 80->8080/tcp)` */
function named({ id, frontends, ports }: LoadBalancerRow): string {
  return `${shortGuid(id)} (${[frontends.join(', ') || 'node', ports.join(', ')].filter(Boolean).join(' ')})`;
}

function seeRow({ id }: LoadBalancerRow): string {
  return `win-hcn show loadbalancer ${shortGuid(id)}`;
}

function brokenBackends(
  { backends }: LoadBalancerRow,
  absent: readonly string[],
  isUnrouted: (address: string) => boolean,
): string | undefined {
  if (backends.length === 0) return 'has no backend';
  const missing = backends.filter(({ id }) => absent.includes(id)).map(({ id }) => shortGuid(id));
  const are = missing.length === 1 ? 'a backend that does' : 'backends that do';
  if (missing.length > 0) return `has ${are} not exist: ${missing.join(', ')}`;
  const unused = backends.filter(({ state }) =>
    ['Created', 'Detached', 'Degraded', 'Destroyed'].includes(state),
  );
  const unrouted = backends.flatMap(({ addresses }) => addresses.filter(isUnrouted));
  if (unrouted.length > 0)
    return `sends to ${unrouted.join(', ')}, in no remote subnet of the configuration: add the node of that pod`;
  if (unused.length === 0) return undefined;
  const texts = unused.map(
    ({ id, addresses, state }) => `${addresses.join('+') || shortGuid(id)} (${state})`,
  );
  return `sends to ${texts.join(', ')}`;
}

/**
 * Whether an address is a pod's of another node, to which this node has no route. Only if the configuration has the routes; the pods of the
 * cluster are in an OutBoundNAT exception around those of this node.
 */
function unroutedBackends({ configuration: { network }, routes }: Snapshot): (address: string) => boolean {
  const { remoteSubnets = [], subnets = [], outboundNat } = network ?? {};
  const prefixes = (texts: readonly string[]) => texts.flatMap((text) => parsePrefix(text) ?? []);
  const own = subnets.map(({ prefix }) => prefix);
  const ofCluster = prefixes(outboundNat?.exceptions ?? []).filter((range) =>
    prefixes(own).some(({ address, length }) => length > range.length && contains(range, address)),
  );
  const routed = 'value' in routes ? routes.value.map(({ prefix }) => prefix) : [];
  const reached = prefixes([
    ...own,
    ...remoteSubnets.map(({ subnet }) => subnet),
    ...routed.filter((prefix) => !isDefaultRoute(prefix)),
  ]);
  return (address) =>
    remoteSubnets.length > 0 &&
    ofCluster.some((range) => contains(range, address)) &&
    !reached.some((range) => contains(range, address));
}

/**
 * kube-proxy sends from an endpoint of its own, or to backends outside of the pods' network from the node: without it, no reply reaches this
 * node.
 */
function missingSource(
  { sourceVIP = '' }: LoadBalancerRow,
  { endpoints }: Inventory,
  adapters: Snapshot['adapters'],
): string | undefined {
  const source = parseAddress(sourceVIP);
  if (source === undefined || endpoints.some((one) => addressesIn(one).includes(source))) return undefined;
  if ('value' in adapters && adapterWith({ adapters: adapters.value }, source) !== undefined)
    return undefined;
  return `has source VIP ${source}, which no endpoint has`;
}

function sharedFrontends(rows: readonly LoadBalancerRow[]): readonly Diagnosis[] {
  const used = rows.flatMap((row) =>
    (row.frontends.length === 0 ? ['node'] : row.frontends).flatMap((frontend) =>
      row.ports.map((port) => ({ row, at: `${frontend} ${port.replace(/->\d+/, '')}` })),
    ),
  );
  return [...Map.groupBy(used, ({ at }) => at)].flatMap(([at, group]) => {
    const ids = group.map(({ row }) => shortGuid(row.id));
    if (ids.length < 2) return [];
    return [
      warn(`${countText(ids.length, 'load balancer')} have ${at}: ${ids.join(', ')}`, {
        see: 'win-hcn ls services',
      }),
    ];
  });
}
