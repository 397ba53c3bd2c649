import CliTable from 'cli-table3';
import type { Session } from './session.ts';

/** A head and rows in columns, without lines, each as wide as its longest cell. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { style }: Session,
): string {
  const none = [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
  ];
  const between = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'];
  const drawn = new CliTable({
    chars: Object.fromEntries([...none, ...between].map((place) => [place, ''])),
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
  });
  drawn.push(
    head.map((title) => style('bold', title)),
    ...rows.map((row) => [...row]),
  );
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
