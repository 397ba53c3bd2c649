import type { EndpointId, Guid } from '../../hcn/guid.ts';
import type { Frame, Packet, Translation, Tunnel } from './packet.ts';

/**
 * How sure a rule is: Microsoft or Kubernetes documents it; a program that relies on it shows it in its source; an issue shows it in a
 * dump; a maintainer or user reports it; or it is only inferred.
 */
export type Evidence = 'documented' | 'source' | 'observed' | 'reported' | 'inferred';

/** One place that handles a packet. */
export interface Hop {
  readonly place: 'pod' | 'port' | 'virtual switch' | 'node' | 'adapter';
  /** Such as `cbr0` for a virtual switch. */
  readonly name: string;
  /** The endpoint of a pod or port, the network of a virtual switch. */
  readonly id?: Guid;
  /** What happens to the packet there, as `sends it to next hop 10.244.1.1`. */
  readonly did: string;
  /** The document or rule that decides, as `route 0.0.0.0/0 via 10.244.1.1`. */
  readonly rule?: string;
  readonly evidence: Evidence;
  /** The packet that leaves the hop. */
  readonly packet: Packet;
  readonly tunnel?: Tunnel;
}

/** Where a packet arrives: in a pod, or in the node. */
export type Receiver = { readonly is: 'pod'; readonly endpoint: EndpointId } | { readonly is: 'node' };

export type End =
  | { readonly outcome: 'arrives'; readonly receiver: Receiver }
  | { readonly outcome: 'leaves'; readonly frame: Frame }
  | { readonly outcome: 'lost' | 'unknown' };

/** The state of connections that a node keeps: replies pass its ACLs, and its translations are reversed for them. */
export interface ConnectionState {
  readonly translations: readonly Translation[];
  /** The endpoints whose ports the connection has passed. */
  readonly ports: readonly EndpointId[];
}

/** The way of a packet through one node. */
export type Path = End & {
  readonly hops: readonly Hop[];
  /** The reason for the outcome, a sentence. */
  readonly because: string;
  /** The packet at the end of the path. */
  readonly packet: Packet;
  readonly state: ConnectionState;
};

export type Outcome = Path['outcome'];

const worstFirst: readonly Outcome[] = ['lost', 'unknown', 'leaves', 'arrives'];

/**
 * The outcome of all ways that a packet may take, such as one for each backend of a load balancer. They are as good as the worst: lost
 * before unknown before leaves before arrives. So a packet arrives only if it arrives whatever way it takes.
 */
export function worstPath<P extends { readonly outcome: Outcome }>(paths: readonly P[]): P | undefined {
  return worstFirst.flatMap((outcome) => paths.filter((path) => path.outcome === outcome))[0];
}
