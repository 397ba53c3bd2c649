import { isColumnNote } from '../terminal/table.ts';
import { widthOf } from '../terminal/wrap.ts';

/** Returns the lines of a terminal that a line takes. */
export function linesTaken(line: string, width: number): number {
  return Math.max(1, Math.ceil(widthOf(line) / width));
}

/** A table or another part of a text: its header stays, its rows can be hidden from the end. */
interface Block {
  readonly header: string;
  readonly rows: readonly string[];
  readonly shown: number;
  /** The note about hidden or shortened columns. */
  readonly notes: readonly string[];
}

/**
 * Fits a text of parts, with a blank line between two, into a number of lines. Notes about columns go first, then rows of the longest
 * part. A line below its header says how many rows are hidden. If the headers do not fit, the last parts are hidden.
 */
export function fitHeight(text: string, room: number, width: number): string {
  const heightOf = (lines: readonly string[]) =>
    lines.reduce((sum, line) => sum + linesTaken(line, width), 0);
  let blocks = text.split('\n\n').map(blockOf);
  if (heightOf(linesOf(blocks)) > room) blocks = blocks.map((block) => ({ ...block, notes: [] }));
  let tooHigh = heightOf(linesOf(blocks)) - room;
  while (tooHigh > 0) {
    const longest = blocks.reduce((most, block) => (block.shown > most.shown ? block : most));
    if (longest.shown === 0) return firstBlocks(blocks, (lines) => heightOf(lines) <= room).join('\n');
    const less = Math.max(1, Math.min(tooHigh, Math.floor(longest.shown / 4)));
    blocks = blocks.map((block) => (block === longest ? { ...block, shown: block.shown - less } : block));
    tooHigh = heightOf(linesOf(blocks)) - room;
  }
  return linesOf(blocks).join('\n');
}

/** The lines of as many parts as fit, and the number of rows in the others. */
function firstBlocks(
  blocks: readonly Block[],
  isFitting: (lines: readonly string[]) => boolean,
): readonly string[] {
  const candidates = blocks.map((_, count) => {
    const hidden = blocks.slice(count).reduce((sum, { rows }) => sum + rows.length, 0);
    return [...linesOf(blocks.slice(0, count)), ...(count === 0 ? [] : ['']), hiddenText(hidden)];
  });
  return candidates.findLast(isFitting) ?? candidates[0] ?? [];
}

function blockOf(text: string): Block {
  const [header = '', ...others] = text.split('\n');
  const note = others.findIndex(isColumnNote);
  const rows = note < 0 ? others : others.slice(0, note);
  return { header, rows, shown: rows.length, notes: note < 0 ? [] : others.slice(note) };
}

function linesOf(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap(({ header, rows, shown, notes }, index) => [
    ...(index === 0 ? [] : ['']),
    header,
    ...rows.slice(0, shown),
    ...(shown < rows.length ? [hiddenText(rows.length - shown)] : []),
    ...notes,
  ]);
}

function hiddenText(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'} hidden: enlarge the window`;
}
