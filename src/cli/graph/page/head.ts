import type { GraphData } from '../graph-data.ts';
import { counted } from '../labels.ts';
import { element } from './element.ts';
import { type Condition, conditions, type Filter, isOf } from './matching.ts';

/** The top of the page: what it is, and how to find something on it. `change` is told of each new filter. */
export function head(graph: GraphData, change: (filter: Filter) => void): HTMLElement {
  const search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'container, address, id, name',
    'aria-label': 'search',
    'aria-keyshortcuts': '/',
    spellcheck: 'false',
  });
  const boxes = conditions.map((condition) => checkbox(graph, condition));
  const tell = () =>
    change({
      search: search.value,
      only: conditions.filter((_, index) => boxes[index]?.box.checked),
    });
  const form = element(
    'form',
    { role: 'search', autocomplete: 'off' },
    search,
    element('fieldset', {}, element('legend', {}, 'only'), ...boxes.map(({ label }) => label)),
    element('output', { id: 'shown', for: 'search' }),
  );
  form.addEventListener('input', tell);
  form.addEventListener('submit', (event) => event.preventDefault());
  return element('header', {}, title(graph), form);
}

function title(graph: GraphData): HTMLElement {
  const { taken, version, node, networks, endpoints, namespaces, loadBalancers } = graph;
  const counts = [
    counted(networks.length, 'network'),
    counted(endpoints.length, 'endpoint'),
    counted(namespaces.length, 'namespace'),
    counted(loadBalancers.length, 'load balancer'),
  ];
  const when = taken.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  return element(
    'div',
    {},
    element('h1', {}, node === undefined ? 'Host Compute Network' : `Host Compute Network of ${node}`),
    element('p', {}, 'taken ', element('time', { datetime: taken }, when), ` by win-hcn ${version}`),
    element('p', {}, counts.join(', ')),
  );
}

function checkbox({ endpoints }: GraphData, condition: Condition) {
  const count = endpoints.filter((endpoint) => isOf(condition, endpoint)).length;
  const box = element('input', {
    type: 'checkbox',
    name: condition,
    disabled: count === 0 ? '' : undefined,
  });
  const number = element('span', { class: 'count' }, String(count));
  return { box, label: element('label', { 'data-condition': condition }, box, condition, ' ', number) };
}
