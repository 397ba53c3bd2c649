import { element } from './elements.ts';
import { applyFilter, type Filter } from './filter.ts';
import { noMatchReasons } from './no-matches.ts';
import type { PageGraph } from './page-graph.ts';

/** Hides objects that do not match, counts those shown in each heading, and explains why if there are none. */
export function showMatches(
  graph: PageGraph,
  filter: Filter,
  objects: ReadonlyMap<string, HTMLElement>,
): void {
  const shown = applyFilter(graph, filter);
  const isFiltered = filter.search.trim() !== '' || filter.conditions.length > 0;
  document.body.classList.toggle('filtered', isFiltered);
  const reasons = isFiltered && shown.size === 0 ? noMatchReasons(graph, filter) : [];
  for (const [key, object] of objects) {
    if (!object.classList.contains('network')) object.hidden = !shown.has(key);
    else {
      object.hidden = reasons.length > 0;
      object.classList.toggle('unmatched', !shown.has(key));
    }
  }
  for (const count of document.querySelectorAll<HTMLElement>('[data-total]')) {
    const section = count.closest('.group, .list');
    const total = count.dataset['total'] ?? '';
    const visible = [...(section?.querySelectorAll<HTMLElement>('[data-object]:not([hidden])') ?? [])];
    const number = visible.reduce((sum, { dataset }) => sum + Number(dataset['count'] ?? 1), 0);
    section?.classList.toggle('unmatched', number === 0);
    count.textContent = String(number) === total ? total : `${number} of ${total}`;
  }
  explain(reasons);
  report(objects, isFiltered, reasons);
}

function explain(reasons: readonly string[]): void {
  document.querySelector('.no-matches')?.remove();
  if (reasons.length === 0) return;
  const clear = element('button', { type: 'button', class: 'clear' }, 'Clear search and filter');
  const searched = 'The search covers pods, containers, addresses, IDs, names, networks, owners and states.';
  document
    .querySelector('.networks')
    ?.append(
      element(
        'div',
        'no-matches',
        element('h2', '', 'No matches'),
        ...reasons.map((reason) => element('p', '', reason)),
        element('p', 'hint', searched),
        clear,
      ),
    );
}

/** Tells screen readers, too, how many endpoints are shown. */
function report(
  objects: ReadonlyMap<string, HTMLElement>,
  isFiltered: boolean,
  reasons: readonly string[],
): void {
  const output = document.getElementById('shown');
  const endpoints = [...objects].filter(([key]) => key.startsWith('endpoint '));
  const count = endpoints.filter(([, { hidden }]) => !hidden).length;
  if (reasons.length > 0)
    output?.replaceChildren('no matches', element('span', 'spoken', `: ${reasons.join(' ')}`));
  else output?.replaceChildren(isFiltered ? `${count} of ${endpoints.length} endpoints` : '');
}
