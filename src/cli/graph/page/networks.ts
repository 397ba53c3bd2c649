import { countText, shortContainer, shortGuid } from '../../inventory/short-text.ts';
import type { GraphData, GraphEndpoint } from '../graph-data.ts';
import { bareAddresses, groupByNetwork, type NetworkGroup, subnetTexts } from '../presentation.ts';
import { element, objectButton } from './elements.ts';
import { hasCondition } from './filter.ts';
import { keyOf } from './links.ts';

/** The networks, each with its endpoints as tiles. */
export function networkSection(graph: GraphData): HTMLElement {
  const groups = groupByNetwork(graph);
  return element(
    'section',
    { class: 'networks', 'aria-label': 'networks' },
    legend(graph),
    ...(groups.length === 0 ? [element('p', 'none', 'HCN has no networks.')] : groups.map(panel)),
  );
}

function panel(group: NetworkGroup): HTMLElement {
  const { id, network, absence, local, remote } = group;
  const name = network?.name ?? id;
  return element(
    'article',
    { class: 'network', 'data-object': keyOf({ kind: 'network', id }) },
    element(
      'h2',
      '',
      heading(group),
      network?.type ? element('span', 'badge', network.type) : undefined,
      network?.ready === false ? element('strong', 'warning', 'not ready') : undefined,
    ),
    network ? networkFacts(network) : element('p', 'facts', element('strong', 'warning', `${absence}`)),
    tiles(local, `${countText(local.length, 'endpoint')} on this node`, name),
    remote.length === 0
      ? undefined
      : tiles(remote, `${countText(remote.length, 'remote endpoint')} (pods on other nodes)`, name),
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

function tiles(endpoints: readonly GraphEndpoint[], title: string, network: string): HTMLElement {
  return element(
    'div',
    { class: 'group', role: 'group', 'aria-label': `endpoints of ${network}: ${title}` },
    element('h3', '', title),
    element('div', 'tiles', ...problemsFirst(endpoints).map(tile)),
  );
}

/** Endpoints with errors, then leftovers, then the others. */
function problemsFirst(endpoints: readonly GraphEndpoint[]): readonly GraphEndpoint[] {
  const rank = (endpoint: GraphEndpoint) =>
    hasCondition('error', endpoint) ? 0 : hasCondition('stale', endpoint) ? 1 : 2;
  return [...endpoints].sort((a, b) => rank(a) - rank(b));
}

/** An endpoint: its address, its container or name, and a tag for its condition. */
function tile(endpoint: GraphEndpoint): HTMLElement {
  const { id, name, container, owner, addresses } = endpoint;
  const [address = 'no address', ...others] = bareAddresses(endpoint);
  const label = container === undefined ? name || shortGuid(id) : shortContainer(container);
  const node = endpoint.remote && endpoint.providerAddress && `on ${endpoint.providerAddress}`;
  const tag = tagOf(endpoint);
  return objectButton(
    { kind: 'endpoint', id },
    {
      class: 'tile',
      'data-owner': owner,
      'data-condition': tag?.condition,
      title: [addresses.join(', '), name, owner].filter(Boolean).join('\n'),
    },
    element('span', 'address', others.length === 0 ? address : `${address} +${others.length}`),
    element('span', 'label', node || label),
    tag?.text ? element('span', 'tag', tag.text) : undefined,
  );
}

function tagOf({ health, stale, remote, owner, state }: GraphEndpoint) {
  if (health !== 'ok') return { text: 'error', condition: 'error' };
  if (stale !== undefined) return { text: 'stale', condition: 'stale' };
  if (remote) return { text: '', condition: 'remote' };
  if (owner === 'node') return { text: 'node', condition: 'node' };
  return state.startsWith('Attached') ? undefined : { text: state.toLowerCase(), condition: 'detached' };
}

function legend({ endpoints }: GraphData): HTMLElement {
  const owners = [...new Set(endpoints.map(({ owner }) => owner))];
  const tag = (condition: string, text: string) =>
    element('span', { class: 'tag', 'data-condition': condition }, text);
  return element(
    'aside',
    { class: 'legend', 'aria-label': 'legend' },
    ...owners.map((owner) =>
      legendEntry(element('span', { class: 'swatch', 'data-owner': owner }), `owner: ${owner}`),
    ),
    legendEntry(tag('error', 'error'), 'HNS reports an error'),
    legendEntry(tag('stale', 'stale'), 'leftover'),
    legendEntry(element('span', 'dashed'), 'not in a namespace of this node'),
  );
}

function legendEntry(sign: HTMLElement, text: string): HTMLElement {
  return element('span', 'key', sign, text);
}
