// The page of `win-hcn graph`: draws the embedded JSON and shows details of the selected object.

import type { GraphData } from '../graph-data.ts';
import { details } from './details.ts';
import { element } from './elements.ts';
import type { Filter } from './filter.ts';
import { header } from './header.ts';
import { enableArrowKeys, updateTabStop } from './keyboard.ts';
import { createLines, findLinks, keyOf, type ObjectRef, parseKey, relatedKeys } from './links.ts';
import { loadBalancerList } from './load-balancers.ts';
import { networkSection } from './networks.ts';
import { pageGraph } from './page-graph.ts';
import { showMatches } from './show-matches.ts';

const data: GraphData = JSON.parse(document.getElementById('graph')?.textContent ?? '');
const graph = pageGraph(data);
if (graph.node !== undefined) document.title = `win-hcn graph of ${graph.node}`;
const pane = element('section', { class: 'details', 'aria-label': 'details', tabindex: '-1' });
const { head, clear } = header(data, filter);
const side = element('div', 'side', pane, loadBalancerList(graph));
document.body.append(head, element('main', '', networkSection(graph), side));

const findAll = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
/** The elements of all objects, by key. */
const objects = new Map(findAll('[data-object]').map((object) => [object.dataset['object'] ?? '', object]));
const tiles = findAll('.tile');
/** Each list is a single tab stop. */
const lists = [tiles, findAll('.card')];
const lines = createLines(objects);
document.body.append(lines.canvas);
for (const list of lists) enableArrowKeys(list);
let selected: ObjectRef | undefined;
select(undefined);
filter({ search: '', conditions: [] });

/** Shows the details of an object, and highlights related objects. */
function select(next: ObjectRef | undefined): void {
  selected = next;
  const related = next ? relatedKeys(graph, next) : new Set<string>();
  const selectedKey = next && keyOf(next);
  document.body.classList.toggle('open', next !== undefined);
  document.body.classList.toggle('selecting', next !== undefined && next.kind !== 'network');
  for (const [key, object] of objects) {
    object.classList.toggle('selected', key === selectedKey);
    object.classList.toggle('related', related.has(key));
  }
  for (const button of findAll('[aria-pressed]'))
    button.setAttribute('aria-pressed', String(button.dataset['select'] === selectedKey));
  pane.replaceChildren(...details(graph, next));
  pane.scrollTop = 0;
  for (const key of [...related, selectedKey ?? '']) scrollInList(objects.get(key));
  if (selectedKey !== undefined && next?.kind === 'endpoint')
    objects.get(selectedKey)?.scrollIntoView({ block: 'nearest' });
  lines.draw(next ? findLinks(graph, next) : []);
}

/** Scrolls an object into view within its list, without scrolling the page. */
function scrollInList(object: HTMLElement | undefined): void {
  const list = object?.closest('.cards');
  if (!object || !list) return;
  const [inner, outer] = [object.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/** Shows the objects that match, and deselects an object that does not. */
function filter(next: Filter): void {
  showMatches(graph, next, objects);
  const isVisible = selected && objects.get(keyOf(selected))?.offsetParent !== null;
  if (selected && !isVisible) select(undefined);
  for (const list of lists) updateTabStop(list);
  lines.redraw();
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  if (target.closest('.clear')) clear();
  const button = target.closest<HTMLElement>('[data-select]');
  if (!button) return;
  const next = parseKey(button.dataset['select'] ?? '');
  if (pane.contains(button)) {
    followLink(next);
  } else {
    const isSelected = next && selected && keyOf(next) === keyOf(selected);
    select(isSelected ? undefined : next);
  }
});

/** Selects an object from the details, or closes them, and moves the keyboard focus to the object. */
function followLink(next: ObjectRef | undefined): void {
  const ref = next ?? selected;
  const object = ref && objects.get(keyOf(ref));
  select(next);
  object?.scrollIntoView({ block: 'nearest' });
  const canFocus = object instanceof HTMLButtonElement && object.offsetParent !== null;
  (canFocus ? object : pane).focus({ preventScroll: true });
}

document.addEventListener('keydown', (event) => {
  const search = document.getElementById('search');
  if (event.key === 'Escape' && selected) {
    if (pane.contains(document.activeElement)) followLink(undefined);
    else select(undefined);
  } else if (event.key === '/' && document.activeElement !== search) {
    event.preventDefault();
    search?.focus();
  }
});

let isScheduled = false;
const scheduleRedraw = () => {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    lines.redraw();
  });
};
new ResizeObserver(() => {
  document.documentElement.style.setProperty('--head', `${head.offsetHeight}px`);
  scheduleRedraw();
}).observe(head);
document.addEventListener('scroll', scheduleRedraw, { capture: true, passive: true });
addEventListener('resize', scheduleRedraw);
