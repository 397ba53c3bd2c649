import { aclText } from '../inventory/acl-row.ts';
import type { EndpointDetail } from '../inventory/endpoint-row.ts';
import { settingItems } from '../inventory/policy-text.ts';
import type { Session } from '../terminal/session.ts';
import { cellsTable } from '../terminal/table.ts';
import type { Subject } from './find-subject.ts';

/** What differs between the endpoints of two pods, which are named as they were given. */
type PodComparison = ReturnType<typeof comparePods>;

type Property = readonly [what: string, value: string];

/** Compares the endpoints of two pods, by interface if one has several. */
export function comparePods(
  [left, right]: readonly [left: string, right: string],
  pod: Subject,
  other: Subject,
) {
  const isOnly = pod.endpoints.length === 1 && other.endpoints.length === 1;
  const propertiesOfPod = ({ endpoints }: Subject) =>
    endpoints.flatMap((endpoint) => {
      const prefix = isOnly ? '' : `${endpoint.interface ?? '-'} `;
      return propertiesOf(endpoint).map(([what, value]): Property => [`${prefix}${what}`, value]);
    });
  const differences = compare(propertiesOfPod(pod), propertiesOfPod(other));
  return { kind: 'comparison', left, right, equal: differences.length === 0, differences };
}

/** The properties that endpoints of similar pods have in common, with a placeholder for the endpoint's own addresses. */
function propertiesOf(endpoint: EndpointDetail): readonly Property[] {
  const { network, owner, state, health, leftover, namespace, addresses, routes, dns, loadBalancers } =
    endpoint;
  const own = addresses.flatMap((text) => text.split('/', 1));
  const generic = (text: string) =>
    text.replaceAll(/[^ ,]+/g, (word) =>
      own.includes(word.replace(/\/(32|128)$/, '')) ? '<pod address>' : word,
    );
  return [
    ['network', network],
    ['owner', owner],
    ['state', state],
    ['health', health],
    ['leftover', leftover ?? 'no'],
    ['namespace', namespace === undefined ? 'no' : 'yes'],
    ...addresses.map((address): Property => ['prefix length', address.split('/')[1] ?? 'none']),
    ...routes.map((route): Property => ['route', `${route.DestinationPrefix} via ${route.NextHop}`]),
    ...settingItems(dns).map(([key, item]): Property => [`DNS ${key}`, item]),
    ...endpoint.acls.map((acl): Property => ['ACL', generic(aclText(acl))]),
    ...endpoint.policies.flatMap(({ Type, Settings }) =>
      settingItems(Settings).map(([key, item]): Property => [`${Type} ${key}`.trim(), generic(item)]),
    ),
    ...loadBalancers.map((id): Property => ['load balancer', id]),
  ];
}

/** The values of each property that only one side has, side by side; `none` for a side without any. */
function compare(left: readonly Property[], right: readonly Property[]) {
  const names = new Set([...left, ...right].map(([what]) => what));
  return [...names].flatMap((what) => {
    const valuesIn = (properties: readonly Property[]) =>
      properties.flatMap(([name, value]) => (name === what ? value : []));
    const [ours, theirs] = [valuesIn(left), valuesIn(right)];
    const onlyLeft = ours.filter((value) => !theirs.includes(value));
    const onlyRight = theirs.filter((value) => !ours.includes(value));
    return Array.from({ length: Math.max(onlyLeft.length, onlyRight.length) }, (_, index) => ({
      property: what,
      left: onlyLeft[index] ?? 'none',
      right: onlyRight[index] ?? 'none',
    }));
  });
}

/** A comparison as text. */
export function comparisonText({ left, right, differences }: PodComparison, session: Session): string {
  if (differences.length === 0) return 'No differences.';
  const titles = ['property', left, right];
  const cells = differences.map((one) => [one.property, one.left, one.right]);
  return cellsTable(titles, cells, session, { prose: titles, styleOf: () => undefined });
}
