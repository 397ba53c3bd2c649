import type { LoadBalancerRow, NamespaceRow } from '../../inventory/object-rows.ts';
import { countText, shortContainer, shortGuid } from '../../inventory/short-text.ts';
import type { GraphData } from '../graph-data.ts';
import { frontendText } from '../presentation.ts';
import { element, objectButton } from './elements.ts';
import { goneBackendCounter } from './problems.ts';

/** Load balancers as cards. */
export function loadBalancerList(graph: GraphData): HTMLElement {
  const countGone = goneBackendCounter(graph);
  return section(
    'load-balancers',
    'Load balancers',
    graph.loadBalancers.map((row) => loadBalancerCard(row, countGone(row))),
  );
}

/** Namespaces as chips. */
export function namespaceList({ namespaces }: GraphData): HTMLElement {
  return section('namespaces', 'Namespaces', namespaces.map(namespaceChip));
}

function section(name: string, title: string, cards: readonly HTMLElement[]): HTMLElement {
  return element(
    'section',
    { class: `list ${name}`, 'aria-label': title.toLowerCase() },
    element('h2', '', title, ' ', element('span', 'count', String(cards.length))),
    element('div', 'cards', ...(cards.length === 0 ? [element('p', 'none', 'none')] : cards)),
  );
}

function loadBalancerCard(
  { id, frontends, ports, backends, options }: LoadBalancerRow,
  gone: number,
): HTMLElement {
  const hasError = gone > 0 || backends.length === 0;
  return objectButton(
    { kind: 'load balancer', id },
    { class: 'card', 'data-condition': hasError ? 'error' : undefined },
    element('span', 'address', frontendText(frontends)),
    element('span', 'ports', ports.join(', ')),
    element(
      'span',
      'label',
      backends.length === 0 ? 'no backends' : countText(backends.length, 'backend'),
      gone === 0 ? '' : `, ${gone} gone`,
      options.includes('EnableDirectServerReturn') ? ', DSR' : '',
    ),
  );
}

function namespaceChip({ id, type, containers, endpoints }: NamespaceRow): HTMLElement {
  const lines = [
    type,
    ...containers.map((one) => `container ${shortContainer(one)}`),
    countText(endpoints.length, 'endpoint'),
  ];
  const condition = endpoints.length === 0 ? 'detached' : undefined;
  return objectButton(
    { kind: 'namespace', id },
    { class: 'chip', 'data-condition': condition, title: lines.join('\n') },
    type === 'HostDefault' ? 'node' : shortGuid(id),
  );
}
