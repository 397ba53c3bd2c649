import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { Inventory } from '../model/inventory.ts';
import { isRemote } from '../model/ownership.ts';
import {
  type Columns,
  endpointColumns,
  loadBalancerColumns,
  namespaceColumns,
  networkColumns,
  podColumns,
} from './inventory/columns.ts';
import { type EndpointRow, endpointRows } from './inventory/endpoint-row.ts';
import { findMissingEndpoints, type MissingEndpoints } from './inventory/missing-endpoints.ts';
import { loadBalancerRows, namespaceRows, networkRows } from './inventory/object-rows.ts';
import { endpointProblem, podRows, serviceProblem } from './inventory/pod-row.ts';
import { queryEndpoints, readInventory } from './inventory/read-inventory.ts';
import { newCommand } from './terminal/new-command.ts';
import { type FormatFlags, formatOption, kindNamed, otherNamesText } from './terminal/options.ts';
import { printableIn, serialized } from './terminal/output.ts';
import { exitCode, type Session, sessionFor } from './terminal/session.ts';
import { countText } from './terminal/short-text.ts';
import { rowsTable } from './terminal/table.ts';

/** The kinds of objects that `ls` lists. */
const kinds = ['pods', 'networks', 'endpoints', 'namespaces', 'services', 'leftovers'] as const;
type Kind = (typeof kinds)[number];

/** The kinds whose rows have a pod. */
const ofPods: readonly Kind[] = ['pods', 'endpoints', 'leftovers'];

/** All objects, for JSON and a support bundle. */
const objectKinds = ['networks', 'pods', 'endpoints', 'namespaces', 'services'] as const;

/** What a person wants to see first: `others` are the endpoints of no pod. */
const overview = ['networks', 'pods', 'others', 'services'] as const;

interface Flags extends FormatFlags {
  /** Of Kubernetes. */
  readonly namespace?: string;
  readonly problems?: boolean;
  readonly remote?: boolean;
}

/** `ls`: lists pods and the objects of HCN. */
export function lsCommand(session: Session): Command {
  return newCommand('ls', session, {
    summary: 'list pods, networks, endpoints, services or leftovers',
    description:
      'Lists networks, pods, endpoints of no pod, and services, or one kind of objects. A pod has a row for each interface; a ' +
      'running pod without an endpoint is a problem. Services are the load balancers of kube-proxy. Leftovers are endpoints ' +
      'that nothing needs any more; the endpoint of an ADD in progress looks like one for a moment. With --problems, the exit ' +
      'code is 1 if there are any. To refresh: while (1) { cls; win-hcn ls; sleep 2 }',
    examples: [
      'win-hcn ls',
      'win-hcn ls pods -n shop',
      'win-hcn ls --problems',
      'win-hcn ls endpoints --remote -o wide',
      '(win-hcn ls endpoints -o json | ConvertFrom-Json).endpoints | Where-Object health -ne ok',
    ],
  })
    .addArgument(
      new Argument('[kind]', `kind of objects, ${otherNamesText} (default: what pods use)`)
        .choices(kinds)
        .argParser(parseKind),
    )
    .option('-n, --namespace <namespace>', 'only pods of this Kubernetes namespace, and their endpoints')
    .option('--problems', 'only objects with a problem')
    .option('--remote', 'include remote endpoints (pods on other nodes)')
    .addOption(formatOption())
    .action((kind: Kind | undefined, flags: Flags, command: Command) => {
      if (flags.namespace !== undefined && kind !== undefined && !ofPods.includes(kind))
        return command.error(`win-hcn: --namespace applies to ${ofPods.join(', ')}`);
      return list(kind, flags, session);
    });
}

function parseKind(name: string): Kind {
  const kind = kindNamed(name, kinds);
  if (kind !== undefined) return kind;
  throw new InvalidArgumentError(`Allowed choices are ${kinds.join(', ')}.`);
}

