// A Linux node: pods, plain routes, and a VTEP as flannel makes it.

import type { Frame, Packet, Tunnel } from '../../src/cli/traffic/packet.ts';
import { isSamePacket, replyTo } from '../../src/cli/traffic/packet.ts';
import type { ConnectionState, Hop, Path, Receiver } from '../../src/cli/traffic/path.ts';
import { familyOf } from '../../src/net/address.ts';
import { parseMac } from '../../src/net/mac.ts';
import { contains, type Prefix } from '../../src/net/prefix.ts';
import { type ClusterNode, prefixOf } from './node.ts';

export interface LinuxNodeOptions {
  readonly name: string;
  /** With prefix lengths, on the cable. */
  readonly addresses: readonly string[];
  readonly gateways?: readonly string[];
  /** Every address in these subnets is a pod's. */
  readonly podSubnets?: readonly string[];
  /** Plain routes, as flannel's host-gw makes them. */
  readonly routes?: readonly LinuxRoute[];
  readonly vtep?: Vtep;
  /** Packets of pods get the node's address unless they go to these prefixes (flannel's --ip-masq). Default: never. */
  readonly masqueradeExcept?: readonly string[];
}

export interface LinuxRoute {
  readonly prefix: string;
  readonly nextHop: string;
}

/** A VXLAN device, such as `flannel.4096`. */
export interface Vtep {
  /** The address of the device: the network address of the node's pod subnet. */
  readonly address: string;
  readonly mac: string;
  readonly vni: number;
  /** Default: 4789. */
  readonly port?: number;
  readonly remotes: readonly VtepRemote[];
}

/**
 * What flannel's vxlan backend sets for each other node: a route to the subnet through the device, an ARP entry with VtepMAC, and an FDB
 * entry of that MAC address with public-ip.
 */
export interface VtepRemote {
  readonly subnet: string;
  readonly mac: string;
  readonly publicIp: string;
}

const cable = 2;

export function linuxNode(options: LinuxNodeOptions): ClusterNode {
  const addresses = options.addresses.map(prefixOf);
  const podSubnets = (options.podSubnets ?? []).map(prefixOf);
  const own = [...addresses.map(({ address }) => address), ...(options.vtep ? [options.vtep.address] : [])];
  const owner = (address: string): Receiver | undefined => {
    if (own.includes(address)) return { is: 'node' };
    return podSubnets.some((subnet) => contains(subnet, address))
      ? { is: 'pod', endpoint: `pod ${address}` }
      : undefined;
  };
  return {
    name: options.name,
    owner,
    send: (from, packet, state) => [send(options, addresses, owner, from, packet, state)],
    receive: (frame, state) => [receive(options, owner, frame, state)],
    interfaces: [{ index: cable, name: 'eth0', addresses, bridged: [] }],
  };
}

type OwnerOf = ClusterNode['owner'];

function send(
  { vtep, routes = [], gateways = [], masqueradeExcept }: LinuxNodeOptions,
  addresses: readonly Prefix[],
  owner: OwnerOf,
  from: Receiver,
  given: Packet,
  state: ConnectionState,
): Path {
  const { destination } = given;
  const family = familyOf(destination);
  const address = addresses.find((one) => familyOf(one.address) === family)?.address;
  const sourced = (source: string | undefined): Packet =>
    given.source === '' && source !== undefined ? { ...given, source } : given;
  const receiver = owner(destination);
  if (receiver !== undefined) return arrive(sourced(address), receiver, 'local');
  const remote = vtep?.remotes.find(({ subnet }) => contains(prefixOf(subnet), destination));
  if (vtep !== undefined && remote !== undefined && address !== undefined) {
    const macAddress = parseMac(remote.mac);
    const tunnel: Tunnel = {
      source: address,
      destination: remote.publicIp,
      vsid: vtep.vni,
      port: vtep.port ?? 4789,
      ...(macAddress !== undefined && { macAddress }),
    };
    const packet = sourced(vtep.address);
    const nextHop = nextHopTo(remote.publicIp, addresses, gateways);
    return leave(packet, nextHop, `the VTEP sends it to ${remote.publicIp}`, state, tunnel);
  }
  const route = routes.find(({ prefix }) => contains(prefixOf(prefix), destination));
  const packet = sourced(address);
  if (route !== undefined)
    return leave(packet, route.nextHop, `route ${route.prefix} via ${route.nextHop}`, state);
  const isReply = state.ports.length > 0;
  const masquerades =
    from.is === 'pod' &&
    !isReply &&
    masqueradeExcept !== undefined &&
    !masqueradeExcept.some((prefix) => contains(prefixOf(prefix), destination));
  const after = masquerades && address !== undefined ? { ...packet, source: address } : packet;
  const translations =
    after === packet ? [] : [{ endpoint: 'linux', by: 'masquerade', before: packet, after }];
  const nextHop = nextHopTo(destination, addresses, gateways);
  return leave(after, nextHop, 'default route', { ...state, translations });
}

