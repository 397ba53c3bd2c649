import type { EndpointId, Guid } from '../../hcn/guid.ts';
import type { Path, Hop as PredictedHop } from '../path/path.ts';
import type { Hop, HopDrop } from './hops.ts';
import type { PlaceKind } from './places.ts';

/** The predicted path of a packet from the pod. */
export type PredictedPath = Pick<Path, 'outcome' | 'because' | 'hops'>;

/** A predicted hop beside what pktmon saw there. */
export interface ComparedHop {
  /** As in `port shop/web`. */
  readonly hop: string;
  readonly predicted: string;
  /** Packets from the pod; absent if pktmon has no component for the hop. */
  readonly seen?: number;
  readonly drops: readonly HopDrop[];
}

/** Where the observed path ends, and whether that is the predicted one. */
export interface Comparison {
  readonly hops: readonly ComparedHop[];
  /** A sentence: where the observed path ends, or where the two part. */
  readonly says: string;
  /** A sentence: the predicted end. */
  readonly prediction: string;
  /** Whether the two agree as far as they are known. */
  readonly agrees: boolean;
}

/** The name of the adapter of a packet without a route (src/cli/path/adapter.ts). */
const noAdapter = 'none';

/** Compares a predicted path with the components that saw packets. */
export function comparePath(
  path: PredictedPath,
  seen: readonly Hop[],
  kinds: ReadonlySet<PlaceKind>,
): Comparison {
  const hops = path.hops.map((hop): ComparedHop => {
    const here = seen.filter((one) => isAt(hop, one));
    const isKnown = here.length > 0 || kinds.has(hop.place);
    return {
      hop: hopText(hop),
      predicted: [hop.did, ...(hop.rule === undefined ? [] : [`(${hop.rule})`])].join(' '),
      ...(isKnown && { seen: Math.max(0, ...here.map(({ sent }) => sent)) }),
      drops: here.flatMap(({ drops }) => drops.filter(({ flow }) => flow !== 'received')),
    };
  });
  return { hops, ...judge(path, hops, seen) };
}

function hopText({ place, name }: PredictedHop): string {
  if (place === 'adapter' && name === noAdapter) return 'routes of the node';
  return place === 'port' || name.startsWith('endpoint ') ? `${place} of ${name}` : `${place} ${name}`;
}

function isAt({ place, id, name }: PredictedHop, { kind, endpoint, where }: Hop): boolean {
  // The engine places a missing route at no adapter; TCP/IP reports it.
  if (place === 'adapter' && name === noAdapter) return kind === 'node';
  if (kind !== place) return false;
  if (endpoint !== undefined && id !== undefined) return sameId(endpoint, id);
  return place !== 'adapter' || where.endsWith(` ${name}`) || where.includes(` ${name},`);
}

function sameId(endpoint: EndpointId, id: Guid): boolean {
  return endpoint.toLowerCase() === id.toLowerCase();
}

function judge(
  path: PredictedPath,
  hops: readonly ComparedHop[],
  seen: readonly Hop[],
): Omit<Comparison, 'hops'> {
  const { outcome, because } = path;
  const isOpen = outcome === 'unknown';
  const isLost = outcome === 'lost';
  const judged = (agrees: boolean, says: string) => ({
    agrees: agrees || isOpen,
    says,
    prediction: `${predictions[outcome]}: ${because}`,
  });
  const isSent = ({ flow }: HopDrop) => flow === 'sent';
  const dropping = seen.find(({ drops }) => drops.some(isSent));
  if (dropping !== undefined) {
    const end = path.hops.at(-1);
    const isPredicted = isLost && end !== undefined && isAt(end, dropping);
    return judged(
      isPredicted,
      isPredicted
        ? `As predicted, packets are lost at ${dropping.where}.`
        : `The paths diverge at ${dropping.where}: packets are dropped there.`,
    );
  }
  const beyond = seen.find(
    (hop) => hop.sent > 0 && hop.kind !== 'other' && !path.hops.some((one) => isAt(one, hop)),
  );
  if (isLost && beyond !== undefined)
    return judged(false, `The paths diverge: packets were also seen at ${beyond.where}.`);
  const known = hops.filter((hop) => hop.seen !== undefined);
  const last = known.findLast((hop) => (hop.seen ?? 0) > 0);
  const missing = known[last === undefined ? 0 : known.indexOf(last) + 1];
  if (missing === undefined)
    return judged(
      true,
      `Packets were seen at all predicted hops${last === undefined ? '' : ` as far as ${last.hop}`}.`,
    );
  const isEnd = isLost && missing === hops.at(-1);
  const from = last === undefined ? '' : `last seen at ${last.hop}, and `;
  return judged(
    isEnd,
    `Packets were ${from}not seen at ${missing.hop}, without a drop: not all components of Windows report drops.`,
  );
}

const predictions: Readonly<Record<PredictedPath['outcome'], string>> = {
  arrives: 'Predicted to arrive',
  leaves: 'Predicted to leave the node',
  lost: 'Predicted to be lost',
  unknown: 'The prediction is uncertain',
};
