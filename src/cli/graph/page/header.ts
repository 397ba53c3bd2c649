import { countText } from '../../terminal/short-text.ts';
import type { GraphData } from '../graph-data.ts';
import { element } from './elements.ts';
import { type Condition, conditions, type Filter, hasCondition } from './filter.ts';

/** The page header: title, counts and search. Calls `onFilter` with each new filter. `clear` shows everything again. */
export function header(
  graph: GraphData,
  onFilter: (filter: Filter) => void,
): { readonly head: HTMLElement; readonly clear: () => void } {
  const search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'pod, container, address or ID',
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
  const clear = () => {
    form.reset();
    notify();
    search.focus();
  };
  return { head: element('header', '', title(graph), form), clear };
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
    element('p', '', counts.join(', ')),
    element('p', '', 'snapshot taken ', element('time', { datetime: taken }, when), ` by win-hcn ${version}`),
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
