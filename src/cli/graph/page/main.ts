/** The page of `win-hcn graph --format html`: it draws the JSON in it, and shows what a person picks. */

import type { GraphData } from '../graph-data.ts';
import { keepReachable, moveByArrows } from './arrow-keys.ts';
import { details } from './details.ts';
import { element } from './element.ts';
import { head } from './head.ts';
import { newLines } from './lines.ts';
import { linksOf } from './links.ts';
import { type Filter, matching } from './matching.ts';
import { networkPanels } from './network-panels.ts';
import { keyOf, type Picked, pickedOf } from './picked.ts';
import { loadBalancerList, namespaceList } from './side-lists.ts';

const graph: GraphData = JSON.parse(document.getElementById('graph')?.textContent ?? '');
if (graph.node !== undefined) document.title = `win-hcn graph of ${graph.node}`;
const about = element('section', { class: 'details', 'aria-label': 'details', tabindex: '-1' });
const bar = head(graph, filter);
const beside = element('div', { class: 'beside' }, about, namespaceList(graph), loadBalancerList(graph));
document.body.append(bar, element('main', {}, networkPanels(graph), beside));

const allOf = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const places = new Map(allOf('[data-place]').map((place) => [place.dataset['place'] ?? '', place]));
const tiles = allOf('.tile');
/** Each is one stop of the Tab key. */
const lists = [tiles, allOf('.chip'), allOf('.card')];
const lines = newLines(places);
document.body.append(lines.canvas);
for (const list of lists) moveByArrows(list);
let picked: Picked | undefined;
pick(undefined);
filter({ search: '', only: [] });

/** Shows all there is of one thing, and what belongs to it. */
function pick(next: Picked | undefined): void {
  picked = next;
  const links = next ? linksOf(graph, next) : [];
  const related = new Set(links.flatMap(({ from, to }) => [keyOf(from), keyOf(to)]));
  const own = next && keyOf(next);
  document.body.classList.toggle('open', next !== undefined);
  document.body.classList.toggle('picking', next !== undefined && next.kind !== 'network');
  for (const [key, place] of places) {
    place.classList.toggle('picked', key === own);
    place.classList.toggle('related', key !== own && related.has(key));
  }
  for (const button of allOf('[aria-pressed]'))
    button.setAttribute('aria-pressed', String(button.dataset['pick'] === own));
  about.replaceChildren(...details(graph, next));
  about.scrollTop = 0;
  for (const key of [...related, own ?? '']) bringIntoList(places.get(key));
  if (own !== undefined && next?.kind === 'endpoint') places.get(own)?.scrollIntoView({ block: 'nearest' });
  lines.draw(links);
}

/** Scrolls the list that a place is in, and nothing else. */
function bringIntoList(place: HTMLElement | undefined): void {
  const around = place?.closest('.cards');
  if (!place || !around) return;
  const [inner, outer] = [place.getBoundingClientRect(), around.getBoundingClientRect()];
  if (inner.top < outer.top) around.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) around.scrollTop += inner.bottom - outer.bottom;
}

/** Leaves what matches, and the panels of networks with what is left in them. */
function filter(next: Filter): void {
  const shown = matching(graph, next);
  for (const [key, place] of places) if (!place.classList.contains('network')) place.hidden = !shown.has(key);
  const isEmpty = (around: HTMLElement) => around.querySelector('.tile:not([hidden])') === null;
  for (const group of allOf('.group')) group.hidden = isEmpty(group);
  for (const panel of allOf('.network')) panel.classList.toggle('without', isEmpty(panel));
  const count = tiles.filter((tile) => !tile.hidden).length;
  const output = document.getElementById('shown');
  if (output) output.textContent = count === tiles.length ? '' : `${count} of ${tiles.length} endpoints`;
  for (const list of lists) keepReachable(list);
  lines.redraw();
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-pick]') : null;
  if (!button) return;
  const next = pickedOf(button.dataset['pick'] ?? '');
  if (about.contains(button)) {
    follow(next);
  } else {
    const isAgain = next && picked && keyOf(next) === keyOf(picked);
    pick(isAgain ? undefined : next);
  }
});

/** From the details to another thing, or back to the page; the keyboard goes along. */
function follow(next: Picked | undefined): void {
  const to = next ?? picked;
  const place = to && places.get(keyOf(to));
  pick(next);
  place?.scrollIntoView({ block: 'nearest' });
  const isSeat = place instanceof HTMLButtonElement && place.offsetParent !== null;
  (isSeat ? place : about).focus({ preventScroll: true });
}

document.addEventListener('keydown', (event) => {
  const search = document.getElementById('search');
  if (event.key === 'Escape' && picked) {
    if (about.contains(document.activeElement)) follow(undefined);
    else pick(undefined);
  } else if (event.key === '/' && document.activeElement !== search) {
    event.preventDefault();
    search?.focus();
  }
});

let isDue = false;
const redrawSoon = () => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    lines.redraw();
  });
};
new ResizeObserver(() => {
  document.documentElement.style.setProperty('--head', `${bar.offsetHeight}px`);
  redrawSoon();
}).observe(bar);
document.addEventListener('scroll', redrawSoon, { capture: true, passive: true });
addEventListener('resize', redrawSoon);
