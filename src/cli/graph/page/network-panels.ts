import { shortGuid } from '../../inventory/short-text.ts';
import { byNetwork, type NetworkGroup } from '../by-network.ts';
import type { GraphData, GraphEndpoint } from '../graph-data.ts';
import { counted, subnetTexts } from '../labels.ts';
import { element } from './element.ts';
import { legend } from './legend.ts';
import { isOf } from './matching.ts';
import { keyOf } from './picked.ts';
import { tile } from './tile.ts';

/** Each network with its endpoints as tiles. */
export function networkPanels(graph: GraphData): HTMLElement {
  const groups = byNetwork(graph);
  return element(
    'section',
    { class: 'networks', 'aria-label': 'networks' },
    legend(graph),
    ...(groups.length === 0 ? [element('p', { class: 'none' }, 'HCN has no networks.')] : groups.map(panel)),
  );
}

function panel(group: NetworkGroup): HTMLElement {
  const { id, network, absence, local, remote } = group;
  const name = network?.name ?? id;
  return element(
    'article',
    { class: 'network', 'data-place': keyOf({ kind: 'network', id }) },
    element(
      'h2',
      {},
      heading(group),
      badge(network?.type),
      network && !network.ready ? warning('not ready') : undefined,
    ),
    network ? facts(network) : element('p', { class: 'facts' }, warning(`it is ${absence}`)),
    tiles(local, `${counted(local.length, 'endpoint')} on this node`, name),
    remote.length === 0
      ? undefined
      : tiles(remote, `${counted(remote.length, 'remote endpoint')}, for pods on other nodes`, name),
  );
}

function heading({ id, network }: NetworkGroup): HTMLElement {
  const key = keyOf({ kind: 'network', id });
  return network
    ? element('button', { type: 'button', 'data-pick': key, 'aria-pressed': 'false' }, network.name)
    : element('span', {}, shortGuid(id));
}

function facts(network: NonNullable<NetworkGroup['network']>): HTMLElement {
  const { adapter, providerAddress, owner, id } = network;
  const texts = {
    subnet: subnetTexts(network).join(', '),
    adapter,
    'provider address': providerAddress,
    owner,
    id: shortGuid(id),
  };
  return element(
    'dl',
    { class: 'facts' },
    ...Object.entries(texts).flatMap(([name, text]) =>
      text ? [element('div', {}, element('dt', {}, name), element('dd', {}, text))] : [],
    ),
  );
}

function tiles(endpoints: readonly GraphEndpoint[], title: string, network: string): HTMLElement {
  return element(
    'div',
    { class: 'group', role: 'group', 'aria-label': `endpoints of ${network}: ${title}` },
    element('h3', {}, title),
    element('div', { class: 'tiles' }, ...problemsFirst(endpoints).map(tile)),
  );
}

/** What does not work, leftovers, and then the others. */
function problemsFirst(endpoints: readonly GraphEndpoint[]): readonly GraphEndpoint[] {
  const place = (endpoint: GraphEndpoint) => (isOf('error', endpoint) ? 0 : isOf('stale', endpoint) ? 1 : 2);
  return [...endpoints].sort((a, b) => place(a) - place(b));
}

function badge(text: string | undefined): HTMLElement | undefined {
  return text ? element('span', { class: 'badge' }, text) : undefined;
}

function warning(text: string): HTMLElement {
  return element('strong', { class: 'warning' }, text);
}
