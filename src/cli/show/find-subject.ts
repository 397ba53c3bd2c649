import { addressesIn, type ObservedEndpoint, type Policy } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { subnetsOf } from '../../model/network-document.ts';
import { parseAddress } from '../../net/address.ts';
import { formatMac, parseMac } from '../../net/mac.ts';
import {
  type EndpointDetail,
  type EndpointRow,
  endpointDetail,
  endpointRow,
} from '../inventory/endpoint-row.ts';
import {
  type LoadBalancerRow,
  loadBalancerRows,
  type NamespaceRow,
  type NetworkRow,
  namespaceRows,
  networkRow,
  networkRows,
} from '../inventory/object-rows.ts';
import { findByKey, type Search } from '../inventory/resolve-object.ts';
import type { PodComparison } from './compare-pods.ts';
import { type ContainerSubject, findContainer, unknownPods } from './find-container.ts';
import type { PortSubject } from './port.ts';

/** The kinds of subjects in HCN. */
const objectKinds = ['pod', 'container', 'ip', 'endpoint', 'namespace', 'network', 'loadbalancer'] as const;
type ObjectKind = (typeof objectKinds)[number];

/** All kinds that `show` has. A port also has holders outside HCN: `port.ts` finds it. */
export const subjectKinds = [...objectKinds, 'port'] as const;

/** A policy of a network, or of one of its subnets, such as an Overlay network's VSID. */
export interface NetworkPolicy extends Policy {
  readonly subnet?: string;
}

/** What `show` shows. */
export type Subject =
  | ContainerSubject
  | PortSubject
  | PodComparison
  | {
      readonly kind: 'ip';
      readonly address: string;
      readonly endpoints: readonly EndpointDetail[];
      /** Those with this frontend or source VIP. */
      readonly loadBalancers: readonly LoadBalancerRow[];
      /** Those with this gateway. */
      readonly networks: readonly NetworkRow[];
    }
  | { readonly kind: 'endpoint'; readonly endpoint: EndpointDetail }
  | {
      readonly kind: 'namespace';
      readonly namespace: NamespaceRow;
      readonly endpoints: readonly EndpointRow[];
    }
  | {
      readonly kind: 'network';
      readonly network: NetworkRow;
      readonly policies: readonly NetworkPolicy[];
      readonly endpoints: readonly EndpointRow[];
    }
  | {
      readonly kind: 'loadbalancer';
      readonly loadBalancer: LoadBalancerRow;
      /** The backends that exist. */
      readonly endpoints: readonly EndpointRow[];
    };

/** Tables print this many characters of a GUID. A shorter prefix could be a name that is unknown, such as `db`. */
const shortestPrefix = 8;

/**
 * Finds the subject of any kind with this key: an IP or MAC address, else an ID or a name, else a prefix of an ID. Ignores case and
 * braces.
 */
export function findAnything(given: string, inventory: Inventory): Search<Subject> {
  const address = parseAddress(given);
  if (address !== undefined) return findSubject('ip', address, inventory);
  const mac = parseMac(given);
  const key = mac === undefined ? given : formatMac(mac);
  const kinds = objectKinds.filter((kind) => kind !== 'ip' && kind !== 'container');
  const search = (prefix: number) =>
    kinds
      .map((kind) => ({ kind, search: findSubject(kind, key, inventory, prefix) }))
      .filter((one) => 'found' in one.search || one.search.isAmbiguous);
  const exact = search(Number.POSITIVE_INFINITY);
  const [only, ...others] = exact.length > 0 ? exact : search(shortestPrefix);
  if (only === undefined) return { problem: `HCN has no object "${given}"${unknownPods(given, inventory)}` };
  if (others.length === 0) return only.search;
  const texts = [only, ...others].map(({ kind }) => `show ${kind} ${given}`);
  return { problem: `"${given}" matches several objects: use ${texts.join(' or ')}`, isAmbiguous: true };
}

/** Finds the subject of a kind with this key, or a prefix of its ID of at least `prefix` characters. In HCN a pod is its containers. */
export function findSubject(
  kind: ObjectKind,
  key: string,
  inventory: Inventory,
  prefix = 1,
): Search<Subject> {
  const rowsWhere = (isShown: (endpoint: ObservedEndpoint) => boolean) =>
    inventory.endpoints.filter(isShown).map((endpoint) => endpointRow(endpoint, inventory));
  switch (kind) {
    case 'pod':
    case 'container':
      return findContainer(key, inventory, prefix);
    case 'ip':
      return findAddress(key, inventory);
    case 'endpoint':
      return mapped(findByKey(kind, key, inventory.endpoints, prefix), (found) => ({
        kind,
        endpoint: endpointDetail(found, inventory),
      }));
    case 'namespace':
      return mapped(findByKey(kind, key, namespaceRows(inventory), prefix), (namespace) => ({
        kind,
        namespace,
        endpoints: rowsWhere(({ HostComputeNamespace }) => HostComputeNamespace === namespace.id),
      }));
    case 'network':
      return mapped(findByKey(kind, key, inventory.networks, prefix), (found) => ({
        kind,
        network: networkRow(found, inventory),
        policies: [
          ...(found.Policies ?? []),
          ...subnetsOf(found).flatMap(({ IpAddressPrefix: subnet, Policies = [] }) =>
            Policies.map((policy) => ({ ...policy, subnet })),
          ),
        ],
        endpoints: rowsWhere(({ HostComputeNetwork }) => HostComputeNetwork === found.ID),
      }));
    case 'loadbalancer':
      return mapped(findByKey('load balancer', key, loadBalancerRows(inventory), prefix), (loadBalancer) => ({
        kind,
        loadBalancer,
        endpoints: rowsWhere(({ ID }) => loadBalancer.backends.some(({ id }) => id === ID)),
      }));
  }
}

function mapped<T>(search: Search<T>, toSubject: (found: T) => Subject): Search<Subject> {
  return 'problem' in search ? search : { found: toSubject(search.found) };
}

function findAddress(key: string, inventory: Inventory): Search<Subject> {
  const address = parseAddress(key) ?? key;
  const endpoints = inventory.endpoints
    .filter((endpoint) => addressesIn(endpoint).includes(address))
    .map((endpoint) => endpointDetail(endpoint, inventory));
  const loadBalancers = loadBalancerRows(inventory).filter(
    ({ frontends, sourceVIP }) => frontends.includes(address) || sourceVIP === address,
  );
  const networks = networkRows(inventory).filter(({ subnets }) =>
    subnets.some(({ gateway }) => gateway === address),
  );
  return endpoints.length + loadBalancers.length + networks.length === 0
    ? { problem: `HCN has no object with address ${address}` }
    : { found: { kind: 'ip', address, endpoints, loadBalancers, networks } };
}
