import CliTable from 'cli-table3';
import stringWidth from 'string-width';
import type { Session } from './session.ts';

/** Between two columns. */
const gap = 2;
/** The library needs the square of the rows that it draws at once. */
const rowsAtOnce = 50;

/** A head and rows in columns, without lines, each as wide as its longest cell. Cells may have styles and line breaks. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { style }: Pick<Session, 'style'>,
): string {
  const cells = [head.map((title) => style('bold', title)), ...rows];
  const widths = head.map((_, column) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0),
  );
  const blocks = cells.flatMap((_, index) =>
    index % rowsAtOnce === 0 ? [drawn(cells.slice(index, index + rowsAtOnce), widths)] : [],
  );
  return blocks.join('\n');
}

function drawn(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  const block = new CliTable({
    chars: Object.fromEntries(edges.map((edge) => [edge, ''])),
    colWidths: widths.map((width) => width + gap),
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] },
  });
  block.push(...rows.map((row) => [...row]));
  return block
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const sides = ['top', 'bottom', 'mid', 'left', 'right'];
const edges = ['middle', ...sides.flatMap((side) => [side, `${side}-left`, `${side}-mid`, `${side}-right`])];

function widthOf(cell: string): number {
  return Math.max(...cell.split('\n').map((line) => stringWidth(line)));
}
