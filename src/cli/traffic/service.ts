import { addressesIn, type ObservedEndpoint, type ObservedNetwork } from '../../hcn/documents.ts';
import { isDefaultRoute, isPolicyOf, prefixesOf } from '../../model/network-document.ts';
import { type Family, familyOf } from '../../net/address.ts';
import { contains, formatPrefix, networkOf, overlaps, type Prefix, parsePrefix } from '../../net/prefix.ts';
import { protocolName } from '../../net/protocols.ts';
import { remoteSubnetsOf } from '../../plan/remote-subnets.ts';
import { readPrefix } from './match.ts';
import { type Balancer, frontendAddresses } from './nat.ts';
import type { NodeState } from './node-state.ts';
import { ends, type Hop, type Move } from './path.ts';

/** What tells services from other addresses. */
export type Surroundings = Pick<NodeState, 'inventory' | 'adapters'> & Partial<Pick<NodeState, 'routes'>>;

/** The flag of a port mapping for an external address, which may be one of the LAN. */
const externalAddress = 16;

/** How near two addresses of one service range are at most: no document states the range. */
const besideLength: Readonly<Record<Family, number>> = { IPv4: 16, IPv6: 112 };

/**
 * Why an address looks like that of a service, as `OutBoundNAT exception 10.96.0.0/12`: the policies of an endpoint have a range that is
 * not of pods or nodes, or load balancers have frontends beside it. Undefined for an address of the node or of an endpoint, in a subnet of
 * an adapter, of a network or of a remote subnet, with a route of its own, and for any other.
 */
export function looksLikeService(
  address: string,
  { Policies = [] }: Pick<ObservedEndpoint, 'Policies'>,
  node: Surroundings,
): string | undefined {
  const isKnown = knownAddresses(node);
  if (isKnown(address)) return undefined;
  const known = knownRanges(node);
  const frontends = frontendsOf(node)
    .filter(({ mappings }) => mappings.some(({ Flags = 0 }) => (Flags & externalAddress) === 0))
    .map(({ frontend }) => frontend)
    .filter((frontend) => !isKnown(frontend));
  const rangesOf = (type: string, member: string, label: string) =>
    Policies.filter((policy) => isPolicyOf(type, policy))
      .flatMap(({ Settings }) => Settings?.[member] ?? [])
      .flatMap((text) => {
        const prefix = readPrefix(String(text));
        return prefix === undefined ? [] : { prefix, evidence: `${label} ${text}` };
      })
      .filter(({ prefix }) => familyOf(prefix.address) === familyOf(address))
      .filter(({ prefix }) => !known.some((one) => overlaps(one, prefix)));
  const routed = rangesOf('SDNRoute', 'DestinationPrefix', 'SDNRoute');
  const ranges = [...routed, ...rangesOf('OutBoundNAT', 'Exceptions', 'OutBoundNAT exception')];
  const used = ranges.filter(({ prefix }) => frontends.some((frontend) => contains(prefix, frontend)));
  // Exceptions are also for other networks with a route back: only services have frontends or SDNRoutes.
  const certain = [used, routed, ranges].find((some) => some.length > 0) ?? [];
  const found = certain.find(({ prefix }) => contains(prefix, address));
  if (found !== undefined) return found.evidence;
  if (used.length + routed.length > 0) return undefined;
  const beside = { address, length: besideLength[familyOf(address)] };
  return frontends.some((frontend) => contains(beside, frontend))
    ? `load balancers have addresses in ${formatPrefix(networkOf(beside))}`
    : undefined;
}

/**
 * Returns whether an address is that of a pod on another node: in an OutBoundNAT exception around a subnet of one of these networks and
 * around no address of the node, but in no subnet of theirs or of an adapter.
 */
