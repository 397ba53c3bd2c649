import type { Link } from './links.ts';
import { keyOf } from './picked.ts';

const svg = 'http://www.w3.org/2000/svg';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Draws lines over the page between places that belong together; `redraw` after anything moved. */
export function newLines(places: ReadonlyMap<string, HTMLElement>) {
  const canvas = document.createElementNS(svg, 'svg');
  canvas.setAttribute('class', 'lines');
  canvas.setAttribute('aria-hidden', 'true');
  let links: readonly Link[] = [];
  const redraw = () => {
    const paths = links.flatMap(({ from, to }) => {
      const [a, b] = [boxOf(places.get(keyOf(from))), boxOf(places.get(keyOf(to)))];
      if (a === undefined || b === undefined) return [];
      const path = document.createElementNS(svg, 'path');
      path.setAttribute('d', curve(a, b));
      return [path];
    });
    canvas.replaceChildren(...paths);
  };
  const draw = (next: readonly Link[]) => {
    links = next;
    redraw();
  };
  return { canvas, draw, redraw };
}

/** Where a place is in the window, at the edge of the list around it where it is scrolled out of that; undefined of a hidden one. */
function boxOf(place: HTMLElement | undefined): Box | undefined {
  if (place === undefined || place.offsetParent === null) return undefined;
  const { left, right, top, bottom } = place.getBoundingClientRect();
  const around = place.closest('.cards')?.getBoundingClientRect();
  const clamp = (y: number) => (around ? Math.min(Math.max(y, around.top), around.bottom) : y);
  return { left, right, top: clamp(top), bottom: clamp(bottom) };
}

/** From side to side where one is beside the other, else from above to below. */
function curve(a: Box, b: Box): string {
  if (a.left > b.right) return curve(b, a);
  const [middleA, middleB] = [(a.top + a.bottom) / 2, (b.top + b.bottom) / 2];
  if (a.right <= b.left) {
    const bend = Math.max(24, (b.left - a.right) / 2);
    return `M${a.right} ${middleA}C${a.right + bend} ${middleA} ${b.left - bend} ${middleB} ${b.left} ${middleB}`;
  }
  const [upper, lower] = a.top <= b.top ? [a, b] : [b, a];
  const [x, y] = [(upper.left + upper.right) / 2, (lower.left + lower.right) / 2];
  const bend = Math.max(24, (lower.top - upper.bottom) / 2);
  return `M${x} ${upper.bottom}C${x} ${upper.bottom + bend} ${y} ${lower.top - bend} ${y} ${lower.top}`;
}
