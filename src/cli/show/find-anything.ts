import { loadBalancerId } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import { parseAddress } from '../../net/address.ts';
import { formatMac, parseMac } from '../../net/mac.ts';
import { uniqueContainers } from '../inventory/pods/container-ids.ts';
import { keysOf, namedPods } from '../inventory/pods/pods-named.ts';
import { normalized, type Search } from '../inventory/resolve-object.ts';
import { unknownPods } from './find-container.ts';
import { findSubject, type ObjectKind, type Subject } from './find-subject.ts';

/** Tables print this many characters of a GUID. A shorter prefix could be a name that is unknown, such as `db`. */
const shortestPrefix = 8;

/** A subject that a key may stand for. */
interface Candidate {
  readonly kind: ObjectKind;
  /** The key that `findSubject` finds it with. */
  readonly key: string;
  /** Empty for a pod, whose container is a candidate of its own. */
  readonly id: string;
  readonly names: readonly string[];
}

/**
 * Finds the subject of any kind with this key: an IP or MAC address, else an ID, a name, or a prefix of an ID, in this order. Ignores
 * case and braces.
 */
export function findAnything(given: string, inventory: Inventory): Search<Subject> {
  const address = parseAddress(given);
  if (address !== undefined) return findSubject('ip', address, inventory);
  const mac = parseMac(given);
  const key = normalized(given);
  const candidates = key === '' ? [] : candidatesIn(inventory, given);
  const matching = mac === undefined ? bestMatches(key, candidates) : endpointsWithMac(mac, inventory);
  const [only, ...others] = matching;
  if (only === undefined) return { problem: `HCN has no object "${given}"${unknownPods(given, inventory)}` };
  if (others.length === 0) return findSubject(only.kind, only.key, inventory);
  const texts = matching.map((one) => `show ${one.kind} ${one.key}`);
  return {
    problem: `"${given}" matches ${matching.length} objects: use ${texts.join(' or ')}`,
    isAmbiguous: true,
  };
}

function bestMatches(key: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const tests: readonly ((one: Candidate) => boolean)[] = [
    ({ id }) => normalized(id) === key,
    ({ names }) => names.some((name) => normalized(name) === key),
    ({ id }) => key.length >= shortestPrefix && normalized(id).startsWith(key),
  ];
  return tests.map((test) => candidates.filter(test)).find((found) => found.length > 0) ?? [];
}

function candidatesIn(inventory: Inventory, given: string): readonly Candidate[] {
  const { networks, endpoints, namespaces, loadBalancers, loadBalancerNames } = inventory;
  const object = (kind: ObjectKind, id: string, ...names: readonly string[]) => ({
    kind,
    key: id,
    id,
    names,
  });
  return [
    ...uniqueContainers(inventory).map((id) => object('container', id)),
    ...endpoints.map(({ ID, Name }) => object('endpoint', ID, Name)),
    ...namespaces.flatMap(({ ID }) => (ID === undefined ? [] : object('namespace', ID))),
    ...networks.map(({ ID, Name }) => object('network', ID, Name)),
    ...loadBalancers.map(({ ID }) => {
      const name = loadBalancerNames?.get(ID) ?? (ID === loadBalancerId(given) ? given : undefined);
      return name === undefined
        ? object('loadbalancer', ID)
        : { ...object('loadbalancer', ID, name), key: name };
    }),
    ...namedPods(inventory).map(({ name }) => ({
      kind: 'pod' as const,
      key: name,
      id: '',
      names: keysOf(name),
    })),
  ];
}

function endpointsWithMac(mac: string, { endpoints }: Inventory): readonly Candidate[] {
  const found = endpoints.filter(({ MacAddress = '' }) => formatMac(MacAddress) === formatMac(mac));
  return found.map(({ ID }) => ({ kind: 'endpoint', key: ID, id: ID, names: [] }));
}
