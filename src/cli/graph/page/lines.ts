import { keyOf, type Link } from './object-links.ts';

const svg = 'http://www.w3.org/2000/svg';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A canvas over the page that draws lines between linked objects, given by key. Call `redraw` after elements moved. */
export function createLines(objects: ReadonlyMap<string, HTMLElement>) {
  const canvas = document.createElementNS(svg, 'svg');
  canvas.setAttribute('class', 'lines');
  canvas.setAttribute('aria-hidden', 'true');
  let links: readonly Link[] = [];
  const redraw = () => {
    const paths = links.flatMap(({ from, to }) => {
      const [a, b] = [boxOf(objects.get(keyOf(from))), boxOf(objects.get(keyOf(to)))];
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

/** An element's position in the window, clamped to its scrolling list; undefined if hidden. */
function boxOf(object: HTMLElement | undefined): Box | undefined {
  if (object === undefined || object.offsetParent === null) return undefined;
  const { left, right, top, bottom } = object.getBoundingClientRect();
  const list = object.closest('.cards')?.getBoundingClientRect();
  const clamp = (y: number) => (list ? Math.min(Math.max(y, list.top), list.bottom) : y);
  return { left, right, top: clamp(top), bottom: clamp(bottom) };
}

/** A curve between the sides of two boxes, or from top to bottom if they overlap horizontally. */
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
