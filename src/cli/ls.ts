import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { Kind as ObjectKind } from '../hcn/guid.ts';
import type { Inventory } from '../model/inventory.ts';
import {
  type Columns,
  endpointColumns,
  loadBalancerColumns,
  namespaceColumns,
  networkColumns,
} from './inventory/columns.ts';
import { endpointRows } from './inventory/endpoint-row.ts';
import { loadBalancerRows, namespaceRows, networkRows } from './inventory/object-rows.ts';
import { unreadableWarnings } from './inventory/read-inventory.ts';
import { newCommand } from './terminal/new-command.ts';
import { formatOption, kindNamed, otherNamesText } from './terminal/options.ts';
import { printableIn, serialized } from './terminal/output.ts';
import { type Session, unbounded } from './terminal/session.ts';
import { rowsTable } from './terminal/table.ts';
import { showView, type View, type WatchFlags, watchOption } from './watch/watch.ts';

/** `ls`: lists the objects of HCN, with the objects that they belong to. */
export function lsCommand(session: Session): Command {
  return newCommand('ls', session, {
    summary: 'list networks, endpoints, namespaces and load balancers',
    description:
      'Lists HCN objects. For endpoints, it shows the pod, network, namespace and owner, and marks leftovers. ' +
      'While an ADD is in progress, its endpoint has no namespace for a moment and is marked as a leftover, too. ' +
      'win-hcn show --help describes where pod names come from.',
    examples: [
      'win-hcn ls',
      'win-hcn ls endpoints',
      'win-hcn ls endpoints --remote -o wide',
      'win-hcn ls endpoints --watch 5',
      '(win-hcn ls endpoints -o json | ConvertFrom-Json) | Where-Object stale',
    ],
  })
    .addArgument(
      new Argument('[kind]', `kind of objects, ${otherNamesText} (default: all)`)
        .choices(listKinds)
        .argParser(parseListKind),
    )
    .addOption(formatOption())
    .option('--remote', 'include remote endpoints (pods on other nodes)')
    .addOption(watchOption())
    .action((kind: ListKind | undefined, flags: ListFlags, command: Command) =>
      showView((inventory) => listView(inventory, kind, flags), flags, session, command),
    );
}

function parseListKind(name: string): ListKind {
  const kind = kindNamed(name, listKinds);
  if (kind !== undefined) return kind;
  throw new InvalidArgumentError(`Allowed choices are ${listKinds.join(', ')}.`);
}

export const listKinds = ['networks', 'endpoints', 'namespaces', 'loadbalancers'] as const;
export type ListKind = (typeof listKinds)[number];

export interface ListFlags extends WatchFlags {
  readonly remote?: boolean;
}

/** The names of the kinds in tables. */
const titles: Readonly<Record<ObjectKind, string>> = {
  Network: 'network',
  Endpoint: 'endpoint',
  Namespace: 'namespace',
  LoadBalancer: 'load balancer',
};

/** Returns the objects of one kind, or of all four. */
export function listView(
  inventory: Inventory,
  kind: ListKind | undefined,
  { output, remote = false }: ListFlags,
): View {
  const endpoints = endpointRows(inventory);
  const shownEndpoints = endpoints.filter((row) => remote || !row.remote);
  const hidden = endpoints.length - shownEndpoints.length;
  const { unreadable = [] } = inventory;
  const none = (of: ObjectKind, adjective: string) =>
    `HCN has ${adjective}${unreadable.some((object) => object.kind === of) ? 'readable ' : ''}${titles[of]}s.`;
  const lists = {
    networks: listOf(networkRows(inventory), networkColumns, none('Network', 'no ')),
    endpoints: listOf(shownEndpoints, endpointColumns, none('Endpoint', hidden > 0 ? 'only remote ' : 'no ')),
    namespaces: listOf(namespaceRows(inventory), namespaceColumns, none('Namespace', 'no ')),
    loadbalancers: listOf(loadBalancerRows(inventory), loadBalancerColumns, none('LoadBalancer', 'no ')),
  };
  const shown = kind === undefined ? listKinds : [kind];
  const rows = Object.fromEntries(listKinds.map((one) => [one, lists[one].rows]));
  return {
    text: (session) =>
      serialized(kind === undefined ? rows : lists[kind].rows, output) ??
      shown.map((one) => lists[one].show(output === 'wide', session)).join('\n\n'),
    warnings: [
      ...(hidden > 0 && shown.includes('endpoints') ? [hiddenNotice(hidden)] : []),
      ...unreadableWarnings(inventory),
    ],
    isProblem: unreadable.length > 0,
  };
}

/** Returns rows and their table. `empty` is the text without rows. */
function listOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  columns: Columns<Row>,
  empty: string,
) {
  const printed = printableIn(rows);
  return {
    rows,
    show: (wide: boolean, session: Session) =>
      rows.length === 0
        ? empty
        : rowsTable(
            printed.map((row) => columns(row, wide)),
            wide ? unbounded(session) : session,
          ),
  };
}

function hiddenNotice(hidden: number): string {
  return hidden === 1
    ? '1 remote endpoint is hidden: show it with --remote'
    : `${hidden} remote endpoints are hidden: show them with --remote`;
}
