import type { GraphData } from '../graph-data.ts';
import { element } from './element.ts';

/** What the colours and the words on the tiles mean. */
export function legend({ endpoints }: GraphData): HTMLElement {
  const owners = [...new Set(endpoints.map(({ owner }) => owner))];
  const mark = (condition: string, text: string) =>
    element('span', { class: 'tag', 'data-condition': condition }, text);
  return element(
    'aside',
    { class: 'legend', 'aria-label': 'legend' },
    ...owners.map((owner) =>
      key(element('span', { class: 'swatch', 'data-owner': owner }), `made by ${owner}`),
    ),
    key(mark('error', 'error'), 'HNS reports one'),
    key(mark('stale', 'stale'), 'a leftover'),
    key(element('span', { class: 'dashed' }), 'in no namespace of this node'),
  );
}

function key(sign: HTMLElement, text: string): HTMLElement {
  return element('span', { class: 'key' }, sign, text);
}
