import type { ObservedEndpoint, ObservedNetwork, Policy } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import type { Destination } from '../traffic/destination.ts';
import type { Decides, Judgement } from '../traffic/match-tuple.ts';

/** What is asked: what becomes of what an endpoint sends to a destination that is not itself. */
export interface Question {
  readonly endpoint: ObservedEndpoint;
  /** The endpoint's addresses of the destination's family; at least one. */
  readonly addresses: readonly string[];
  /** Absent where it is gone. */
  readonly network?: ObservedNetwork;
  readonly destination: Destination;
  readonly inventory: Inventory;
  /** Absent where Windows does not tell. */
  readonly nodeAddresses?: readonly string[];
}

/** Something that HNS was told, and whether it is for the traffic. */
export interface NatLine extends Judgement {
  /** HCN's word for it. */
  readonly stage: string;
  readonly line: string;
  readonly decides: Decides;
}

/** What one part of the datapath does. */
export interface Stage {
  /** Sentences; none where it does nothing. */
  readonly says: readonly string[];
  /** Whether what it does cannot be told. */
  readonly open?: boolean;
  readonly lines: readonly NatLine[];
}

/** A policy by its place among those of its endpoint, or of its network, as HCN lists them. */
export interface PlacedPolicy {
  /** As `policy 2`. */
  readonly place: string;
  readonly settings: NonNullable<Policy['Settings']>;
}

/** The policies of a type, by HCN's order. */
export function policiesOf(
  type: string,
  owner: { readonly Policies?: readonly Policy[] } | undefined,
  word = 'policy',
): readonly PlacedPolicy[] {
  return (owner?.Policies ?? []).flatMap((policy, index) =>
    isPolicyOf(type, policy) ? [{ place: `${word} ${index + 1}`, settings: policy.Settings ?? {} }] : [],
  );
}

/** The texts in a member of a policy that is a list. */
export function listIn({ settings }: PlacedPolicy, member: string): readonly string[] {
  const list = settings[member];
  return Array.isArray(list) ? list.map(String) : [];
}
