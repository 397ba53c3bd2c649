import type { LoadBalancerRow } from '../../inventory/load-balancer-row.ts';
import type { NamespaceRow } from '../../inventory/namespace-row.ts';
import { shortContainer, shortGuid } from '../../inventory/short-text.ts';
import type { GraphData } from '../graph-data.ts';
import { counted, frontendText } from '../labels.ts';
import { element } from './element.ts';
import { keyOf } from './picked.ts';
import { goneFrom } from './problems.ts';

/** Load balancers as cards. */
export function loadBalancerList(graph: GraphData): HTMLElement {
  const isGone = goneFrom(graph);
  return list(
    'load-balancers',
    'Load balancers',
    graph.loadBalancers.map((row) => loadBalancerCard(row, row.backends.filter(isGone).length)),
  );
}

/** Namespaces as chips. */
export function namespaceList({ namespaces }: GraphData): HTMLElement {
  return list('namespaces', 'Namespaces', namespaces.map(namespaceChip));
}

function list(name: string, title: string, cards: readonly HTMLElement[]): HTMLElement {
  return element(
    'section',
    { class: name, 'aria-label': title.toLowerCase() },
    element('h2', {}, title, ' ', element('span', { class: 'count' }, String(cards.length))),
    element(
      'div',
      { class: 'cards' },
      ...(cards.length === 0 ? [element('p', { class: 'none' }, 'none')] : cards),
    ),
  );
}

function loadBalancerCard(
  { id, frontends, ports, backends, options }: LoadBalancerRow,
  gone: number,
): HTMLElement {
  const isWrong = gone > 0 || backends.length === 0;
  return element(
    'button',
    { ...common('load balancer', id), class: 'card', 'data-condition': isWrong ? 'error' : undefined },
    element('span', { class: 'address' }, frontendText(frontends)),
    element('span', { class: 'ports' }, ports.join(', ')),
    element(
      'span',
      { class: 'purpose' },
      backends.length === 0 ? 'no backends' : counted(backends.length, 'backend'),
      gone === 0 ? '' : `, ${gone} gone`,
      options.includes('EnableDirectServerReturn') ? ', DSR' : '',
    ),
  );
}

function namespaceChip({ id, type, containers, endpoints }: NamespaceRow): HTMLElement {
  const about = [
    type,
    ...containers.map((one) => `container ${shortContainer(one)}`),
    counted(endpoints.length, 'endpoint'),
  ];
  return element(
    'button',
    {
      ...common('namespace', id),
      class: 'chip',
      'data-condition': endpoints.length === 0 ? 'loose' : undefined,
      title: about.join('\n'),
    },
    type === 'HostDefault' ? 'node' : shortGuid(id),
  );
}

function common(kind: 'load balancer' | 'namespace', id: string) {
  const key = keyOf({ kind, id });
  return { type: 'button', 'aria-pressed': 'false', 'data-pick': key, 'data-place': key };
}
