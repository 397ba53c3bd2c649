import { countText } from '../../inventory/short-text.ts';
import type { GraphData } from '../graph-data.ts';
import { element } from './elements.ts';
import { type Condition, conditions, type Filter, hasCondition } from './filter.ts';

/** The page header: title, counts and search. Calls `onFilter` with each new filter. */
export function header(graph: GraphData, onFilter: (filter: Filter) => void): HTMLElement {
  const search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'container, address, ID or name',
    'aria-label': 'search',
    'aria-keyshortcuts': '/',
    spellcheck: 'false',
  });
  const boxes = conditions.map((condition) => checkbox(graph, condition));
  const notify = () =>
    onFilter({
      search: search.value,
      conditions: conditions.filter((_, index) => boxes[index]?.box.checked),
    });
  const form = element(
    'form',
    { role: 'search', autocomplete: 'off' },
    search,
    element('fieldset', '', element('legend', '', 'show only'), ...boxes.map(({ label }) => label)),
    element('output', { id: 'shown', for: 'search' }),
  );
  form.addEventListener('input', notify);
  form.addEventListener('submit', (event) => event.preventDefault());
  return element('header', '', title(graph), form);
}

function title(graph: GraphData): HTMLElement {
  const { taken, version, node, networks, endpoints, namespaces, loadBalancers } = graph;
  const rows = {
    network: networks,
    endpoint: endpoints,
    namespace: namespaces,
    'load balancer': loadBalancers,
  };
  const counts = Object.entries(rows).map(([noun, { length }]) => countText(length, noun));
  const when = taken.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  return element(
    'div',
    '',
    element('h1', '', node === undefined ? 'Host Compute Network' : `Host Compute Network of ${node}`),
    element('p', '', 'snapshot taken ', element('time', { datetime: taken }, when), ` by win-hcn ${version}`),
    element('p', '', counts.join(', ')),
  );
}

function checkbox({ endpoints }: GraphData, condition: Condition) {
  const count = endpoints.filter((endpoint) => hasCondition(condition, endpoint)).length;
  const box = element('input', {
    type: 'checkbox',
    name: condition,
    disabled: count === 0 ? '' : undefined,
  });
  const number = element('span', 'count', String(count));
  return { box, label: element('label', { 'data-condition': condition }, box, condition, ' ', number) };
}
