// The section of docs/performance.md about other plugins.

import { table } from '../markdown-table.ts';
import type { Comparison } from './peers.ts';
import type { Lane } from './run-lane.ts';
import type { Summary } from './statistics.ts';
import { megabytes, service } from './table.ts';

/** Compares median wall times, and the time per call at which win-hcn's fewer calls outweigh its slower start. */
export function otherPlugins(lanes: readonly Lane[], columnOf: (lane: Lane) => string): readonly string[] {
  const compared = lanes.filter(({ comparisons }) => comparisons.length > 0);
  if (compared.length === 0) return ['## Other plugins', '', 'No other plugin was measured.', ''];
  return [
    '## Other plugins',
    '',
    'The start of its program and its HCN calls decide how fast a plugin is. The plugins below are written in Go and do not start Node. A',
    'configuration is named after the `type` of its plugin. Times are median wall times. The last column is the time that each HCN call must',
    'take in addition for win-hcn to be as fast as the other plugin.',
    '',
    ...compared.flatMap((lane) => [
      `${columnOf(lane)}, ${service(lane.latency)}. A bare start takes ${wall(lane.bare)} ms.`,
      ...lane.comparisons.filter(({ request }) => request === 'VERSION').map(startSentence),
      '',
      ...table(head, lane.comparisons.map(row)),
      '',
    ]),
  ];
}

/** VERSION makes no HCN call, so its time is that of the start. */
function startSentence({ type, file, own, peer }: Comparison<Summary>): string {
  const comparison = own.wall.median > peer.wall.median ? 'faster' : 'no faster';
  return `\`${file}\` (${type}) starts ${comparison} than win-hcn: it answers VERSION in ${wall(peer)} ms, win-hcn in ${wall(own)} ms.`;
}

const head = [
  'configuration',
  'request',
  'HCN calls',
  'HCN calls of win-hcn',
  'ms',
  'ms of win-hcn',
  'MB',
  'MB of win-hcn',
  'equal at',
];

function row({ type, request, own, peer }: Comparison<Summary>): readonly string[] {
  return [
    type,
    request,
    String(peer.hcnCalls),
    String(own.hcnCalls),
    wall(peer),
    wall(own),
    megabytes(peer),
    megabytes(own),
    equalAt(own, peer),
  ];
}

const wall = (summary: Summary): string => summary.wall.median.toFixed(0);

function equalAt(own: Summary, peer: Summary): string {
  const slower = own.wall.median - peer.wall.median;
  const saved = peer.hcnCalls - own.hcnCalls;
  if (slower <= 0) return 'faster';
  return saved > 0 ? `+${Math.ceil(slower / saved)} ms` : 'never';
}
