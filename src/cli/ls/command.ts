import { Argument, type Command } from 'commander';
import {
  type Columns,
  endpointColumns,
  expendable,
  loadBalancerColumns,
  namespaceColumns,
  networkColumns,
} from '../inventory/columns.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { loadBalancerRows } from '../inventory/load-balancer-row.ts';
import { look } from '../inventory/look.ts';
import { namespaceRows } from '../inventory/namespace-row.ts';
import { networkRows } from '../inventory/network-row.ts';
import { newCommand } from '../new-command.ts';
import { type Format, formatOption, serialized } from '../output.ts';
import { rowsTable } from '../rows-table.ts';
import { type Session, unbounded } from '../session.ts';

const kinds = ['networks', 'endpoints', 'namespaces', 'loadbalancers'] as const;
type Kind = (typeof kinds)[number];

interface Flags {
  readonly output?: Format;
  readonly remote?: boolean;
}

/** `ls`: what HCN has, as joined tables. */
export function lsCommand(session: Session): Command {
  return newCommand('ls', session, {
    summary: 'networks, endpoints, namespaces and load balancers, each with what it belongs to',
    description:
      'Lists what HCN has: endpoints with their container, network and namespace, who made them, and which are stale. Without a kind it ' +
      'lists all four. An endpoint of an ADD that is under way is in no namespace for a moment.',
    examples: [
      'win-hcn ls',
      'win-hcn ls endpoints',
      'win-hcn ls endpoints --remote -o wide',
      'win-hcn ls endpoints -o json | ConvertFrom-Json | Where-Object stale',
    ],
  })
    .addArgument(new Argument('[kind]', 'one kind of objects').choices(kinds))
    .addOption(formatOption())
    .option('--remote', 'show remote endpoints too, which stand for pods on other nodes')
    .action(async (kind: Kind | undefined, { output, remote = false }: Flags) => {
      const lists = listsOf(await look(session.system), remote);
      const shown = kind === undefined ? kinds : [kind];
      const rows = Object.fromEntries(kinds.map((one) => [one, lists[one].rows]));
      const text =
        serialized(kind === undefined ? rows : lists[kind].rows, output) ??
        shown.map((one) => lists[one].show(output === 'wide', session)).join('\n\n');
      session.print(text);
      if (lists.hidden > 0 && shown.includes('endpoints')) session.remark(hiddenNotice(lists.hidden));
    });
}

function listsOf(inventory: Inventory, remote: boolean) {
  const endpoints = endpointRows(inventory);
  const shown = endpoints.filter((row) => remote || !row.remote);
  return {
    hidden: endpoints.length - shown.length,
    networks: listOf(networkRows(inventory), networkColumns, expendable.networks, 'HCN has no networks.'),
    endpoints: listOf(
      shown,
      endpointColumns,
      expendable.endpoints,
      shown.length < endpoints.length ? 'HCN has no endpoints but remote ones.' : 'HCN has no endpoints.',
    ),
    namespaces: listOf(
      namespaceRows(inventory),
      namespaceColumns,
      expendable.namespaces,
      'HCN has no namespaces.',
    ),
    loadbalancers: listOf(
      loadBalancerRows(inventory),
      loadBalancerColumns,
      expendable.loadBalancers,
      'HCN has no load balancers.',
    ),
  };
}

/** Rows, and how people see them; `empty` is for when there are none. */
function listOf<Row>(
  rows: readonly Row[],
  columns: Columns<Row>,
  dispensable: readonly string[],
  empty: string,
) {
  return {
    rows,
    show: (wide: boolean, session: Session) =>
      rows.length === 0
        ? empty
        : rowsTable(
            rows.map((row) => columns(row, wide)),
            wide ? unbounded(session) : session,
            dispensable,
          ),
  };
}

function hiddenNotice(hidden: number): string {
  return hidden === 1
    ? '1 remote endpoint is hidden: --remote shows it'
    : `${hidden} remote endpoints are hidden: --remote shows them`;
}
