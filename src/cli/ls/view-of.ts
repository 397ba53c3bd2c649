import type { Kind as ObjectKind } from '../../hcn/library.ts';
import type { Inventory } from '../../model/inventory.ts';
import {
  type Columns,
  endpointColumns,
  expendable,
  loadBalancerColumns,
  namespaceColumns,
  networkColumns,
} from '../inventory/columns.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import { loadBalancerRows } from '../inventory/load-balancer-row.ts';
import { namespaceRows } from '../inventory/namespace-row.ts';
import { networkRows } from '../inventory/network-row.ts';
import { unreadableWarnings } from '../inventory/read-inventory.ts';
import { shortGuid } from '../inventory/short-text.ts';
import { serialized } from '../output.ts';
import { printableIn } from '../printable.ts';
import { type Session, unbounded } from '../session.ts';
import { rowsTable } from '../table.ts';
import type { WatchFlags } from '../watch/option.ts';
import type { Entry, View } from '../watch/view.ts';

export const kinds = ['networks', 'endpoints', 'namespaces', 'loadbalancers'] as const;
export type Kind = (typeof kinds)[number];

export interface Flags extends WatchFlags {
  readonly remote?: boolean;
}

/** What a table calls its objects. */
const titles: Readonly<Record<ObjectKind, string>> = {
  Network: 'network',
  Endpoint: 'endpoint',
  Namespace: 'namespace',
  LoadBalancer: 'load balancer',
};

/** One kind of what HCN has, or all four. */
export function viewOf(inventory: Inventory, kind: Kind | undefined, { output, remote }: Flags): View {
  const lists = listsOf(inventory, remote ?? false);
  const shown = kind === undefined ? kinds : [kind];
  const rows = Object.fromEntries(kinds.map((one) => [one, lists[one].rows]));
  const isHidden = lists.hidden > 0 && shown.includes('endpoints');
  const unreadable = (inventory.unreadable ?? []).map((object) =>
    entryOf(object.id, { [titles[object.kind]]: shortGuid(object.id), readable: 'cannot be read' }),
  );
  return {
    text: (session) =>
      serialized(kind === undefined ? rows : lists[kind].rows, output) ??
      shown.map((one) => lists[one].show(output === 'wide', session)).join('\n\n'),
    entries: [...shown.flatMap((one) => lists[one].entries), ...unreadable],
    remarks: [...(isHidden ? [hiddenNotice(lists.hidden)] : []), ...unreadableWarnings(inventory)],
    isProblem: unreadable.length > 0,
  };
}

function listsOf(inventory: Inventory, remote: boolean) {
  const endpoints = endpointRows(inventory);
  const shown = endpoints.filter((row) => remote || !row.remote);
  const { unreadable = [] } = inventory;
  const nothing = (kind: ObjectKind) =>
    `HCN has no ${titles[kind]}s${unreadable.some((object) => object.kind === kind) ? ' that can be read' : ''}`;
  return {
    hidden: endpoints.length - shown.length,
    networks: listOf(networkRows(inventory), networkColumns, expendable.networks, `${nothing('Network')}.`),
    endpoints: listOf(
      shown,
      endpointColumns,
      expendable.endpoints,
      `${nothing('Endpoint')}${shown.length < endpoints.length ? ' but remote ones' : ''}.`,
    ),
    namespaces: listOf(
      namespaceRows(inventory),
      namespaceColumns,
      expendable.namespaces,
      `${nothing('Namespace')}.`,
    ),
    loadbalancers: listOf(
      loadBalancerRows(inventory),
      loadBalancerColumns,
      expendable.loadBalancers,
      `${nothing('LoadBalancer')}.`,
    ),
  };
}

/** Rows, and how people see them; `empty` is for when there are none. */
function listOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  columns: Columns<Row>,
  dispensable: readonly string[],
  empty: string,
) {
  const forPeople = printableIn(rows);
  return {
    rows,
    entries: forPeople.map((row) => entryOf(row.id, columns(row, false))),
    show: (wide: boolean, session: Session) =>
      rows.length === 0
        ? empty
        : rowsTable(
            forPeople.map((row) => columns(row, wide)),
            wide ? unbounded(session) : session,
            dispensable,
          ),
  };
}

/** The first column has the kind as its title, and the id that a person needs. */
function entryOf(id: string, columns: Readonly<Record<string, string>>): Entry {
  const [[kind, short] = ['', ''], ...cells] = Object.entries(columns);
  return { key: `${kind} ${id}`, name: `${kind} ${short}`, cells: Object.fromEntries(cells) };
}

function hiddenNotice(hidden: number): string {
  return hidden === 1
    ? '1 remote endpoint is hidden: --remote shows it'
    : `${hidden} remote endpoints are hidden: --remote shows them`;
}
