import { findById, type Inventory } from '../../model/inventory.ts';
import { familyOf } from '../../net/address.ts';
import { bitsOf, canonicalPrefix } from '../../net/prefix.ts';
import { aclText } from '../inventory/acl-row.ts';
import type { EndpointDetail } from '../inventory/endpoint-row.ts';
import { loadBalancerRows } from '../inventory/object-rows.ts';
import { dnsText, settingItems } from '../inventory/policy-text.ts';
import type { Session } from '../terminal/session.ts';
import { shortContainer } from '../terminal/short-text.ts';
import { cellsTable } from '../terminal/table.ts';
import type { Pod } from './find-container.ts';

/** The values of a property that only one pod has; `none` for a pod without any. */
interface Difference {
  readonly what: string;
  readonly left: string;
  readonly right: string;
}

/** What differs between the endpoints of two pods. */
export interface PodComparison {
  readonly kind: 'comparison';
  /** The pods; the containers if names are unknown or equal. */
  readonly left: string;
  readonly right: string;
  readonly equal: boolean;
  /** Most important first. */
  readonly differences: readonly Difference[];
}

type Property = readonly [what: string, value: string];

/** Compares the only endpoints of two pods, or those with the same interface. */
export function comparePods(left: Pod, right: Pod, inventory: Inventory): PodComparison {
  const [ours, theirs] = [left.subject.endpoints, right.subject.endpoints];
  const isOnly = ours.length === 1 && theirs.length === 1;
  const interfaceOf = (endpoint: EndpointDetail) => (isOnly ? '' : (endpoint.interface ?? endpoint.id));
  const interfaces = [...new Set([...ours, ...theirs].map(interfaceOf))];
  const differences = interfaces.flatMap((name) => {
    const one = ours.find((endpoint) => interfaceOf(endpoint) === name);
    const other = theirs.find((endpoint) => interfaceOf(endpoint) === name);
    if (one === undefined || other === undefined)
      return compare(
        [['endpoint', one === undefined ? '' : name]],
        [['endpoint', one === undefined ? name : '']],
      );
    const prefix = interfaces.length > 1 ? `${name} ` : '';
    return compare(propertiesOf(one, inventory), propertiesOf(other, inventory)).map((difference) => ({
      ...difference,
      what: `${prefix}${difference.what}`,
    }));
  });
  const nameOf = ({ name, container }: Pod) => (left.name === right.name ? container : (name ?? container));
  return {
    kind: 'comparison',
    left: nameOf(left),
    right: nameOf(right),
    equal: differences.length === 0,
    differences,
  };
}

/** The properties that endpoints of similar pods have in common, with a placeholder for the endpoint's own addresses. */
function propertiesOf(endpoint: EndpointDetail, inventory: Inventory): readonly Property[] {
  const { network, owner, state, health, stale, addresses, routes, dns, acls, policies } = endpoint;
  const namespace = findById(inventory.namespaces, endpoint.namespace);
  const ownPrefixes = addresses.flatMap((text) => {
    const [address = ''] = text.split('/', 1);
    return [address, `${address}/${bitsOf(familyOf(address))}`];
  });
  const generic = (text: string) =>
    text.replaceAll(/[^ ,]+/g, (word) => (ownPrefixes.includes(word) ? '<pod address>' : word));
  const balancers = loadBalancerRows(inventory).filter(({ id }) => endpoint.loadBalancers.includes(id));
  return [
    ['network', network],
    ['owner', owner],
    ['state', state],
    ['health', health],
    ['leftover', stale ?? 'no'],
    ...addresses.map((address): Property => ['subnet', canonicalPrefix(address) ?? familyOf(address)]),
    ...routes.map((route): Property => ['route', `${route.DestinationPrefix} via ${route.NextHop}`]),
    ['DNS', dnsText(dns)],
    ['namespace', namespace?.Type ?? (endpoint.namespace === undefined ? '' : 'gone')],
    ...acls.map((acl): Property => ['ACL', generic(aclText(acl))]),
    ...policies.flatMap((policy) =>
      settingItems(policy).map(([key, item]): Property => [`${policy.Type} ${key}`.trim(), generic(item)]),
    ),
    ...balancers.map(
      ({ frontends, ports }): Property => [
        'load balancer',
        `${frontends.join(', ') || 'node addresses'} ${ports.join(', ')}`,
      ],
    ),
  ];
}

/** The values that only one side has, side by side. Repeated values count, the order does not. */
function compare(left: readonly Property[], right: readonly Property[]): readonly Difference[] {
  const names = new Set([...left, ...right].map(([what]) => what));
  return [...names].flatMap((what) => {
    const [ours, theirs] = [left, right].map((properties) =>
      properties.flatMap(([name, value]) => (name === what && value !== '' ? value : [])),
    );
    const onlyLeft = subtract(ours ?? [], theirs ?? []);
    const onlyRight = subtract(theirs ?? [], ours ?? []);
    return Array.from({ length: Math.max(onlyLeft.length, onlyRight.length) }, (_, index) => ({
      what,
      left: onlyLeft[index] ?? 'none',
      right: onlyRight[index] ?? 'none',
    }));
  });
}

function subtract(texts: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return texts.filter((text) => {
    const index = rest.indexOf(text);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** A comparison as text. */
export function comparisonText({ left, right, differences }: PodComparison, session: Session): string {
  if (differences.length === 0) return 'No differences.';
  const shortId = (text: string) => (/^[0-9a-f]{64}$/i.test(text) ? shortContainer(text) : text);
  const [short, otherShort] = [shortId(left), shortId(right)];
  const pods = short === otherShort ? [left, right] : [short, otherShort];
  const cells = differences.map((one) => [one.what, one.left, one.right]);
  return cellsTable(['property', ...pods], cells, session, {
    prose: ['property', ...pods],
    styleOf: (title) => (title === 'property' ? undefined : 'yellow'),
  });
}