async function list(kind: Kind | undefined, flags: Flags, session: Session): Promise<void> {
  const { output, namespace, problems = false, remote = false } = flags;
  const inventory = await readInventory(session);
  const missing = await findMissingEndpoints(inventory, () => queryEndpoints(session.system));
  const lists = listsOf(inventory, missing, { ...flags, remote });
  const isWanted = (one: Kind | 'others') =>
    namespace === undefined || one === 'others' || ofPods.includes(one);
  const shown = kind === undefined ? overview.filter(isWanted) : [kind];
  const members = kind === undefined ? objectKinds.filter(isWanted) : [kind];
  const rows = Object.fromEntries(members.map((one) => [one, lists[one].rows]));
  const text = () => shown.map((one) => lists[one].text(output === 'wide', sessionFor(session, output)));
  session.print(serialized(rows, output) ?? text().join('\n\n'));
  if (problems && members.some((one) => lists[one].rows.length > 0))
    session.setExitCode(exitCode.problemFound);
  const hidden = inventory.endpoints.filter(isRemote).length;
  if (!remote && hidden > 0 && members.includes('endpoints'))
    session.printStderr(`${countText(hidden, 'remote endpoint')} hidden: show all with --remote`);
  const unnamed = lists.pods.all.filter(({ pod }) => pod === undefined).length;
  if (namespace !== undefined && unnamed > 0)
    session.printStderr(`${countText(unnamed, 'pod')} with unknown name and namespace hidden`);
}

/** Returns a table of each kind of objects, with all rows and columns. */
export function listText(inventory: Inventory, missing: MissingEndpoints, session: Session): string {
  const lists = listsOf(inventory, missing, { remote: true });
  return objectKinds.map((kind) => lists[kind].text(true, session)).join('\n\n');
}

/** Returns the list of each kind: its rows, `all` before the selection of problems and namespaces, and its table, or that it is empty. */
function listsOf(
  inventory: Inventory,
  missing: MissingEndpoints,
  { namespace, problems, remote }: Omit<Flags, 'output'>,
) {
  const readable = inventory.unreadable === undefined ? '' : 'readable ';
  const isNamed = ({ pod }: { readonly pod?: string }) =>
    namespace === undefined || pod?.startsWith(`${namespace}/`) === true;
  const listOf = <Row>(
    noun: string,
    all: readonly Row[],
    columns: Columns<Row>,
    problemOf: (row: Row) => string | undefined,
    isSelected: (row: Row) => boolean = () => true,
  ) => {
    const checked = all.filter(isSelected);
    const rows = problems ? checked.filter((row) => problemOf(row) !== undefined) : checked;
    const empty =
      checked.length > 0
        ? `No problems in ${countText(checked.length, `${readable}${noun}`)}.`
        : `No ${readable}${noun}s.`;
    const text = (wide: boolean, session: Session) => {
      const cells = printableIn(rows).map((row) => columns(row, wide));
      return cells.length === 0 ? empty : rowsTable(cells, session);
    };
    return { rows, all, text };
  };
  const endpoints = endpointRows(inventory);
  const pods = podRows(endpoints, missing, inventory);
  const local = endpoints.filter((row) => remote || !row.remote);
  const problemOf = (row: EndpointRow) => endpointProblem(row, inventory);
  const listEndpoints = (noun: string, rows: readonly EndpointRow[]) =>
    listOf(noun, rows, endpointColumns, problemOf, isNamed);
  const lost = new Set(missing.namespaces.map(({ ID }) => ID));
  const inPods = new Set(pods.map(({ endpoint }) => endpoint));
  const rowOf = new Map(endpoints.map((row) => [row.id, row]));
  return {
    networks: listOf('network', networkRows(inventory), networkColumns, ({ ready }) =>
      ready ? undefined : 'not ready',
    ),
    pods: listOf('pod', pods, podColumns, ({ problem }) => problem, isNamed),
    endpoints: listEndpoints('endpoint', local),
    others: listEndpoints(
      'other endpoint',
      local.filter(({ id }) => !inPods.has(id)),
    ),
    namespaces: listOf('namespace', namespaceRows(inventory), namespaceColumns, (row) =>
      lost.has(row.id) ? 'no endpoint' : undefined,
    ),
    services: listOf('service', loadBalancerRows(inventory), loadBalancerColumns, (row) =>
      serviceProblem(row, rowOf, missing, inventory),
    ),
    leftovers: listEndpoints(
      'leftover',
      local.filter(({ leftover }) => leftover !== undefined),
    ),
  };
}
