// The measurements of a lane as a table of text.

import type { Latency } from '../simulator/latency.ts';
import { rowsCompared } from './peers.ts';
import type { Lane } from './run-lane.ts';
import { ratios, type Summary, type Times } from './statistics.ts';

/** The heads of the columns of `rowsOf`. */
export const head = [
  'request',
  'CPU ratio',
  'wall ratio',
  'memory ratio',
  'CPU ms',
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

/** Returns a ratio as text. */
export const ratio = (value: number): string => value.toFixed(2);
/** Returns times as text: minimum / median. */
export const milliseconds = ({ min, median }: Times): string => `${min.toFixed(1)} / ${median.toFixed(1)}`;
/** Returns memory as text. */
export const megabytes = ({ memoryKib }: Summary): string => ((memoryKib * 1024) / 1e6).toFixed(1);

/** Returns platform, form and latency as text. */
export function laneTitle({ platform, form, latency }: Lane): string {
  return `${platform}, ${form}, ${service(latency)}`;
}

/** Describes a service with this latency. */
export function service({ createMs, queryMs }: Latency): string {
  return createMs + queryMs === 0
    ? 'with a service that responds immediately'
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
