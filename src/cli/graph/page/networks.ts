import { countText, shortGuid } from '../../terminal/short-text.ts';
import type { GraphEndpoint } from '../graph-data.ts';
import { breakable, countOf, element, objectButton } from './elements.ts';
import { endpointTexts } from './endpoint-name.ts';
import { hasCondition } from './filter.ts';
import { legend } from './legend.ts';
import { keyOf } from './links.ts';
import type { PageGraph } from './page-graph.ts';
import { groupByNetwork, type NetworkGroup, subnetTexts } from './presentation.ts';

/** The networks, each with its endpoints as tiles. */
export function networkSection(graph: PageGraph): HTMLElement {
  const groups = groupByNetwork(graph);
  const isOutside = outsideNamespaces(graph);
  return element(
    'section',
    { class: 'networks', 'aria-label': 'networks' },
    legend(graph, isOutside),
    ...(groups.length === 0
      ? [element('p', 'network none', 'HCN has no networks.')]
      : groups.map((group) => panel(group, isOutside))),
  );
}

/** Returns a function that tells whether an endpoint is in no namespace of this node. Unreadable namespaces count as existing. */
function outsideNamespaces({ namespaces, unreadable }: PageGraph): (endpoint: GraphEndpoint) => boolean {
  const ids = new Set([...namespaces, ...unreadable].map(({ id }) => id));
  return ({ namespace }) => namespace === undefined || !ids.has(namespace);
}

type IsOutside = ReturnType<typeof outsideNamespaces>;

function panel(group: NetworkGroup, isOutside: IsOutside): HTMLElement {
  const { id, network, absence, local, remote } = group;
  const name = network?.name ?? id;
  const problem = network ? (network.ready ? undefined : 'not ready') : absence;
  return element(
    'article',
    { class: 'network', 'data-object': keyOf({ kind: 'network', id }) },
    element(
      'h2',
      '',
      heading(group),
      network?.type ? element('span', 'type', network.type) : undefined,
      problem ? element('strong', { class: 'tag', 'data-condition': 'error' }, problem) : undefined,
    ),
    network ? networkFacts(network) : undefined,
    tiles(local, 'on this node', `endpoints of ${name} on this node`, isOutside),
    remote.length === 0
      ? undefined
      : tiles(remote, 'on other nodes', `endpoints of ${name} on other nodes`, isOutside),
  );
}

function heading({ id, network }: NetworkGroup): HTMLElement {
  const key = keyOf({ kind: 'network', id });
  return network
    ? element('button', { type: 'button', 'data-select': key, 'aria-pressed': 'false' }, network.name)
    : element('span', '', shortGuid(id));
}

function networkFacts(network: NonNullable<NetworkGroup['network']>): HTMLElement {
  const { adapter, providerAddress, owner, id } = network;
  const subnet = subnetTexts(network).join(', ');
  const texts = { subnet, adapter, 'provider address': providerAddress, owner, id: shortGuid(id) };
  return element(
    'dl',
    'facts',
    ...Object.entries(texts).flatMap(([name, text]) =>
      text ? [element('div', '', element('dt', '', name), element('dd', '', text))] : [],
    ),
  );
}

function tiles(
  endpoints: readonly GraphEndpoint[],
  where: string,
  label: string,
  isOutside: IsOutside,
): HTMLElement {
  const { length } = endpoints;
  return element(
    'div',
    { class: 'group', role: 'group', 'aria-label': label },
    element('h3', '', countOf(length), ` ${countText(length, 'endpoint').replace(/^\d+ /, '')} ${where}`),
    element(
      'div',
      'tiles',
      ...problemsFirst(endpoints).map((endpoint) => tile(endpoint, isOutside(endpoint))),
    ),
  );
}

/** Endpoints with errors, then leftovers, then the others. */
function problemsFirst(endpoints: readonly GraphEndpoint[]): readonly GraphEndpoint[] {
  const rank = (endpoint: GraphEndpoint) => {
    const condition = abnormal(endpoint);
    return condition === 'error' ? 0 : condition === 'leftover' ? 1 : 2;
  };
  return [...endpoints].sort((a, b) => rank(a) - rank(b));
}

/** An endpoint: its name, its address, and a tag if it is abnormal. Dashed if it is in no namespace of this node. */
function tile(endpoint: GraphEndpoint, isDashed: boolean): HTMLElement {
  const { id, name, container, namespace, owner, addresses } = endpoint;
  const texts = endpointTexts(endpoint);
  const condition = abnormal(endpoint);
  return objectButton(
    { kind: 'endpoint', id },
    {
      class: isDashed ? 'tile dashed' : 'tile',
      'data-owner': owner,
      'data-condition': condition,
      title: [
        texts.name,
        addresses.join(', '),
        container && `container ${container}`,
        namespace ? `namespace ${namespace}` : 'no namespace',
        name && `endpoint ${name}`,
        `owner: ${owner}`,
      ]
        .filter(Boolean)
        .join('\n'),
    },
    element('span', texts.isCode ? 'name code' : 'name', ...breakable(texts.name)),
    element('span', 'place code', texts.place),
    condition ? element('span', 'tag', condition) : undefined,
  );
}

function abnormal(endpoint: GraphEndpoint): 'error' | 'leftover' | undefined {
  if (hasCondition('error', endpoint)) return 'error';
  return hasCondition('leftover', endpoint) ? 'leftover' : undefined;
}
