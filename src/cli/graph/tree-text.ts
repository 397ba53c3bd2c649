import { podTexts } from '../inventory/namespace-pods.ts';
import type { LoadBalancerRow, NamespaceRow } from '../inventory/object-rows.ts';
import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { countText, shortGuid } from '../terminal/short-text.ts';
import type { GraphData, GraphEndpoint } from './graph-data.ts';
import {
  absenceOf,
  addressText,
  endpointLabel,
  frontendText,
  groupByNetwork,
  type NetworkGroup,
  namespaceTypeText,
  subnetTexts,
} from './presentation.ts';

/** The graph as a text tree: networks with their endpoints, then load balancers with their backends. */
export function treeText(
  graph: GraphData,
  remote: boolean,
  display: Pick<Session, 'width' | 'style'>,
): string {
  const groups = groupByNetwork(graph);
  const trees = [
    ...(groups.length === 0 ? [{ parts: facts('HCN has no networks.') }] : []),
    ...groups.map((group) => networkTree(group, remote)),
    ...graph.loadBalancers.map((row) => loadBalancerTree(row, graph)),
    ...emptyNamespaces(graph),
    ...unreadableTree(graph),
  ];
  return trees.map((tree) => drawTree(tree, display)).join('\n\n');
}

function networkTree({ id, network, absence, local, remote }: NetworkGroup, isRemoteShown: boolean): Branch {
  const hidden = isRemoteShown ? 0 : remote.length;
  return {
    parts: network
      ? [
          title(`network ${network.name}`),
          ...facts(
            shortGuid(id),
            network.type,
            ...subnetTexts(network),
            network.adapter,
            `owner: ${network.owner}`,
          ),
          ...(network.ready ? [] : [problem('not ready')]),
        ]
      : [title(`network ${id}`), problem(`${absence}`)],
    below: [
      ...aligned(isRemoteShown ? [...local, ...remote] : local, endpointCells, endpointNotes),
      ...(hidden > 0
        ? [{ parts: facts(`${countText(hidden, 'remote endpoint')} (include with --remote)`) }]
        : []),
      ...(local.length + remote.length === 0 ? [{ parts: facts('no endpoints') }] : []),
    ],
  };
}

function endpointCells(endpoint: GraphEndpoint): readonly string[] {
  const { namespace, remote, state } = endpoint;
  return [
    addressText(endpoint),
    endpointLabel(endpoint),
    remote ? 'remote' : namespace === undefined ? 'no namespace' : `namespace ${shortGuid(namespace)}`,
    state,
  ];
}

function endpointNotes({ owner, health, stale }: GraphEndpoint): readonly Part[] {
  return [
    ...(owner === 'win-hcn' ? [] : facts(`owner: ${owner}`)),
    ...(health === 'ok' ? [] : [problem(health)]),
    ...(stale === undefined ? [] : [problem(`leftover: ${stale}`)]),
  ];
}

function loadBalancerTree(row: LoadBalancerRow, graph: GraphData): Branch {
  const { id, name, frontends, ports, options, owner, backends } = row;
  const found = backends.map((backend) => graph.endpoints.find((endpoint) => endpoint.id === backend.id));
  return {
    parts: [
      title(`load balancer ${name ?? shortGuid(id)}`),
      ...facts(
        name && shortGuid(id),
        frontendText(frontends),
        ports.join(', '),
        options.join(', '),
        `owner: ${owner}`,
      ),
      ...(backends.length === 0 ? [problem('no backends')] : []),
    ],
    below: [
      ...aligned(
        found.filter((endpoint) => endpoint !== undefined),
        (endpoint) => [addressText(endpoint), endpointLabel(endpoint), `network ${endpoint.network}`],
        (endpoint) => backendNotes(backends.find((backend) => backend.id === endpoint.id)?.state),
      ),
      ...backends
        .filter((_, index) => found[index] === undefined)
        .map(({ id: gone }) => ({ parts: [problem(`endpoint ${gone} ${absenceOf(gone, graph)}`)] })),
    ],
  };
}

/** The state of a backend, unless it is attached to a namespace of this node. */
function backendNotes(state = ''): readonly Part[] {
  return state === 'Attached' ? [] : facts(state);
}

