import { Argument, type Command, InvalidArgumentError } from 'commander';
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
import { readInventory } from './inventory/read-inventory.ts';
import { newCommand } from './terminal/new-command.ts';
import { type FormatFlags, formatOption, kindNamed, otherNamesText } from './terminal/options.ts';
import { printableIn, serialized } from './terminal/output.ts';
import { type Session, sessionFor } from './terminal/session.ts';
import { countText } from './terminal/short-text.ts';
import { rowsTable } from './terminal/table.ts';

/** The kinds of objects that `ls` lists. */
export const listKinds = ['networks', 'endpoints', 'namespaces', 'loadbalancers'] as const;
type ListKind = (typeof listKinds)[number];

/** `ls`: lists the objects of HCN, with the objects that they belong to. */
export function lsCommand(session: Session): Command {
  return newCommand('ls', session, {
    summary: 'list networks, endpoints, namespaces and load balancers',
    description:
      'Lists HCN objects. For endpoints, it shows the pod, network, namespace and owner, and marks leftovers. ' +
      'While an ADD is in progress, its endpoint has no namespace for a moment and is marked as a leftover, too. ' +
      'win-hcn show --help describes where pod names come from. To refresh the list, use a loop of PowerShell: ' +
      'while (1) { cls; win-hcn ls; sleep 2 }',
    examples: [
      'win-hcn ls',
      'win-hcn ls endpoints --remote -o wide',
      '(win-hcn ls endpoints -o json | ConvertFrom-Json).endpoints | Where-Object leftover',
    ],
  })
    .addArgument(
      new Argument('[kind]', `kind of objects, ${otherNamesText} (default: all)`)
        .choices(listKinds)
        .argParser(parseListKind),
    )
    .addOption(formatOption())
    .option('--remote', 'include remote endpoints (pods on other nodes)')
    .action(async (kind: ListKind | undefined, { output, remote = false }: ListFlags) => {
      const inventory = await readInventory(session);
      const kinds = kind === undefined ? listKinds : [kind];
      const lists = listsOf(inventory, remote);
      const rows = Object.fromEntries(kinds.map((one) => [one, lists[one].rows]));
      session.print(
        serialized(rows, output) ??
          listText(inventory, kinds, { remote, wide: output === 'wide' }, sessionFor(session, output)),
      );
      const hidden = inventory.endpoints.length - lists.endpoints.rows.length;
      if (hidden > 0 && kinds.includes('endpoints'))
        session.printStderr(`${countText(hidden, 'remote endpoint')} hidden: show all with --remote`);
    });
}

interface ListFlags extends FormatFlags {
  readonly remote?: boolean;
}

function parseListKind(name: string): ListKind {
  const kind = kindNamed(name, listKinds);
  if (kind !== undefined) return kind;
  throw new InvalidArgumentError(`Allowed choices are ${listKinds.join(', ')}.`);
}

/** Returns a table of each kind of objects, or that there are none. */
export function listText(
  inventory: Inventory,
  kinds: readonly ListKind[],
  { remote, wide }: { readonly remote: boolean; readonly wide: boolean },
  session: Session,
): string {
  const lists = listsOf(inventory, remote);
  const readable = inventory.unreadable === undefined ? '' : 'readable ';
  return kinds
    .map((kind) => {
      const { title, rows, cells } = lists[kind];
      return rows.length === 0 ? `No ${readable}${title}.` : rowsTable(cells(wide), session);
    })
    .join('\n\n');
}

/** Returns the rows of each kind, and their cells in a table. */
function listsOf(inventory: Inventory, remote: boolean) {
  const endpoints = endpointRows(inventory).filter((row) => remote || !row.remote);
  return {
    networks: listOf('networks', networkRows(inventory), networkColumns),
    endpoints: listOf('endpoints', endpoints, endpointColumns),
    namespaces: listOf('namespaces', namespaceRows(inventory), namespaceColumns),
    loadbalancers: listOf('load balancers', loadBalancerRows(inventory), loadBalancerColumns),
  };
}

function listOf<Row>(title: string, rows: readonly Row[], columns: Columns<Row>) {
  return { title, rows, cells: (wide: boolean) => printableIn(rows).map((row) => columns(row, wide)) };
}
