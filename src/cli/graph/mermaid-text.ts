import { podOf } from '../inventory/namespace-pods.ts';
import type { LoadBalancerRow, NamespaceRow } from '../inventory/object-rows.ts';
import { countText, shortContainer, shortGuid } from '../terminal/short-text.ts';
import type { GraphData, GraphEndpoint } from './graph-data.ts';
import {
  absenceOf,
  addressText,
  endpointLabel,
  frontendText,
  groupByNetwork,
  type NetworkGroup,
  subnetTexts,
} from './presentation.ts';

/** The name of an endpoint's node in the chart; undefined if it is not drawn. */
type NameOf = (endpoint: string) => string | undefined;

/**
 * The graph as a Mermaid flowchart. Nodes are named by number, so that text from HCN is only used in labels.
 * https://mermaid.js.org/syntax/flowchart.html
 */
export function mermaidText(graph: GraphData, remote: boolean): string {
  const groups = groupByNetwork(graph).map((group) => ({ ...group, drawn: drawnOf(group, remote) }));
  const names = new Map(groups.flatMap(({ drawn }) => drawn).map(({ id }, index) => [id, `e${index}`]));
  const nameOf: NameOf = (id) => names.get(id);
  return [
    'flowchart LR',
    ...groups.flatMap((group, index) => networkLines(group, group.drawn, `n${index}`, nameOf)),
    ...graph.namespaces.flatMap((row, index) => namespaceLines(row, `ns${index}`, nameOf)),
    ...graph.loadBalancers.flatMap((row, index) => loadBalancerLines(row, `lb${index}`, nameOf, graph)),
    ...graph.unreadable.map(
      ({ error }, index) => `  unreadable${index}[${label('unreadable', error)}]:::error`,
    ),
    '  classDef error fill:#fdecea,stroke:#b3261e,color:#410e0b',
    '  classDef leftover fill:#fff4d6,stroke:#8a6100,color:#3d2b00',
    '  classDef remote stroke-dasharray:4 3',
  ].join('\n');
}

function drawnOf({ local, remote }: NetworkGroup, isRemoteDrawn: boolean): readonly GraphEndpoint[] {
  return isRemoteDrawn ? [...local, ...remote] : local;
}

function networkLines(
  { id, network, absence, local, remote }: NetworkGroup,
  drawn: readonly GraphEndpoint[],
  name: string,
  nameOf: NameOf,
): readonly string[] {
  const hidden = local.length + remote.length - drawn.length;
  const title = label(
    network ? `network ${network.name}` : `network ${shortGuid(id)} (${absence})`,
    ...(network ? [network.type, ...subnetTexts(network), !network.ready && 'not ready'] : []),
    hidden > 0 && `${countText(hidden, 'remote endpoint')} not shown`,
  );
  return [
    `  subgraph ${name}[${title}]`,
    ...drawn.map((endpoint) => `    ${nameOf(endpoint.id)}[${endpointNode(endpoint)}]${classOf(endpoint)}`),
    '  end',
  ];
}

function endpointNode(endpoint: GraphEndpoint): string {
  const { owner, health, stale, remote } = endpoint;
  return label(
    addressText(endpoint),
    endpointLabel(endpoint),
    owner !== 'win-hcn' && `owner: ${owner}`,
    remote && 'remote',
    health !== 'ok' && health,
    stale !== undefined && `leftover: ${stale}`,
  );
}

function classOf({ health, stale, remote }: GraphEndpoint): string {
  if (health !== 'ok') return ':::error';
  if (stale !== undefined) return ':::leftover';
  return remote ? ':::remote' : '';
}

function namespaceLines(row: NamespaceRow, name: string, nameOf: NameOf): readonly string[] {
  const title = label(
    row.type === 'HostDefault' ? 'node namespace' : `namespace ${shortGuid(row.id)}`,
    ...row.containers.map((container) => {
      const pod = podOf(container, row.pods);
      return pod === undefined ? `container ${shortContainer(container)}` : `pod ${pod}`;
    }),
  );
  const edges = row.endpoints
    .flatMap(({ id }) => nameOf(id) ?? [])
    .map((endpoint) => `  ${endpoint} --- ${name}`);
  return [`  ${name}([${title}])`, ...edges];
}

function loadBalancerLines(
  { id, name: given, frontends, ports, backends }: LoadBalancerRow,
  name: string,
  nameOf: NameOf,
  graph: GraphData,
): readonly string[] {
  const known = new Set(graph.endpoints.map((endpoint) => endpoint.id));
  const hidden = backends.filter((backend) => known.has(backend.id) && nameOf(backend.id) === undefined);
  const title = label(
    `load balancer ${given ?? shortGuid(id)}`,
    frontendText(frontends),
    ports.join(', '),
    hidden.length > 0 && `${countText(hidden.length, 'remote backend')} not shown`,
    backends.length === 0 && 'no backends',
  );
  const absent = backends.filter((backend) => !known.has(backend.id));
  return [
    `  ${name}{{${title}}}${backends.length === 0 ? ':::error' : ''}`,
    ...backends.flatMap((backend) => nameOf(backend.id) ?? []).map((endpoint) => `  ${name} --> ${endpoint}`),
    ...absent.map(
      (backend, index) =>
        `  ${name} --> ${name}absent${index}[${label(shortGuid(backend.id), absenceOf(backend.id, graph))}]:::error`,
    ),
  ];
}

/** A label of several lines; `false` is left out. */
function label(...lines: readonly (string | false)[]): string {
  return `"${lines.flatMap((line) => (line ? escaped(line) : [])).join('<br>')}"`;
}

/** Escapes a text for Mermaid, Markdown and HTML. */
function escaped(text: string): string {
  return text.replaceAll(/[^\w .,:()/-]/gu, (character) => `#${character.codePointAt(0)};`);
}