export function podsOfOtherNodes(
  networks: readonly ObservedNetwork[],
  { inventory, adapters }: Surroundings,
): (address: string) => boolean {
  const own = networks.flatMap(prefixesOf);
  const isIn = (prefixes: readonly Prefix[], address: string) =>
    prefixes.some((one) => contains(one, address));
  const near = [...own, ...adapters.flatMap(({ addresses }) => addresses)];
  const exceptions = inventory.endpoints
    .filter(({ HostComputeNetwork }) => networks.some(({ ID }) => ID === HostComputeNetwork))
    .flatMap(({ Policies = [] }) => Policies.filter((policy) => isPolicyOf('OutBoundNAT', policy)))
    .flatMap(({ Settings }) => Settings?.['Exceptions'] ?? []);
  const ranges = [...new Set(exceptions.map(String))]
    .flatMap((text) => readPrefix(text) ?? [])
    .filter(({ length }) => length > 0)
    .filter((range) => own.some((subnet) => range.length < subnet.length && contains(range, subnet.address)))
    .filter((range) => !near.some(({ address }) => contains(range, address) && !isIn(own, address)));
  return (address) => isIn(ranges, address) && !isIn(near, address);
}

/** What restores the load balancers of a node. kube-proxy recreates all when it starts. */
export const restartKubeProxy = 'restart kube-proxy (Restart-Service kube-proxy, or delete its pod)';

/** The ends of packets for backends of a load balancer that do not exist: without any that does, all are lost. */
export function missingBackends({ name, targets, missing, isComplete }: Balancer, hop: Hop): readonly Move[] {
  if (!isComplete && missing.length > 0)
    return missing.map((id) => ends('unknown', hop, `HCN did not return backend ${id} of ${name}.`));
  if (targets.length === 0)
    return [ends('lost', hop, `The backends of ${name} do not exist: ${restartKubeProxy}.`)];
  const unknown = `and whether HNS still sends to it is not documented: ${restartKubeProxy}.`;
  return missing.map((id) => ends('unknown', hop, `Backend ${id} of ${name} does not exist, ${unknown}`));
}

/** The sentence about a packet that no load balancer takes, to what is or looks like the address of a service; otherwise undefined. */
export function withoutBalancer(
  address: string,
  endpoint: Pick<ObservedEndpoint, 'Policies'>,
  node: Surroundings,
): string | undefined {
  const ports = servicePorts(address, node);
  if (ports !== '') return `${address} is the address of a service, which has only ${ports}.`;
  const evidence = looksLikeService(address, endpoint, node);
  return (
    evidence &&
    `${address} looks like a service (${evidence}), but no load balancer has it: is kube-proxy running?`
  );
}

/** Which ports a service address has, as `80/tcp, 53/udp`; empty if no load balancer has the address. */
export function servicePorts(address: string, node: Surroundings): string {
  const own = frontendsOf(node).filter(({ frontend }) => frontend === address);
  if (own.length === 0 || knownAddresses(node)(address)) return '';
  const ports = own
    .flatMap(({ mappings }) => mappings)
    .map(({ ExternalPort, Protocol }) => `${ExternalPort}/${protocolName(Number(Protocol))}`);
  return [...new Set(ports)].join(', ');
}

function frontendsOf({ inventory }: Surroundings) {
  return inventory.loadBalancers.flatMap((loadBalancer) =>
    frontendAddresses(loadBalancer).map((frontend) => ({ frontend, mappings: loadBalancer.PortMappings })),
  );
}

/** Returns whether an address is of the node, of an endpoint, or in a subnet or route that is not the default. */
function knownAddresses(node: Surroundings): (address: string) => boolean {
  const routes = (node.routes ?? []).filter(({ prefix }) => !isDefaultRoute(prefix));
  const ranges = [...knownRanges(node), ...routes.flatMap(({ prefix }) => parsePrefix(prefix) ?? [])];
  const ofEndpoints = new Set(node.inventory.endpoints.flatMap(addressesIn));
  return (address) => ofEndpoints.has(address) || ranges.some((range) => contains(range, address));
}

/** The subnets of adapters and of networks, and remote subnets. 0.0.0.0/0 and ::/0 do not count: they contain every address. */
function knownRanges({ adapters, inventory }: Surroundings): readonly Prefix[] {
  return [
    ...adapters.flatMap(({ addresses }) => addresses),
    ...inventory.networks.flatMap((network) => [
      ...prefixesOf(network),
      ...remoteSubnetsOf(network).flatMap(({ subnet }) => parsePrefix(subnet) ?? []),
    ]),
  ].filter(({ length }) => length > 0);
}
