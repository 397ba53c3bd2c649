import {
  addressesIn,
  type ObservedEndpoint,
  type ObservedNetwork,
  type Policy,
} from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { subnetsOf } from '../../model/network-document.ts';
import { parseAddress } from '../../net/address.ts';
import { formatMac, parseMac } from '../../net/mac.ts';
import { type EndpointDetail, endpointDetail } from '../inventory/endpoint-row.ts';
import {
  type LoadBalancerRow,
  loadBalancerRows,
  type NamespaceRow,
  type NetworkRow,
  namespaceRow,
  namespaceRows,
  networkRow,
  networkRows,
} from '../inventory/object-rows.ts';
import { findPod } from '../inventory/pods.ts';
import { findByKey, type Search } from '../inventory/resolve-object.ts';

/** The kinds of subjects in HCN. */
const objectKinds = ['pod', 'ip', 'endpoint', 'namespace', 'network', 'service'] as const;
type ObjectKind = (typeof objectKinds)[number];

/** All kinds that `show` has. A port also has holders outside HCN: `port.ts` finds it. */
export const subjectKinds = [...objectKinds, 'port'] as const;

/** A policy of a network, or of one of its subnets, such as an Overlay network's VSID. */
export interface NetworkPolicy extends Policy {
  readonly subnet?: string;
}

/** What `show` shows: objects of HCN, as in lists of `ls`, with the objects that are related to them. */
export interface Subject {
  readonly kind: ObjectKind;
  readonly networks: readonly NetworkRow[];
  readonly endpoints: readonly EndpointDetail[];
  readonly namespaces: readonly NamespaceRow[];
  readonly services: readonly LoadBalancerRow[];
  /** The policies of the network; absent for other kinds. */
  readonly policies?: readonly NetworkPolicy[];
}

const none = { networks: [], endpoints: [], namespaces: [], services: [] };

/** Tables print this many characters of a GUID. A shorter prefix could be a name that is unknown, such as `db`. */
const shortestPrefix = 8;

/**
 * Finds the subject of any kind with this key: an IP or MAC address, else an ID or a name, else a prefix of an ID. Ignores case and braces.
 */
export function findAnything(given: string, inventory: Inventory): Search<Subject> {
  const address = parseAddress(given);
  if (address !== undefined) return findSubject('ip', address, inventory);
  const mac = parseMac(given);
  const key = mac === undefined ? given : formatMac(mac);
  const search = (prefix: number) =>
    objectKinds
      .filter((kind) => kind !== 'ip')
      .map((kind) => ({ kind, search: findSubject(kind, key, inventory, prefix) }))
      .filter((one) => 'found' in one.search || one.search.isAmbiguous);
  const exact = search(Number.POSITIVE_INFINITY);
  const [only, ...others] = exact.length > 0 ? exact : search(shortestPrefix);
  if (only === undefined) return { problem: `HCN has no object "${given}", or its pod's name is unknown` };
  if (others.length === 0) return only.search;
  const texts = [only, ...others].map(({ kind }) => `show ${kind} ${given}`);
  return { problem: `"${given}" matches several objects: use ${texts.join(' or ')}`, isAmbiguous: true };
}

/** Finds the subject of a kind with this key, or a prefix of its ID of at least `prefix` characters. */
export function findSubject(
  kind: ObjectKind,
  key: string,
  inventory: Inventory,
  prefix = 1,
): Search<Subject> {
  const endpointsWhere = (isShown: (endpoint: ObservedEndpoint) => boolean) =>
    inventory.endpoints.filter(isShown).map((endpoint) => endpointDetail(endpoint, inventory));
  const found = <T>(search: Search<T>, about: (found: T) => Partial<Subject>): Search<Subject> =>
    'problem' in search ? search : { found: { kind, ...none, ...about(search.found) } };
  switch (kind) {
    case 'pod':
      return found(findPod(key, inventory, prefix), ({ namespaces, endpoints }) => ({
        endpoints: endpointsWhere((one) => endpoints.includes(one)),
        namespaces: namespaces.map((one) => namespaceRow(one, inventory)),
      }));
    case 'ip':
      return found(findAddress(parseAddress(key) ?? key, inventory), (objects) => objects);
    case 'endpoint':
      return found(findByKey(kind, key, inventory.endpoints, prefix), (endpoint) => ({
        endpoints: [endpointDetail(endpoint, inventory)],
      }));
    case 'namespace':
      return found(findByKey(kind, key, namespaceRows(inventory), prefix), (namespace) => ({
        namespaces: [namespace],
        endpoints: endpointsWhere(({ HostComputeNamespace }) => HostComputeNamespace === namespace.id),
      }));
    case 'network':
      return found(findByKey(kind, key, inventory.networks, prefix), (network) => ({
        networks: [networkRow(network, inventory)],
        policies: policiesOf(network),
        endpoints: endpointsWhere(({ HostComputeNetwork }) => HostComputeNetwork === network.ID),
      }));
    case 'service':
      return found(findByKey('load balancer', key, loadBalancerRows(inventory), prefix), (row) => ({
        services: [row],
        endpoints: endpointsWhere(({ ID }) => row.backends.some(({ id }) => id === ID)),
      }));
  }
}

function policiesOf(network: ObservedNetwork): readonly NetworkPolicy[] {
  const ofSubnets = subnetsOf(network).flatMap(({ IpAddressPrefix: subnet, Policies = [] }) =>
    Policies.map((policy) => ({ ...policy, subnet })),
  );
  return [...(network.Policies ?? []), ...ofSubnets];
}

/** Finds the endpoints with an address, the load balancers that have it as frontend or source VIP, and the networks with this gateway. */
function findAddress(
  address: string,
  inventory: Inventory,
): Search<Pick<Subject, 'endpoints' | 'services' | 'networks'>> {
  const endpoints = inventory.endpoints
    .filter((endpoint) => addressesIn(endpoint).includes(address))
    .map((endpoint) => endpointDetail(endpoint, inventory));
  const services = loadBalancerRows(inventory).filter(
    ({ frontends, sourceVIP }) => frontends.includes(address) || sourceVIP === address,
  );
  const networks = networkRows(inventory).filter(({ subnets }) =>
    subnets.some(({ gateway }) => gateway === address),
  );
  return endpoints.length + services.length + networks.length === 0
    ? { problem: `HCN has no object with address ${address}` }
    : { found: { endpoints, services, networks } };
}
