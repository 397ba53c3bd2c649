// A machine on the cable between the nodes of a cluster.

import type { Frame, Packet } from '../../src/cli/traffic/packet.ts';
import type { ConnectionState, Path, Receiver } from '../../src/cli/traffic/path.ts';
import { contains, overlaps, type Prefix, parsePrefix } from '../../src/net/prefix.ts';

export interface ClusterNode {
  readonly name: string;
  /** The pod or node that has an address here; undefined if the address is elsewhere. */
  owner(address: string): Receiver | undefined;
  /** Sends a packet; an empty source lets the node choose it. */
  send(from: Receiver, packet: Packet, state: ConnectionState): readonly Path[];
  /** Receives a frame for this machine. `interfaceIndex` is the receiving interface. */
  receive(frame: Frame, state: ConnectionState): readonly Path[];
  /** The interfaces on the cable. */
  readonly interfaces: readonly CableInterface[];
}

export interface CableInterface {
  readonly index: number;
  readonly name: string;
  /** On-link prefixes with the machine's own addresses. */
  readonly addresses: readonly Prefix[];
  /** Addresses of bridged pods, for which the interface takes frames too. */
  readonly bridged: readonly string[];
}

/** Reads an address with a prefix length, as `10.0.0.4/24`. */
export function prefixOf(text: string): Prefix {
  const prefix = parsePrefix(text);
  if (prefix === undefined) throw new Error(`${text} is not an address with a prefix length`);
  return prefix;
}

/** The interface that takes frames for an address on the segment of a sender; undefined if none does. */
export function interfaceFor(
  { interfaces }: ClusterNode,
  address: string,
  segment: Prefix,
): CableInterface | undefined {
  return interfaces.find(({ addresses, bridged }) =>
    addresses.some(
      (own) =>
        overlaps(own, segment) &&
        (own.address === address || (bridged.includes(address) && contains(own, address))),
    ),
  );
}
