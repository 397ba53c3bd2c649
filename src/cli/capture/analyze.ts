import { type ComparedHop, comparePath, type PredictedPath } from './compare-path.ts';
import { mergeComponents } from './component.ts';
import { type FlowEnds, type Hop, hopsFromCounters, hopsOf } from './hops.ts';
import type { CaptureLog } from './parse-log.ts';
import { type KnownObjects, placesOf } from './places.ts';
import type { Recorded } from './record.ts';

/** What a capture shows. */
export interface Findings {
  /** Sentences: the result, then where the observed path parts from the predicted one. */
  readonly says: readonly string[];
  /** Whether packets were lost, or took another path than predicted, or none was seen. */
  readonly isProblem: boolean;
  /** What each component saw, in the order of the path from the pod. */
  readonly hops: readonly Hop[];
  /** The predicted path beside it, one for each possible one; empty without a destination. */
  readonly predicted: readonly ComparedPath[];
}

export interface ComparedPath {
  readonly outcome: PredictedPath['outcome'];
  readonly hops: readonly ComparedHop[];
}

export interface Observation extends Pick<Recorded, 'components' | 'counts'> {
  /** Undefined if pktmon could not convert the log to text. */
  readonly log: CaptureLog | undefined;
  readonly seconds: number;
}

/** Counts the packets at each hop and compares them with the predicted paths. */
export function analyze(
  { components, counts, log, seconds }: Observation,
  known: KnownObjects,
  ends: FlowEnds,
  paths: readonly PredictedPath[],
): Findings {
  const merged = mergeComponents(log?.components ?? [], components);
  const places = placesOf(merged, known);
  const logged = log === undefined ? [] : hopsOf(log, places, ends);
  const counted = logged.length > 0 ? [] : hopsFromCounters(counts, places);
  const isCounted = counted.length > 0;
  const hops = isCounted ? counted : logged;
  const kinds = new Set([...places.values()].map(({ kind }) => kind));
  const sent = mostOf(hops, ({ sent: packets }) => packets);
  // Counters do not show which packets are from the pod, so there is nothing to compare.
  const compared = paths.map((path) => ({
    path,
    ...(isCounted ? comparePath(path, [], new Set()) : comparePath(path, hops, kinds)),
  }));
  // Of several possible paths, one that agrees is the one that was taken.
  const best = compared.find(({ agrees }) => agrees) ?? compared[0];
  const isUnsent = !isCounted && sent === 0 && paths.length > 0;
  const isLossy = hops.some(({ drops }) => drops.length > 0);
  return {
    says: [
      ...resultSentences(hops, seconds, isCounted),
      ...(best === undefined ? [] : [...(isUnsent || isCounted ? [] : [best.says]), best.prediction]),
    ],
    isProblem: hops.length === 0 || isUnsent || isLossy || best?.agrees === false,
    hops,
    predicted: compared.map(({ path, hops: beside }) => ({ outcome: path.outcome, hops: beside })),
  };
}

function resultSentences(hops: readonly Hop[], seconds: number, isCounted: boolean): readonly string[] {
  if (hops.length === 0)
    return [`No packet matched the filters in ${seconds} s. Send traffic during the capture.`];
  const sent = mostOf(hops, ({ sent: packets }) => packets);
  const received = mostOf(hops, ({ received: packets }) => packets);
  const drops = hops.flatMap(({ where, drops: here }) =>
    here.map(({ flow, packets, reason }) => {
      const count = `${packets} ${packets === 1 ? 'packet' : 'packets'}`;
      const verb = packets === 1 ? 'was' : 'were';
      return `${count} ${flowTexts[flow]}${verb} dropped at ${where}: ${reason || 'pktmon gives no reason'}.`;
    }),
  );
  if (isCounted) {
    const packets = mostOf(hops, ({ other }) => other);
    return [
      ...drops,
      `Seen: at least ${packets}. The counters of pktmon do not show which packets are from the pod.`,
    ];
  }
  return [
    ...drops,
    `Seen: ${sent} from the pod, ${received} to the pod${drops.length === 0 ? '; pktmon reports no drop' : ''}.`,
  ];
}

const flowTexts = { sent: 'from the pod ', received: 'to the pod ', other: '' } as const;

function mostOf(hops: readonly Hop[], count: (hop: Hop) => number): number {
  return Math.max(0, ...hops.map(count));
}
