import type { Session } from '../session.ts';

/** A text in one colour. */
export interface Part {
  readonly text: string;
  readonly style?: Parameters<Session['style']>[0];
  /** Columns that it takes at least. */
  readonly width?: number;
}

/** A line, and what hangs on it. */
export interface Branch {
  readonly parts: readonly Part[];
  readonly below?: readonly Branch[];
}

type Look = Pick<Session, 'width' | 'style'>;

/**
 * A tree as lines. What does not fit goes on in the next line, further in. It is drawn in ASCII: Node writes bytes to a console of
 * Windows, which takes them for its code page. https://nodejs.org/api/fs.html#fswritefd-string-position-encoding-callback
 */
export function drawTree(tree: Branch, look: Look): string {
  return draw(tree, '', '', look).join('\n');
}

function draw({ parts, below = [] }: Branch, first: string, indent: string, look: Look): readonly string[] {
  const next = `${indent}${below.length > 0 ? '|' : ' '}    `;
  return [
    ...flow(parts, first, next, look),
    ...below.flatMap((branch, index) =>
      index === below.length - 1
        ? draw(branch, `${indent}\`- `, `${indent}   `, look)
        : draw(branch, `${indent}|- `, `${indent}|  `, look),
    ),
  ];
}

const gap = '  ';

/** Parts in as many lines as they need. One that is too long for a line of its own is cut into words. */
function flow(
  parts: readonly Part[],
  first: string,
  next: string,
  { width, style }: Look,
): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let length = first.length;
  let space = '';
  const put = (text: string, colour: Part['style']): void => {
    if (line !== first && length + space.length + text.length > width) {
      lines.push(line);
      line = next;
      length = next.length;
      space = '';
    }
    line += space + (colour === undefined ? text : style(colour, text));
    length += space.length + text.length;
  };
  for (const { text: raw, style: colour, width: least = 0 } of parts) {
    const text = visible(raw);
    const words = next.length + text.length > width ? text.split(' ') : [text];
    for (const word of words) {
      put(word, colour);
      space = ' ';
    }
    space = gap.padEnd(gap.length + least - text.length);
  }
  return [...lines, line];
}

/** A text in which nothing moves the cursor, ends a line or turns the direction of writing. */
function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
