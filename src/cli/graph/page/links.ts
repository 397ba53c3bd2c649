import type { GraphData, GraphEndpoint } from '../graph-data.ts';

const kinds = ['network', 'endpoint', 'namespace', 'load balancer'] as const;

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

/** The links of an object: from load balancers to endpoints, and from those to namespaces. */
export function findLinks({ endpoints, loadBalancers }: GraphData, { kind, id }: ObjectRef): readonly Link[] {
  switch (kind) {
    case 'network':
      return [];
    case 'endpoint':
      return endpoints.filter((endpoint) => endpoint.id === id).flatMap(endpointLinks);
    case 'namespace':
      return endpoints.filter(({ namespace }) => namespace === id).flatMap(endpointLinks);
    case 'load balancer': {
      const backends =
        loadBalancers.find((one) => one.id === id)?.backends.map((backend) => backend.id) ?? [];
      return endpoints
        .filter((endpoint) => backends.includes(endpoint.id))
        .flatMap(endpointLinks)
        .filter(({ from }) => from.kind !== 'load balancer' || from.id === id);
    }
  }
}

function endpointLinks({ id, namespace, loadBalancers }: GraphEndpoint): readonly Link[] {
  const endpoint: ObjectRef = { kind: 'endpoint', id };
  return [
    ...loadBalancers.map((user) => ({ from: { kind: 'load balancer', id: user } as const, to: endpoint })),
    ...(namespace === undefined
      ? []
      : [{ from: endpoint, to: { kind: 'namespace', id: namespace } as const }]),
  ];
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
