import type { Diagnostic } from '../conflist/config-file.ts';
import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { widthOf } from '../terminal/wrap.ts';

/** Lines of a long text are cut at this width if the output has no other. */
const widest = 120;
const margin = 2;
const cut = '...';

/** The source lines of a diagnostic, indented and numbered, with a caret below its position; nothing without source lines. */
export function sourceExcerpt(
  { line, column, source = [] }: Diagnostic,
  { width, style }: Session,
): readonly string[] {
  const numbers = source.map((_, index) => String(line - source.length + 1 + index));
  const gutter = Math.max(0, ...numbers.map((number) => number.length));
  const room = Math.max(20, Math.min(width, widest) - margin - gutter - ' | '.length);
  const cuts = source.map((text, index) =>
    cutAround(text, index === source.length - 1 ? column - 1 : 0, room),
  );
  const indented = (number: string, text: string) =>
    `${' '.repeat(margin)}${number.padStart(gutter)} | ${text}`.trimEnd();
  return source.length === 0
    ? []
    : [
        ...cuts.map(({ text }, index) => indented(numbers[index] ?? '', text)),
        indented('', `${' '.repeat(cuts.at(-1)?.caret ?? 0)}${style('red', '^')}`),
      ];
}

/** The part of a line around an offset that fits into a width, printable and without tabs, and the columns before the offset. */
function cutAround(
  line: string,
  offset: number,
  width: number,
): { readonly text: string; readonly caret: number } {
  const before = printedCharacters(line.slice(0, offset));
  const after = printedCharacters(line.slice(offset));
  const isShort = widthOf(after.join('')) <= width / 2;
  const start = fitting(
    before.toReversed(),
    isShort ? width - widthOf(after.join('')) : Math.floor(width / 2),
  )
    .toReversed()
    .join('');
  const shownBefore = start.length < before.join('').length ? `${cut}${start}` : start;
  const end = fitting(after, width - widthOf(shownBefore)).join('');
  const shownAfter = end.length < after.join('').length ? `${end}${cut}` : end;
  return { text: `${shownBefore}${shownAfter}`, caret: widthOf(shownBefore) };
}

function printedCharacters(text: string): readonly string[] {
  return Array.from(text, (character) => (character === '\t' ? ' ' : printable(character)));
}

/** The first characters that fit into a width: all of them, or fewer with room for the sign of a cut. */
function fitting(characters: readonly string[], width: number): readonly string[] {
  if (widthOf(characters.join('')) <= width) return characters;
  let used = cut.length;
  const end = characters.findIndex((character) => {
    used += widthOf(character);
    return used > width;
  });
  return characters.slice(0, end);
}
