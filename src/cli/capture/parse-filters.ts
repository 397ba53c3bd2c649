import { linesOf, nonEmptyLines } from './lines.ts';

/**
 * Reads the names of the filters in the output of `pktmon filter list`; undefined if it has an unknown form. A table has a row for each
 * filter, which starts with its number; without filters, one word follows the title. Windows translates titles, but not rows.
 */
export function parseFilterNames(output: string): readonly string[] | undefined {
  const lines = linesOf(output);
  const rule = lines.find((line) => /^\s*-(?: +-+)+\s*$/.test(line));
  const rows = lines.filter((line) => /^\s*\d+\s+\S/.test(line));
  if (rows.length === 0) return nonEmptyLines(output).length <= 2 ? [] : undefined;
  const [start, end] = rule === undefined ? [] : nameColumn(rule);
  return rows.map((row) =>
    start === undefined ? (/^\s*\d+\s+(\S+)/.exec(row)?.[1] ?? '') : row.slice(start, end).trim(),
  );
}

/** The columns of the second of the dashed lines below the titles. */
function nameColumn(rule: string): readonly [start: number, end: number | undefined] {
  const [, second, third] = [...rule.matchAll(/-+/g)];
  return [second?.index ?? 0, third?.index];
}
