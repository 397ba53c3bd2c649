import type { GraphEndpoint } from '../graph-data.ts';
import { element } from './elements.ts';
import { type Condition, hasCondition } from './filter.ts';
import type { PageGraph } from './page-graph.ts';

/** Explains the signs on the tiles of the page, and no others. */
export function legend(
  { endpoints }: PageGraph,
  isDashed: (endpoint: GraphEndpoint) => boolean,
): HTMLElement {
  const owners = [...new Set(endpoints.map(({ owner }) => owner))];
  const tag = (condition: Condition, text: string) =>
    endpoints.some((endpoint) => hasCondition(condition, endpoint))
      ? [entry(element('span', { class: 'tag', 'data-condition': condition }, condition), text)]
      : [];
  return element(
    'aside',
    { class: 'legend', 'aria-label': 'legend' },
    ...(owners.length === 0 ? [] : [element('span', '', 'owner:')]),
    ...owners.map((owner) => entry(element('span', { class: 'swatch', 'data-owner': owner }), owner)),
    ...tag('error', 'HNS reports an error'),
    ...tag('leftover', 'unused endpoint'),
    ...(endpoints.some(isDashed) ? [entry(element('span', 'frame dashed'), 'in no namespace')] : []),
  );
}

function entry(sign: HTMLElement, text: string): HTMLElement {
  return element('span', 'key', sign, text);
}
