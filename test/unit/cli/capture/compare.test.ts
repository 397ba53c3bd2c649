import { describe, expect, test } from 'vitest';
import { compare, hopsOf, type PredictedPath } from '../../../../src/cli/capture/compare.ts';
import type { PacketEvent } from '../../../../src/cli/capture/parse-log.ts';
import type { Place, PlaceKind } from '../../../../src/cli/capture/places.ts';

const pod: Place = { kind: 'pod', label: 'adapter of pod web', endpoint: 'E1' };
const port: Place = { kind: 'port', label: 'port of pod web on n', endpoint: 'E1' };
const uplink: Place = { kind: 'adapter', label: 'adapter Ethernet' };
const stack: Place = { kind: 'node', label: 'TCP/IP of the node' };
const places = new Map([pod, port, uplink, stack].map((place, index) => [index + 1, place]));
const ends = { local: ['10.0.0.2'], remote: ['8.8.8.8'] };

/** A packet at a component: from the pod, unless it has other ends. */
function at(
  component: number,
  changes: Partial<PacketEvent> & { readonly from?: string; readonly to?: string } = {},
) {
  const { from = '10.0.0.2', to = '8.8.8.8', ...event } = changes;
  return { packet: 'a', component, ends: [{ source: from, destination: to }], ...event };
}

function path(
  outcome: PredictedPath['outcome'],
  ...hops: readonly (readonly [PlaceKind, string])[]
): PredictedPath {
  const packet = { source: '10.0.0.2', destination: '8.8.8.8' };
  return {
    outcome,
    because: 'of a rule.',
    hops: hops.map(([place, name]) => ({
      ...{ place: place as 'pod', name, did: 'sends it', rule: 'a rule', evidence: 'inferred', packet },
      ...(place === 'adapter' ? {} : { id: 'e1' }),
    })),
  };
}

const way = [
  ['pod', 'web'],
  ['port', 'endpoint web'],
  ['adapter', 'Ethernet'],
] as const;

function judged(events: readonly PacketEvent[], ...paths: readonly PredictedPath[]) {
  const { says, isProblem } = compare(hopsOf(events, places, ends), places, paths, 10);
  return { says, isProblem };
}

test('packets are counted once per component, by direction, in the order of the path', () => {
  const events = [
    at(4, { packet: 'r', from: '8.8.8.8', to: '10.0.0.2' }),
    at(1, { packet: 'r', from: '8.8.8.8', to: '10.0.0.2' }),
    at(2),
    at(2),
    at(2, { packet: 'b', drop: 'x' }),
    at(2, { packet: 'c', drop: 'x' }),
    at(9, { packet: 'o', ends: [{ source: '10.0.0.2', destination: '8.8.8.8', isArp: true }] }),
    at(9, { packet: 'p', from: '10.0.0.2', to: '1.1.1.1' }),
  ];
  const counts = { sent: 0, received: 0, other: 0, drops: [] };
  expect(hopsOf(events, places, ends)).toEqual([
    {
      ...counts,
      component: 2,
      kind: 'port',
      where: 'port of pod web on n',
      endpoint: 'E1',
      sent: 3,
      drops: [{ flow: 'sent', packets: 2, reason: 'x' }],
    },
    { ...counts, component: 9, kind: 'other', where: 'component 9', other: 2 },
    { ...counts, component: 1, kind: 'pod', where: 'adapter of pod web', endpoint: 'E1', received: 1 },
    { ...counts, component: 4, kind: 'node', where: 'TCP/IP of the node', received: 1 },
  ]);
});

describe('the observed path', () => {
  const leaves = path('leaves', ...way);
  const lost = path('lost', ...way.slice(0, 2));
  const seen = 'Seen: 1 from the pod, 0 to the pod; pktmon reports no drop.';
  const dropped = '1 packet from the pod was dropped at port of pod web on n: x.';

  test.each([
    [
      'agrees',
      [at(1), at(2), at(3)],
      [leaves],
      false,
      'Packets were seen at all predicted hops as far as adapter Ethernet.',
    ],
    [
      'ends before the predicted one',
      [at(1), at(2)],
      [leaves],
      true,
      'Packets were last seen at port of endpoint web, and not seen at adapter Ethernet, without a drop: not all components of Windows report drops.',
    ],
    [
      'ends where it is predicted',
      [at(1)],
      [lost],
      false,
      'Packets were last seen at pod web, and not seen at port of endpoint web, without a drop: not all components of Windows report drops.',
    ],
    [
      'goes on',
      [at(1), at(2), at(3)],
      [lost],
      true,
      'The paths diverge: packets were also seen at adapter Ethernet.',
    ],
    [
      'is one of several',
      [at(1), at(2), at(3)],
      [lost, leaves],
      false,
      'Packets were seen at all predicted hops as far as adapter Ethernet.',
    ],
    [
      'is not certain',
      [at(1)],
      [path('unknown', ...way)],
      false,
      'Packets were last seen at pod web, and not seen at port of endpoint web, without a drop: not all components of Windows report drops.',
    ],
    [
      'has no route',
      [at(1), at(4)],
      [path('lost', ['pod', 'web'], ['adapter', 'none'])],
      false,
      'Packets were seen at all predicted hops as far as routes of the node.',
    ],
  ])('%s', (_, events, paths, isProblem, says) => {
    const found = judged(events, ...paths);
    expect([found.isProblem, found.says.slice(0, 2)]).toEqual([isProblem, [seen, says]]);
  });

  test('with a drop is a problem, also where it is predicted', () => {
    const events = [at(1), at(2, { drop: 'x' })];
    expect(judged(events, lost)).toEqual({
      says: [
        dropped,
        'Seen: 1 from the pod, 0 to the pod.',
        'As predicted, packets are lost at port of pod web on n.',
        'Predicted to be lost: of a rule.',
      ],
      isProblem: true,
    });
    expect(judged(events, leaves).says[2]).toBe(
      'The paths diverge at port of pod web on n: packets are dropped there.',
    );
    expect(judged(events).says).toHaveLength(2);
  });

  test('has packets', () => {
    const none = 'No packet matched the filters in 10 s. Send traffic during the capture.';
    expect(judged([])).toEqual({ says: [none], isProblem: true });
    expect(judged([], leaves)).toEqual({
      says: [none, 'Predicted to leave the node: of a rule.'],
      isProblem: true,
    });
    const answers = [at(1, { from: '8.8.8.8', to: '10.0.0.2', drop: '' })];
    expect(judged(answers, path('arrives', ...way)).says).toEqual([
      '1 packet to the pod was dropped at adapter of pod web: pktmon gives no reason.',
      'Seen: 0 from the pod, 1 to the pod.',
      'Predicted to arrive: of a rule.',
    ]);
  });
});
