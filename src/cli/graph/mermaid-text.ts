import type { LoadBalancerRow } from '../inventory/load-balancer-row.ts';
import type { NamespaceRow } from '../inventory/namespace-row.ts';
import { shortContainer, shortGuid } from '../inventory/short-text.ts';
import { byNetwork, type NetworkGroup } from './by-network.ts';
import type { GraphData, GraphEndpoint } from './graph-data.ts';
import { absenceOf, bareAddresses, counted, frontendText, purposeOf, subnetTexts } from './labels.ts';

/** What an endpoint is called in the chart; undefined of one that is not drawn. */
type NameOf = (endpoint: string) => string | undefined;

/**
 * The picture as a Mermaid flowchart. Its nodes are called by their order, so that no text from HCN is anything but a label.
 * https://mermaid.js.org/syntax/flowchart.html
 */
export function mermaidText(graph: GraphData, remote: boolean): string {
  const groups = byNetwork(graph).map((group) => ({ ...group, drawn: drawnOf(group, remote) }));
  const names = new Map(groups.flatMap(({ drawn }) => drawn).map(({ id }, index) => [id, `e${index}`]));
  const nameOf: NameOf = (id) => names.get(id);
  return [
    'flowchart LR',
    ...groups.flatMap((group, index) => networkLines(group, group.drawn, `n${index}`, nameOf)),
    ...graph.namespaces.flatMap((row, index) => namespaceLines(row, `ns${index}`, nameOf)),
    ...graph.loadBalancers.flatMap((row, index) => loadBalancerLines(row, `lb${index}`, nameOf, graph)),
    ...graph.unreadable.map(({ error }, index) => `  left${index}[${label('left out', error)}]:::wrong`),
    '  classDef wrong fill:#fdecea,stroke:#b3261e,color:#410e0b',
    '  classDef stale fill:#fff4d6,stroke:#8a6100,color:#3d2b00',
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
    hidden > 0 && `${counted(hidden, 'remote endpoint')} not drawn`,
  );
  return [
    `  subgraph ${name}[${title}]`,
    ...drawn.map((endpoint) => `    ${nameOf(endpoint.id)}[${endpointLabel(endpoint)}]${classOf(endpoint)}`),
    '  end',
  ];
}

function endpointLabel(endpoint: GraphEndpoint): string {
  const { owner, health, stale, remote } = endpoint;
  return label(
    bareAddresses(endpoint).join(', ') || 'no address',
    purposeOf(endpoint),
    owner !== 'win-hcn' && owner,
    remote && 'another node',
    health !== 'ok' && health,
    stale !== undefined && `stale: ${stale}`,
  );
}

function classOf({ health, stale, remote }: GraphEndpoint): string {
  if (health !== 'ok') return ':::wrong';
  if (stale !== undefined) return ':::stale';
  return remote ? ':::remote' : '';
}

function namespaceLines(row: NamespaceRow, name: string, nameOf: NameOf): readonly string[] {
  const title = label(
    row.type === 'HostDefault' ? "the node's namespace" : `namespace ${shortGuid(row.id)}`,
    ...row.containers.map((container) => `container ${shortContainer(container)}`),
  );
  const edges = row.endpoints
    .flatMap(({ id }) => nameOf(id) ?? [])
    .map((endpoint) => `  ${endpoint} --- ${name}`);
  return [`  ${name}([${title}])`, ...edges];
}

function loadBalancerLines(
  { id, frontends, ports, backends }: LoadBalancerRow,
  name: string,
  nameOf: NameOf,
  graph: GraphData,
): readonly string[] {
  const known = new Set(graph.endpoints.map((endpoint) => endpoint.id));
  const hidden = backends.filter((backend) => known.has(backend.id) && nameOf(backend.id) === undefined);
  const title = label(
    `load balancer ${shortGuid(id)}`,
    frontendText(frontends),
    ports.join(', '),
    hidden.length > 0 && `${counted(hidden.length, 'remote backend')} not drawn`,
    backends.length === 0 && 'no backends',
  );
  const absent = backends.filter((backend) => !known.has(backend.id));
  return [
    `  ${name}{{${title}}}${backends.length === 0 ? ':::wrong' : ''}`,
    ...backends.flatMap((backend) => nameOf(backend.id) ?? []).map((endpoint) => `  ${name} --> ${endpoint}`),
    ...absent.map(
      (backend, index) =>
        `  ${name} --> ${name}absent${index}[${label(shortGuid(backend.id), absenceOf(backend.id, graph))}]:::wrong`,
    ),
  ];
}

/** Lines of a label, but for those that are not to be. */
function label(...lines: readonly (string | false)[]): string {
  return `"${lines.flatMap((line) => (line ? escaped(line) : [])).join('<br>')}"`;
}

/** A text that Mermaid, Markdown and HTML take for nothing else. */
function escaped(text: string): string {
  return text.replaceAll(/[^\w .,:()/-]/gu, (character) => `#${character.codePointAt(0)};`);
}
