import type { GraphEndpoint } from '../graph-data.ts';
import type { PageGraph } from './page-graph.ts';

const kinds = ['network', 'endpoint', 'load balancer'] as const;

export interface ObjectRef {
  readonly kind: (typeof kinds)[number];
  readonly id: string;
}

/** A reference as the text of an attribute. */
export function keyOf({ kind, id }: ObjectRef): string {
  return `${kind} ${id}`;
}

/** Reads the text of an attribute; undefined if it is not a reference. */
export function parseKey(key: string): ObjectRef | undefined {
  const kind = kinds.find((one) => key.startsWith(`${one} `));
  return kind && { kind, id: key.slice(kind.length + 1) };
}

export interface Link {
  readonly from: ObjectRef;
  readonly to: ObjectRef;
}

/** The links from load balancers to the endpoints that an object is or has. */
export function findLinks({ endpoints, loadBalancers }: PageGraph, { kind, id }: ObjectRef): readonly Link[] {
  switch (kind) {
    case 'network':
      return [];
    case 'endpoint':
      return (endpoints.find((endpoint) => endpoint.id === id)?.loadBalancers ?? []).map((user) =>
        link(user, id),
      );
    case 'load balancer':
      return (loadBalancers.find((one) => one.id === id)?.backends ?? []).map((backend) =>
        link(id, backend.id),
      );
  }
}

function link(loadBalancer: string, endpoint: string): Link {
  return { from: { kind: 'load balancer', id: loadBalancer }, to: { kind: 'endpoint', id: endpoint } };
}

/** The keys of the objects related to an object: those it is linked to, and the endpoints in the same namespace. */
export function relatedKeys(graph: PageGraph, ref: ObjectRef): ReadonlySet<string> {
  const linked = findLinks(graph, ref).flatMap(({ from, to }) => [keyOf(from), keyOf(to)]);
  const neighbors = ref.kind === 'endpoint' ? namespaceNeighbors(graph, ref.id) : [];
  const keys = new Set([...linked, ...neighbors.map(({ id }) => keyOf({ kind: 'endpoint', id }))]);
  keys.delete(keyOf(ref));
  return keys;
}

/** The other endpoints in the namespace of an endpoint. */
export function namespaceNeighbors({ endpoints }: PageGraph, id: string): readonly GraphEndpoint[] {
  const namespace = endpoints.find((endpoint) => endpoint.id === id)?.namespace;
  if (namespace === undefined) return [];
  return endpoints.filter((endpoint) => endpoint.namespace === namespace && endpoint.id !== id);
}

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
