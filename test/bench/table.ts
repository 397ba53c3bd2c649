// The measurements of a lane as a table of text.

import type { Latency } from '../simulator/latency.ts';
import { rowsCompared } from './peers.ts';
import type { Lane } from './run-lane.ts';
import { ratios, type Summary, type Times } from './statistics.ts';

export const head = [
  'request',
  'cpu ratio',
  'wall ratio',
  'memory ratio',
  'cpu ms',
  'wall ms',
  'memory MB',
  'HCN calls',
  'IP Helper calls',
  'kB read',
];

/** Times are minimum and median. Ratios compare minimum times, and memory, to those of the bare start. */
export function rowsOf({ bare, oneCall, requests, comparisons }: Lane): readonly (readonly string[])[] {
  return [bare, oneCall, ...requests, ...rowsCompared(comparisons)].map((summary) => {
    const { cpu, wall, memory } = ratios(summary, bare);
    return [
      summary.name,
      ratio(cpu),
      ratio(wall),
      ratio(memory),
      milliseconds(summary.cpu),
      milliseconds(summary.wall),
      megabytes(summary),
      String(summary.hcnCalls),
      String(summary.ipHelperCalls),
      (summary.bytesRead / 1000).toFixed(0),
    ];
  });
}

export const ratio = (value: number): string => value.toFixed(2);
export const milliseconds = ({ min, median }: Times): string => `${min.toFixed(1)} / ${median.toFixed(1)}`;
export const megabytes = ({ memoryKib }: Summary): string => ((memoryKib * 1024) / 1e6).toFixed(1);

export function laneTitle({ platform, form, latency }: Lane): string {
  return `${platform}, ${form}, ${service(latency)}`;
}

export function service({ createMs, queryMs }: Latency): string {
  return createMs + queryMs === 0
    ? 'with a service that responds at once'
    : `with a service that takes ${queryMs} ms for a call and ${createMs} ms to create an object`;
}

/** The first column is aligned left, the others right. */
export function textTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, index) => pad(cell, index, widths[index] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

function pad(cell: string, index: number, width: number): string {
  return index === 0 ? cell.padEnd(width) : cell.padStart(width);
}
