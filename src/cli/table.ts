import { stripVTControlCharacters } from 'node:util';
import type { Session } from './session.ts';

/** Between two columns. */
const gap = '  ';

/** A head and rows in columns, without lines, each as wide as its longest cell. Cells may have styles and line breaks. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { style }: Pick<Session, 'style'>,
): string {
  const cells = [head.map((title) => style('bold', title)), ...rows].map((row) =>
    row.map((cell) => cell.split('\n')),
  );
  const widths = head.map((_, column) =>
    cells.reduce((most, row) => Math.max(most, ...(row[column] ?? []).map(widthOf)), 0),
  );
  return cells.flatMap((row) => linesOf(row, widths)).join('\n');
}

function linesOf(row: readonly (readonly string[])[], widths: readonly number[]): readonly string[] {
  const height = Math.max(1, ...row.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    row
      .map((lines, column) => padded(lines[at] ?? '', widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

function padded(line: string, width: number): string {
  return line + ' '.repeat(width - widthOf(line));
}

/** What takes two columns of a terminal, as the names of adapters may in East Asia. https://www.unicode.org/reports/tr11/ */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

function widthOf(line: string): number {
  const shown = stripVTControlCharacters(line);
  return shown.length + (shown.match(wide)?.length ?? 0);
}
