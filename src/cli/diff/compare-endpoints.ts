import type { Policy } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import type { EndpointDetail } from '../inventory/endpoint-row.ts';
import { type Difference, differenceOf, differencesOfLists } from './difference.ts';
import {
  aclTexts,
  factsAfterPolicies,
  factsBeforeAcls,
  ownFacts,
  policiesWithFacts,
} from './endpoint-facts.ts';
import { withoutOwn } from './own-addresses.ts';
import { policyDifferences } from './policy-differences.ts';

/** What differs between two endpoints. */
export interface Comparison {
  /** Their interfaces where they are known, else their ids. */
  readonly left: string;
  readonly right: string;
  /** In the order in which it matters. */
  readonly differences: readonly Difference[];
  /** What differs between any two endpoints. */
  readonly asItShould: readonly Difference[];
}

export function compareEndpoints(
  left: EndpointDetail,
  right: EndpointDetail,
  inventory: Inventory,
): Comparison {
  const [before, otherBefore] = [factsBeforeAcls(left), factsBeforeAcls(right)];
  const [after, otherAfter] = [factsAfterPolicies(left, inventory), factsAfterPolicies(right, inventory)];
  const [own, otherOwn] = [ownFacts(left), ownFacts(right)];
  const differencesOf = (ours: Readonly<Record<string, string>>, theirs: typeof ours) =>
    Object.entries(ours).flatMap(([what, value]) => differenceOf(what, value, theirs[what] ?? ''));
  return {
    left: nameOf(left),
    right: nameOf(right),
    differences: [
      ...clashes(left, right),
      ...differencesOf(before, otherBefore),
      ...aclDifferences(aclTexts(left), aclTexts(right)),
      ...policyDifferences(comparable(left), comparable(right)),
      ...differenceOf('namespace', after.namespace, otherAfter.namespace),
      ...differenceOf('containers in it', after.containers, otherAfter.containers),
      ...differencesOfLists('load balancer', after.loadBalancers, otherAfter.loadBalancers),
    ],
    asItShould: differencesOf(own, otherOwn),
  };
}

/** An endpoint's interface where it is known, else its id. */
export function nameOf({ id, interface: name = id }: EndpointDetail): string {
  return name;
}

/** What two endpoints of a network may not have alike. */
function clashes(left: EndpointDetail, right: EndpointDetail): readonly Difference[] {
  if (left.network !== right.network) return [];
  const shared = left.addresses.filter((address) => right.addresses.includes(address));
  const same = (what: string, value: string): Difference => ({ what, left: value, right: value });
  return [
    ...shared.map((address) => same('address, of both', address)),
    ...(left.macAddress !== '' && left.macAddress === right.macAddress
      ? [same('MAC, of both', left.macAddress)]
      : []),
  ];
}

/** Those of one priority count as HCN lists them, as far as is known. */
function aclDifferences(left: readonly string[], right: readonly string[]): readonly Difference[] {
  const differing = differencesOfLists('ACL', left, right);
  if (differing.length > 0) return differing;
  return left.flatMap((text, index) => differenceOf('order of ACLs', text, right[index] ?? ''));
}

function comparable({ policies, addresses }: EndpointDetail): readonly Policy[] {
  const own = addresses.map((address) => address.replace(/\/.*/, ''));
  return policies
    .filter((policy) => !policiesWithFacts.some((type) => isPolicyOf(type, policy)))
    .map(({ Type, Settings = {} }) => ({
      Type,
      Settings: Object.fromEntries(
        Object.entries(Settings).map(([key, value]) => [key, withoutOwn(value, own)]),
      ),
    }));
}