function emptyNamespaces({ namespaces, unreadable }: GraphData): readonly Branch[] {
  const empty = namespaces.filter(({ endpoints }) => endpoints.length === 0);
  if (empty.length === 0) return [];
  const cells = ({ id, type }: NamespaceRow) => [shortGuid(id), namespaceTypeText(type)];
  const notes = (row: NamespaceRow) => facts(podTexts(row).join(', '));
  const kind = unreadable.length === 0 ? 'endpoints' : 'readable endpoints';
  return [{ parts: [title(`namespaces without ${kind}`)], below: aligned(empty, cells, notes) }];
}

function unreadableTree({ unreadable }: GraphData): readonly Branch[] {
  if (unreadable.length === 0) return [];
  const below = unreadable.map(({ error }) => ({ parts: [problem(error)] }));
  return [{ parts: [title('unreadable')], below }];
}

/** A branch for each row, with its cells aligned in columns, followed by notes. */
function aligned<Row>(
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly string[],
  notesOf: (row: Row) => readonly Part[],
): readonly Branch[] {
  const table = rows.map(cellsOf);
  const lengths = (column: number) => table.map((cells) => cells[column]?.length ?? 0);
  const widthOf = (column: number) =>
    Math.max(0, ...lengths(column).filter((length) => length <= widestCell));
  const widths = table[0]?.map((_, column) => widthOf(column)) ?? [];
  return rows.map((row, index) => ({
    parts: [
      ...(table[index]?.map((text, column) => ({ text, width: widths[column] ?? 0 })) ?? []),
      ...notesOf(row),
    ],
  }));
}

/** Longer cells do not widen their column. */
const widestCell = 32;

/** The texts that are not empty. */
function facts(...texts: readonly (string | undefined)[]): readonly Part[] {
  return texts.flatMap((text) => (text ? [{ text }] : []));
}

function title(text: string): Part {
  return { text, style: 'bold' };
}

function problem(text: string): Part {
  return { text, style: 'yellow' };
}

interface Part {
  readonly text: string;
  readonly style?: Parameters<Session['style']>[0];
  /** Minimum width, in columns. */
  readonly width?: number;
}

/** A line of the tree, and the lines below it. */
interface Branch {
  readonly parts: readonly Part[];
  readonly below?: readonly Branch[];
}

type Display = Pick<Session, 'width' | 'style'>;

/**
 * Draws a tree as lines of ASCII. Long lines are wrapped and indented. Not Unicode: Node writes bytes to a Windows console, which
 * decodes them with its code page. https://nodejs.org/api/fs.html#fswritefd-string-position-encoding-callback
 */
export function drawTree(tree: Branch, display: Display): string {
  return draw(tree, '', '', display).join('\n');
}

function draw(
  { parts, below = [] }: Branch,
  first: string,
  indent: string,
  display: Display,
): readonly string[] {
  const next = `${indent}${below.length > 0 ? '|' : ' '}    `;
  return [
    ...flow(parts, first, next, display),
    ...below.flatMap((branch, index) =>
      index === below.length - 1
        ? draw(branch, `${indent}\`- `, `${indent}   `, display)
        : draw(branch, `${indent}|- `, `${indent}|  `, display),
    ),
  ];
}

const gap = '  ';

/** Wraps parts. A part that is longer than a line is split into words. */
function flow(
  parts: readonly Part[],
  first: string,
  next: string,
  { width, style }: Display,
): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let length = first.length;
  let space = '';
  const put = (text: string, partStyle: Part['style']): void => {
    if (line !== first && length + space.length + text.length > width) {
      lines.push(line);
      line = next;
      length = next.length;
      space = '';
    }
    line += space + (partStyle === undefined ? text : style(partStyle, text));
    length += space.length + text.length;
  };
  for (const { text: raw, style: partStyle, width: minimum = 0 } of parts) {
    const text = printable(raw);
    const words = next.length + text.length > width ? text.split(' ') : [text];
    for (const word of words) {
      put(word, partStyle);
      space = ' ';
    }
    space = gap.padEnd(gap.length + minimum - text.length);
  }
  return [...lines, line];
}
