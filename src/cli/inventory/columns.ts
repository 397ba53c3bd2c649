import { shortContainer, shortGuid } from '../terminal/short-text.ts';
import type { EndpointRow } from './endpoint-row.ts';
import type { LoadBalancerRow, NamespaceRow, NetworkRow } from './object-rows.ts';
import type { PodRow } from './pod-row.ts';

/** Returns the cells of a row in a table, by column title. */
export type Columns<Row> = (row: Row, wide: boolean) => Readonly<Record<string, string>>;

/** The columns of networks. */
export const networkColumns: Columns<NetworkRow> = (row, wide) => ({
  network: wide ? row.id : shortGuid(row.id),
  name: row.name,
  type: row.type,
  subnets: listed(row.subnets.map(({ subnet }) => subnet)),
  gateways: listed(row.subnets.flatMap(({ gateway }) => gateway ?? [])),
  adapter: row.adapter ?? '-',
  ...(wide && { 'provider address': row.providerAddress ?? '-' }),
  endpoints:
    row.remoteEndpoints === 0 ? String(row.endpoints) : `${row.endpoints} (${row.remoteEndpoints} remote)`,
  ready: row.ready ? 'yes' : 'no',
  owner: row.owner,
});

/** The columns of pods. */
export const podColumns: Columns<PodRow> = (row, wide) => ({
  pod: row.pod ?? (wide ? '-' : shortContainer(row.container)),
  ...(wide && { container: row.container, endpoint: row.endpoint ?? '-' }),
  interface: row.interface ?? '-',
  addresses: listed(row.addresses),
  network: row.network ?? '-',
  state: row.state ?? '-',
  problem: row.problem ?? '-',
});

/** The columns of endpoints. */
export const endpointColumns: Columns<EndpointRow> = (row, wide) => ({
  endpoint: wide ? row.id : shortGuid(row.id),
  ...(wide && { name: row.name || '-' }),
  pod: row.pod ?? (row.container === undefined || wide ? '-' : shortContainer(row.container)),
  ...(wide && { container: row.container ?? '-' }),
  interface: row.interface ?? '-',
  network: row.network,
  addresses: listed(row.addresses),
  MAC: row.macAddress || '-',
  namespace: row.namespace === undefined ? '-' : wide ? row.namespace : shortGuid(row.namespace),
  state: row.state,
  health: row.health,
  owner: row.remote ? `${row.owner} (remote)` : row.owner,
  leftover: row.leftover ?? '-',
});

/** The columns of namespaces. */
export const namespaceColumns: Columns<NamespaceRow> = (row, wide) => ({
  namespace: wide ? row.id : shortGuid(row.id),
  type: row.type,
  compartment: row.compartment === 0 ? '-' : String(row.compartment),
  pods: listed(
    wide
      ? (row.pods ?? []).map(({ pod }) => pod)
      : row.containers.map(
          (id) => row.pods?.find(({ container }) => container === id)?.pod ?? shortContainer(id),
        ),
  ),
  ...(wide && { containers: listed(row.containers) }),
  endpoints: listed(row.endpoints.map(({ id }) => (wide ? id : shortGuid(id)))),
  addresses: listed(row.endpoints.flatMap(({ addresses }) => addresses)),
});

/** The columns of load balancers. */
export const loadBalancerColumns: Columns<LoadBalancerRow> = (row, wide) => ({
  'load balancer': wide ? row.id : shortGuid(row.id),
  network: listed(row.networks),
  frontends: row.frontends.length === 0 ? "the node's addresses" : listed(row.frontends),
  ports: listed(row.ports),
  backends: listed(
    row.backends.map(({ id, addresses, state }) => {
      const backend = addresses.join('+') || (wide ? id : shortGuid(id));
      return state === 'Attached' && !wide ? backend : `${backend} (${state})`;
    }),
  ),
  ...(wide && { 'source VIP': row.sourceVIP ?? '-' }),
});

function listed(texts: readonly string[]): string {
  return texts.join(', ') || '-';
}
