import { isColumnNote } from '../table.ts';
import { widthOf } from '../wrap.ts';

/** Returns the lines of a terminal that a line takes. */
export function linesTaken(line: string, width: number): number {
  return Math.max(1, Math.ceil(widthOf(line) / width));
}

/** A table or another part of a text: its header stays, its rows can be hidden from the end. */
interface Block {
  readonly header: string;
  readonly rows: readonly string[];
  readonly shown: number;
  /** What the table says about its columns. */
  readonly notes: readonly string[];
}

/**
 * Fits a text of parts, with a blank line between two, into a number of lines. Notes about columns go first, then rows of the longest
 * part. A line below its header says how many rows are hidden. If the headers do not fit, the last parts are hidden.
 */
export function fitHeight(text: string, room: number, width: number): string {
  let blocks = text.split('\n\n').map(blockOf);
  const height = () => linesOf(blocks).reduce((sum, line) => sum + linesTaken(line, width), 0);
  if (height() > room) blocks = blocks.map((block) => ({ ...block, notes: [] }));
  let tooHigh = height() - room;
  while (tooHigh > 0) {
    const longest = blocks.reduce((most, block) => (block.shown > most.shown ? block : most));
    if (longest.shown === 0) break;
    const less = Math.max(1, Math.min(tooHigh, Math.floor(longest.shown / 4)));
    blocks = blocks.map((block) => (block === longest ? { ...block, shown: block.shown - less } : block));
    tooHigh = height() - room;
  }
  const lines = linesOf(blocks);
  if (tooHigh <= 0) return lines.join('\n');
  const hidden = blocks.reduce((sum, block) => sum + block.rows.length, 0);
  return [...lines.slice(0, Math.max(0, room - 1)), hiddenText(hidden)].join('\n');
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
