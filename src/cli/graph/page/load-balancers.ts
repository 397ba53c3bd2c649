import { countText } from '../../terminal/short-text.ts';
import { breakable, countOf, element, objectButton } from './elements.ts';
import type { PageGraph, ShownLoadBalancer } from './page-graph.ts';
import { goneBackendCounter } from './problems.ts';

/** Load balancers as cards. */
export function loadBalancerList(graph: PageGraph): HTMLElement {
  const countGone = goneBackendCounter(graph);
  const cards = graph.loadBalancers.map((row) => card(row, countGone(row)));
  const total = graph.loadBalancers.reduce((sum, { ids }) => sum + ids.length, 0);
  return element(
    'section',
    { class: 'list', 'aria-label': 'load balancers' },
    element('h2', '', 'Load balancers ', countOf(total)),
    element('div', 'cards', ...(cards.length === 0 ? [element('p', 'none', 'none')] : cards)),
  );
}

/** A load balancer: its title, its ports, and its backends. */
function card(row: ShownLoadBalancer, gone: number): HTMLElement {
  const { id, ids, name, title, frontends, ports, backends, options } = row;
  const hasError = gone > 0 || backends.length === 0;
  return objectButton(
    { kind: 'load balancer', id },
    {
      class: 'card',
      'data-condition': hasError ? 'error' : undefined,
      'data-count': String(ids.length),
      title: frontends.join(', ') || undefined,
    },
    element('span', name ? 'name' : 'name code', ...breakable(title)),
    name && frontends.length > 0 ? element('span', 'code', frontends.join(', ')) : undefined,
    element('span', 'code', ports.join(', ')),
    ids.length === 1 ? undefined : element('span', '', countText(ids.length, 'load balancer')),
    element(
      'span',
      'label',
      backends.length === 0 ? 'no backends' : countText(backends.length, 'backend'),
      gone === 0 ? '' : `, ${gone} gone`,
      options.includes('EnableDirectServerReturn') ? ', DSR' : '',
    ),
  );
}
