import type { LoadBalancerRow } from '../inventory/load-balancer-row.ts';
import type { NamespaceRow } from '../inventory/namespace-row.ts';
import { shortContainer, shortGuid } from '../inventory/short-text.ts';
import type { Session } from '../session.ts';
import { byNetwork, type NetworkGroup } from './by-network.ts';
import { type Branch, drawTree, type Part } from './draw-tree.ts';
import type { GraphData, GraphEndpoint } from './graph-data.ts';
import { absenceOf, bareAddresses, counted, frontendText, purposeOf, subnetTexts } from './labels.ts';

/** The picture as a tree of text: each network with its endpoints, then load balancers with their backends. */
export function treeText(graph: GraphData, remote: boolean, look: Pick<Session, 'width' | 'style'>): string {
  const groups = byNetwork(graph);
  const trees = [
    ...(groups.length === 0 ? [{ parts: [{ text: 'HCN has no networks.' }] }] : []),
    ...groups.map((group) => networkTree(group, remote)),
    ...graph.loadBalancers.map((row) => loadBalancerTree(row, graph)),
    ...emptyNamespaces(graph),
    ...unreadableTree(graph),
  ];
  return trees.map((tree) => drawTree(tree, look)).join('\n\n');
}

function networkTree({ id, network, absence, local, remote }: NetworkGroup, isRemoteShown: boolean): Branch {
  const hidden = isRemoteShown ? 0 : remote.length;
  const count = counted(hidden, 'remote endpoint');
  return {
    parts: network
      ? [
          { text: `network ${network.name}`, style: 'bold' },
          ...facts(shortGuid(id), network.type, ...subnetTexts(network), network.adapter, network.owner),
          ...(network.ready ? [] : [{ text: 'not ready', style: 'yellow' } as const]),
        ]
      : [
          { text: `network ${id}`, style: 'bold' },
          { text: `it is ${absence}`, style: 'yellow' },
        ],
    below: [
      ...aligned(isRemoteShown ? [...local, ...remote] : local, endpointCells, endpointNotes),
      ...(hidden > 0 ? [branch(`${count}: --remote shows ${hidden === 1 ? 'it' : 'them'}`)] : []),
      ...(local.length + remote.length === 0 ? [branch('no endpoints')] : []),
    ],
  };
}

function endpointCells(endpoint: GraphEndpoint): readonly string[] {
  const { namespace, remote, state } = endpoint;
  return [
    bareAddresses(endpoint).join(', ') || 'no address',
    purposeOf(endpoint),
    remote ? 'another node' : namespace === undefined ? 'no namespace' : `namespace ${shortGuid(namespace)}`,
    state,
  ];
}

function endpointNotes({ owner, health, stale }: GraphEndpoint): readonly Part[] {
  return [
    ...(owner === 'win-hcn' ? [] : facts(owner)),
    ...(health === 'ok' ? [] : [{ text: health, style: 'yellow' } as const]),
    ...(stale === undefined ? [] : [{ text: `stale: ${stale}`, style: 'yellow' } as const]),
  ];
}

function loadBalancerTree(row: LoadBalancerRow, graph: GraphData): Branch {
  const { id, frontends, ports, options, owner, backends } = row;
  const found = backends.map((backend) => graph.endpoints.find((endpoint) => endpoint.id === backend.id));
  return {
    parts: [
      { text: `load balancer ${shortGuid(id)}`, style: 'bold' },
      ...facts(frontendText(frontends), ports.join(', '), options.join(', '), owner),
      ...(backends.length === 0 ? [{ text: 'no backends', style: 'yellow' } as const] : []),
    ],
    below: [
      ...aligned(
        found.filter((endpoint) => endpoint !== undefined),
        (endpoint) => [
          bareAddresses(endpoint).join(', ') || 'no address',
          purposeOf(endpoint),
          `network ${endpoint.network}`,
        ],
        ({ remote }) => (remote ? facts('another node') : []),
      ),
      ...backends
        .filter((_, index) => found[index] === undefined)
        .map((backend) => branch(`endpoint ${backend.id} is ${absenceOf(backend.id, graph)}`, 'yellow')),
    ],
  };
}

function emptyNamespaces({ namespaces, unreadable }: GraphData): readonly Branch[] {
  const empty = namespaces.filter(({ endpoints }) => endpoints.length === 0);
  if (empty.length === 0) return [];
  const cells = ({ id, type }: NamespaceRow) => [
    shortGuid(id),
    type === 'HostDefault' ? "HostDefault, the node's own" : type,
  ];
  const notes = ({ containers }: NamespaceRow) => facts(containers.map(shortContainer).join(', '));
  const limit = unreadable.length === 0 ? '' : ' that could be read';
  const title = { text: `namespaces without endpoints${limit}`, style: 'bold' } as const;
  return [{ parts: [title], below: aligned(empty, cells, notes) }];
}

function unreadableTree({ unreadable }: GraphData): readonly Branch[] {
  if (unreadable.length === 0) return [];
  const title = { text: 'left out', style: 'bold' } as const;
  return [{ parts: [title], below: unreadable.map(({ error }) => branch(error, 'yellow')) }];
}

/** A branch for each row, with its cells below one another, and what else there is to say of it. */
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

/** Beyond this a cell has its own width: one long name pushes no other line to the right. */
const widestCell = 32;

function facts(...texts: readonly (string | undefined)[]): readonly Part[] {
  return texts.flatMap((text) => (text ? [{ text }] : []));
}

function branch(text: string, style?: Part['style']): Branch {
  return { parts: [{ text, ...(style !== undefined && { style }) }] };
}
