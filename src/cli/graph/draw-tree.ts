import type { Session } from '../session.ts';

/** A text with a style. */
export interface Part {
  readonly text: string;
  readonly style?: Parameters<Session['style']>[0];
  /** Minimum width, in columns. */
  readonly width?: number;
}

/** A line of the tree, and the lines below it. */
export interface Branch {
  readonly parts: readonly Part[];
  readonly below?: readonly Branch[];
}

type Display = Pick<Session, 'width' | 'style'>;

/**
 * Draws a tree as lines of ASCII. Long lines are wrapped and indented. Not Unicode: Node writes bytes to a Windows console, which
 * decodes them with its code page. https://nodejs.org/api/fs.html#fswritefd-string-position-encoding-callback
 */
export function drawTree(tree: Branch, display: Display): string {
  return draw(tree, '', '', display).join('\n');
}

function draw(
  { parts, below = [] }: Branch,
  first: string,
  indent: string,
  display: Display,
): readonly string[] {
  const next = `${indent}${below.length > 0 ? '|' : ' '}    `;
  return [
    ...flow(parts, first, next, display),
    ...below.flatMap((branch, index) =>
      index === below.length - 1
        ? draw(branch, `${indent}\`- `, `${indent}   `, display)
        : draw(branch, `${indent}|- `, `${indent}|  `, display),
    ),
  ];
}

const gap = '  ';

/** Wraps parts. A part that is longer than a line is split into words. */
function flow(
  parts: readonly Part[],
  first: string,
  next: string,
  { width, style }: Display,
): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let length = first.length;
  let space = '';
  const put = (text: string, partStyle: Part['style']): void => {
    if (line !== first && length + space.length + text.length > width) {
      lines.push(line);
      line = next;
      length = next.length;
      space = '';
    }
    line += space + (partStyle === undefined ? text : style(partStyle, text));
    length += space.length + text.length;
  };
  for (const { text: raw, style: partStyle, width: minimum = 0 } of parts) {
    const text = escapeControls(raw);
    const words = next.length + text.length > width ? text.split(' ') : [text];
    for (const word of words) {
      put(word, partStyle);
      space = ' ';
    }
    space = gap.padEnd(gap.length + minimum - text.length);
  }
  return [...lines, line];
}

/** Escapes characters that move the cursor, end a line or change the writing direction. */
function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
