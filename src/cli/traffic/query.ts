import type { ObservedEndpoint, ObservedNetwork, Policy } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import type { Destination } from './destination.ts';
import type { EvaluatedRule } from './match-traffic.ts';

/** Traffic from an endpoint to a destination outside the pod. */
export interface Query {
  readonly endpoint: ObservedEndpoint;
  /** The endpoint's addresses of the destination's family; at least one. */
  readonly addresses: readonly string[];
  /** Absent if the network is gone. */
  readonly network?: ObservedNetwork;
  readonly destination: Destination;
  readonly inventory: Inventory;
  /** Absent if Windows does not return them. */
  readonly nodeAddresses?: readonly string[];
  /** The node's address on the network; absent if it is not certain. */
  readonly nodeAddress?: string;
}

/** HCN's type of the policies that translate source addresses. */
export const outBoundNat = 'OutBoundNAT';

/** A policy entry, route or load balancer port compared with the traffic. */
export interface NatRule extends EvaluatedRule {
  /** HCN's name for the stage. */
  readonly stage: string;
  /** The rule as text. */
  readonly line: string;
}

/** A rule without missing information. */
export function certainRule(stage: string, line: string, matches: boolean, decides: boolean): NatRule {
  return { stage, line, matches: matches ? 'yes' : 'no', decides: decides ? 'yes' : 'no' };
}

/** The effect of one stage of the data path. */
export interface Stage {
  /** Empty if the stage has no effect. */
  readonly sentences: readonly string[];
  /** Default: false. */
  readonly uncertain?: boolean;
  readonly rules: readonly NatRule[];
}

/** A policy with its position in its endpoint or network, in HCN's order. */
export interface NumberedPolicy {
  /** `policy 2` */
  readonly label: string;
  readonly settings: NonNullable<Policy['Settings']>;
}

/** The policies of a type, numbered among all policies. */
export function numberedPolicies(
  type: string,
  owner: { readonly Policies?: readonly Policy[] } | undefined,
  word = 'policy',
): readonly NumberedPolicy[] {
  return (owner?.Policies ?? []).flatMap((policy, index) =>
    isPolicyOf(type, policy) ? [{ label: `${word} ${index + 1}`, settings: policy.Settings ?? {} }] : [],
  );
}

/** The items of a list setting; empty if absent. */
export function listSetting({ settings }: Pick<NumberedPolicy, 'settings'>, key: string): readonly string[] {
  const list = settings[key];
  return Array.isArray(list) ? list.map(String) : [];
}