function nextHopTo(
  address: string,
  addresses: readonly Prefix[],
  gateways: readonly string[],
): string | undefined {
  if (addresses.some((own) => contains(own, address))) return address;
  return gateways.find((gateway) => familyOf(gateway) === familyOf(address));
}

function receive(options: LinuxNodeOptions, owner: OwnerOf, frame: Frame, state: ConnectionState): Path {
  const { packet, tunnel } = frame;
  const problem = tunnel && tunnelProblem(options, tunnel);
  if (problem !== undefined) return end('lost', packet, problem, 'drops it');
  const translation = state.translations.find(({ after }) => isSamePacket(replyTo(after), packet));
  const after = translation === undefined ? packet : replyTo(translation.before);
  const receiver = owner(after.destination);
  if (receiver === undefined)
    return end('lost', packet, `The node has no pod or address ${packet.destination}.`, 'drops it');
  return arrive(after, receiver, tunnel === undefined ? 'plain' : 'decapsulated');
}

function tunnelProblem({ vtep }: LinuxNodeOptions, { port, vsid, macAddress }: Tunnel): string | undefined {
  const expected = vtep && [vtep.port ?? 4789, vtep.vni, parseMac(vtep.mac)].join(', ');
  const received = [port, vsid, macAddress].join(', ');
  return received === expected
    ? undefined
    : `The packet has port, VNI and MAC address ${received}, and the VTEP ${expected}.`;
}

function hop(did: string, packet: Packet, tunnel?: Tunnel): Hop {
  return { place: 'node', name: 'Linux', did, packet, ...(tunnel && { tunnel }) };
}

function leave(
  packet: Packet,
  nextHop: string | undefined,
  did: string,
  state: ConnectionState,
  tunnel?: Tunnel,
): Path {
  if (nextHop === undefined)
    return end('lost', packet, `The node has no route to ${packet.destination}.`, 'drops it');
  const frame = { interfaceIndex: cable, nextHop, packet, ...(tunnel && { tunnel }) };
  const because = `It leaves the node to next hop ${nextHop}.`;
  const hops = [hop(did, packet, tunnel)];
  return { outcome: 'leaves', frame, packet, because, hops, state: passed(state) };
}

function arrive(packet: Packet, receiver: Receiver, how: string): Path {
  const because = receiver.is === 'pod' ? 'The pod receives it.' : 'The node receives it.';
  const hops = [hop(`receives it (${how})`, packet)];
  return { outcome: 'arrives', receiver, packet, because, hops, state: passed() };
}

function end(outcome: 'lost' | 'unknown', packet: Packet, because: string, did: string): Path {
  return { outcome, packet, because, hops: [hop(did, packet)], state: passed() };
}

/** Linux remembers the connection under a port of its own. */
function passed(
  { translations }: Pick<ConnectionState, 'translations'> = { translations: [] },
): ConnectionState {
  return { translations, ports: ['linux'] };
}
