import type { ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import { findById, type Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { type Family, familyOf } from '../../net/address.ts';
import { type AclRow, aclRows } from '../inventory/acl-row.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import { loadBalancerLabel } from '../inventory/object-rows.ts';
import {
  addressesOf,
  backendAddresses,
  type Destination,
  describeLocalDelivery,
  isFrontend,
} from './destination.ts';
import { type EvaluatedRule, matchTraffic, type Traffic } from './match-traffic.ts';

/** As in HCN. In: connections to the pod; Out: connections from the pod. */
export type Direction = 'In' | 'Out';

export interface Connection {
  readonly direction: Direction;
  /** The remote address, with the destination port of the connection in either direction. */
  readonly remote: Destination;
  readonly sourcePort?: number;
}

export interface EvaluatedAcl extends EvaluatedRule {
  readonly acl: AclRow;
}

export interface AclDecision {
  /** `Allow` or `Block`; absent if unknown. */
  readonly action?: string;
  /**
   * Why the action is unknown: ACLs with the same priority conflict, the traffic or an ACL lacks information, or the ACLs of the two
   * RuleTypes decide differently.
   */
  readonly open?: 'equal priority' | 'missing information' | 'rule types';
  /** In the order of evaluation; empty without ACLs. */
  readonly lines: readonly EvaluatedAcl[];
}

export interface AclExplanation extends AclDecision {
  readonly endpoint: EndpointId;
  readonly network: string;
  /** The connection's family if the endpoint has no address of it. Then there are no lines. */
  readonly lacks?: Family;
  /** A sentence if the connection does not leave the pod. Then there are no lines. */
  readonly within?: string;
  /** The endpoint's addresses of the connection's family. */
  readonly addresses: readonly string[];
  readonly macAddress: string;
  /** Policies that may change the result and are not evaluated, a sentence each. */
  readonly ignored: readonly string[];
  /** Reasons why the result is less certain, a sentence each. */
  readonly caveats: readonly string[];
}

/** Explains which of an endpoint's ACLs allows or blocks a connection. */
export function explainAcl(
  endpoint: ObservedEndpoint,
  { direction, remote, sourcePort }: Connection,
  inventory: Inventory,
): AclExplanation {
  const { ID, Policies = [], HostComputeNetwork } = endpoint;
  const row = endpointRow(endpoint, inventory);
  const family = familyOf(remote.address);
  const addresses = addressesOf(endpoint, family);
  const { address: remoteAddress, port, protocol } = remote;
  const ports =
    direction === 'In'
      ? { localPort: port, remotePort: sourcePort }
      : { localPort: sourcePort, remotePort: port };
  const acls = aclRows(Policies).filter((acl) => acl.direction === direction);
  const within = addresses.length === 0 ? undefined : describeLocalDelivery(remoteAddress, addresses);
  const decision: AclDecision =
    addresses.length === 0 || within !== undefined
      ? { lines: [] }
      : evaluateAcls(acls, { ...ports, protocol, localAddresses: addresses, remoteAddress });
  const network = findById(inventory.networks, HostComputeNetwork);
  return {
    endpoint: ID,
    network: row.network,
    addresses,
    macAddress: row.macAddress,
    ...(addresses.length === 0 && { lacks: family }),
    ...(within !== undefined && { within }),
    ...decision,
    ignored: unevaluatedPolicies(endpoint, network),
    caveats: [
      ...aclCaveats(decision),
      ...(direction === 'Out' && decision.lines.length > 0 ? serviceCaveats(remoteAddress, inventory) : []),
      ...endpointCaveats(row),
    ],
  };
}

/**
 * Decides about traffic by the ACLs of its direction, given in their order with HNS's default last. HNS does not document how it orders
 * ACLs with RuleType Host and Switch: Calico adds Host ACLs that allow everything, and blocks with Switch ACLs of a later priority. The
 * action is known only if each type alone leads to it too.
 */
function evaluateAcls(acls: readonly AclRow[], traffic: Traffic): AclDecision {
  const decision = evaluateInOrder(acls, traffic);
  const types = ruleTypesOf(acls);
  if (decision.action === undefined) return decision;
  const alone = types.map((type) =>
    evaluateInOrder(
      acls.filter((acl) => acl.hidden || ruleTypeOf(acl) === type),
      traffic,
    ),
  );
  if (alone.every(({ action }) => action === decision.action)) return decision;
  const deciding = alone.flatMap(({ lines }) => lines.filter(({ decides }) => decides !== 'no'));
  const isDeciding = (line: EvaluatedAcl) => deciding.some(({ acl }) => acl === line.acl);
  return {
    open: 'rule types',
    lines: decision.lines.map((line) => ({ ...line, decides: isDeciding(line) ? 'may' : 'no' })),
  };
}

/** The RuleTypes of the ACLs that HCN stores. Its default is Host. */
function ruleTypesOf(acls: readonly AclRow[]): readonly string[] {
  return [...new Set(acls.filter(({ hidden }) => !hidden).map(ruleTypeOf))];
}

function ruleTypeOf({ ruleType }: AclRow): string {
  return ruleType ?? 'Host';
}

/** The first match decides; ACLs with the same priority rank equally. Without ACLs, traffic is allowed. */
function evaluateInOrder(acls: readonly AclRow[], traffic: Traffic): AclDecision {
  const evaluated = acls.map((acl) => ({ acl, ...matchTraffic(acl, traffic) }));
  const first = evaluated.find(({ matches }) => matches === 'yes');
  if (first === undefined) return { action: 'Allow', lines: [] };
  const last = rank(first.acl);
  const candidates = evaluated.filter(
    ({ acl, matches }) =>
      (matches === 'yes' && rank(acl) === last) || (matches === 'unknown' && rank(acl) <= last),
  );
  const certain = candidates.filter(({ matches }) => matches === 'yes');
  const [action, ...others] = actionsOf(candidates);
  const isSettled = others.length === 0 && certain.length === candidates.length;
  const decides = (line: (typeof evaluated)[number]): EvaluatedRule['decides'] => {
    if (isSettled) return line === first ? 'yes' : 'no';
    return candidates.includes(line) ? 'may' : 'no';
  };
  return {
    ...(action !== undefined && others.length === 0
      ? { action }
      : { open: actionsOf(certain).length > 1 ? 'equal priority' : 'missing information' }),
    lines: evaluated.map((line) => ({ ...line, decides: decides(line) })),
  };
}

function actionsOf(lines: readonly Pick<EvaluatedAcl, 'acl'>[]): readonly string[] {
  return [...new Set(lines.map(({ acl }) => acl.action))];
}

/** ACLs without a priority rank after those with one, HNS's default last. */
function rank({ priority, hidden }: AclRow): number {
  return hidden ? Number.POSITIVE_INFINITY : (priority ?? Number.MAX_VALUE);
}

/** Policies that allow or block traffic as ACLs do, a sentence for each type. */
function unevaluatedPolicies(
  endpoint: ObservedEndpoint,
  network: ObservedNetwork | undefined,
): readonly string[] {
  const has = (type: string, owner: ObservedEndpoint | ObservedNetwork | undefined) =>
    owner?.Policies?.some((policy) => isPolicyOf(type, policy)) === true;
  return [
    ...(has('TierAcl', endpoint)
      ? ['The endpoint has TierAcl policies, which explain-acl does not evaluate.']
      : []),
    ...(has('NetworkACL', network)
      ? [`Network "${network?.Name}" has NetworkACL policies, which explain-acl does not evaluate.`]
      : []),
  ];
}

function aclCaveats({ action, open, lines }: AclDecision): readonly string[] {
  const visible = lines.filter(({ acl }) => !acl.hidden);
  const isMixed = ruleTypesOf(lines.map(({ acl }) => acl)).length > 1;
  const conflicts = ({ acl, matches, decides }: EvaluatedAcl) =>
    acl.priority === undefined && matches !== 'no' && decides === 'no' && acl.action !== action;
  return [
    ...(visible.some(conflicts)
      ? [
          'An ACL without a priority has a different action. HNS does not document its rank; explain-acl puts it after the others.',
        ]
      : []),
    ...(isMixed && action === undefined && open !== 'rule types'
      ? [
          'Some of these ACLs have RuleType Host, others Switch. HNS does not document how it orders the two; explain-acl compares ' +
            'their priorities.',
        ]
      : []),
  ];
}

function serviceCaveats(address: string, inventory: Inventory): readonly string[] {
  return inventory.loadBalancers
    .filter((loadBalancer) => isFrontend(loadBalancer, address))
    .map((loadBalancer) => {
      const backends = backendAddresses(loadBalancer, inventory, familyOf(address));
      const also = backends.length === 0 ? '' : ` Check ${backends.join(', ')} too.`;
      return (
        `${address} is a frontend of load balancer ${loadBalancerLabel(loadBalancer.ID, inventory)}. HNS does not document whether ACLs see the ` +
        `frontend or the backend address.${also}`
      );
    });
}

function endpointCaveats({ health, state, stale }: EndpointRow): readonly string[] {
  return [
    ...(health === 'ok' && state !== 'Degraded'
      ? []
      : [`HNS reports the endpoint as ${state} with health ${health}: its ACLs may not be in effect.`]),
    ...(stale === undefined ? [] : [`The endpoint is a leftover: ${stale}.`]),
  ];
}
