// The measurements of a lane as a table.

import { table } from '../markdown-table.ts';
import type { Latency } from '../simulator/latency.ts';
import type { Form } from './form.ts';
import type { Lane } from './run-lane.ts';
import { ratios, type Times } from './statistics.ts';

const head = [
  'request',
  'CPU ratio',
  'memory ratio',
  'CPU ms',
  'wall ms',
  'memory MB',
  'HCN calls',
  'IP Helper calls',
  'kB read',
];

/** Times are minimum and median. Ratios compare minimum times, and memory, to those of the bare start. */
export function laneTable({ bare, oneCall, requests }: Lane): string {
  const rows = [bare, oneCall, ...requests].map((summary) => {
    const { cpu, memory } = ratios(summary, bare);
    return [
      summary.name,
      cpu.toFixed(2),
      memory.toFixed(2),
      milliseconds(summary.cpu),
      milliseconds(summary.wall),
      ((summary.memoryKib * 1024) / 1e6).toFixed(1),
      String(summary.hcnCalls),
      String(summary.ipHelperCalls),
      (summary.bytesRead / 1000).toFixed(0),
    ];
  });
  return table(head, rows).join('\n');
}

const milliseconds = ({ min, median }: Times): string => `${min.toFixed(1)} / ${median.toFixed(1)}`;

/** Returns platform and latency as text. */
export function laneTitle({ platform }: Form, { createMs, queryMs }: Latency): string {
  return createMs + queryMs === 0
    ? `${platform}, with a service that responds immediately`
    : `${platform}, with a service that takes ${queryMs} ms for a call and ${createMs} ms to create an object`;
}
