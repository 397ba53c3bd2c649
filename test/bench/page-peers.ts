// The section of docs/performance.md about other plugins.

import { table } from '../markdown-table.ts';
import type { Comparison } from './peers.ts';
import type { Lane } from './run-lane.ts';
import type { Summary } from './statistics.ts';
import { megabytes, service } from './table.ts';

/** Compares median wall times, and the time per call at which win-hcn's fewer calls outweigh its slower start. */
export function otherPlugins(lanes: readonly Lane[], columnOf: (lane: Lane) => string): readonly string[] {
  const compared = lanes.filter(({ comparisons }) => comparisons.length > 0);
  return [
    '## Other plugins',
    '',
    'A plugin written in Go starts faster: win-bridge answers VERSION before the Node in win-hcn has started. win-hcn makes fewer HCN calls,',
    'which decide if HNS takes long for a call. A configuration is named after the `type` of its plugin.',
    '',
    ...(compared.length === 0 ? ['No other plugin was measured.', ''] : []),
    ...compared.flatMap((lane) => [
      `${columnOf(lane)}, ${service(lane.latency)}. Times are median wall times. The last column states how much longer each call must take`,
      'for win-hcn to be as fast as the plugin:',
      '',
      ...table(head, lane.comparisons.map(row)),
      '',
    ]),
  ];
}

const head = [
  'configuration',
  'request',
  'HCN calls',
  'of win-hcn',
  'ms',
  'of win-hcn',
  'MB',
  'of win-hcn',
  'equal at',
];

function row({ type, request, own, peer }: Comparison<Summary>): readonly string[] {
  const milliseconds = ({ wall }: Summary) => wall.median.toFixed(0);
  return [
    type,
    request,
    String(peer.hcnCalls),
    String(own.hcnCalls),
    milliseconds(peer),
    milliseconds(own),
    megabytes(peer),
    megabytes(own),
    equalAt(own, peer),
  ];
}

function equalAt(own: Summary, peer: Summary): string {
  const slower = own.wall.median - peer.wall.median;
  const saved = peer.hcnCalls - own.hcnCalls;
  if (slower <= 0) return 'faster';
  return saved > 0 ? `+${Math.ceil(slower / saved)} ms` : 'never';
}
