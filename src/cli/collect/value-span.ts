/** The position of a value in a text; `end` is exclusive. `quote` delimits a string, and is empty for other values. */
export interface ValueSpan {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

/** A string, list or object longer than this counts as unterminated. */
const longest = 65_536;

/** Where a value is: in JSON, where the enclosing list or object ends a word; in other text; or in a header, which contains spaces. */
export type Context = 'json' | 'word' | 'header';

/**
 * The value at `start`: a whole string, list or object; otherwise a word, or several words in a header. In text, a value whose name
 * starts the line extends to the end of the line and over the following lines that are indented more, as in YAML. Strings may be escaped,
 * as in JSON within JSON. An unterminated string, list or object extends to the end of the line.
 */
export function valueSpan(text: string, start: number, context: Context): ValueSpan {
  const open = quoteAt(text, start);
  if (open !== undefined) {
    const end = stringEnd(text, start, open);
    if (end !== undefined) return { start, end, quote: open };
    return { start, end: blockEnd(text, start) ?? lineEnd(text, start), quote: '' };
  }
  if ('[{'.includes(text[start] ?? ' '))
    return { start, end: structureEnd(text, start) ?? lineEnd(text, start), quote: '' };
  const block = context === 'json' ? undefined : blockEnd(text, start);
  if (block !== undefined) return { start, end: block, quote: '' };
  const word = words[context];
  word.lastIndex = start;
  return { start, end: start + (word.exec(text)?.[0].length ?? 0), quote: '' };
}

/**
 * In text, a word may contain `'`, and `,` and `;` unless another name follows. Credentials may follow an authentication scheme.
 */
const words: Readonly<Record<Context, RegExp>> = {
  json: /[^\s,\]}"'\\]*/y,
  word: /(?:(?:bearer|basic|digest|negotiate)[ \t]+)?(?:\\+(?![\\"'])|[^\s,;"'\\]|(?<=\w)'(?=\w)|[,;](?=[^\s,;"'\\])(?![A-Za-z][\w .-]{0,40}[:=]))*/iy,
  header: /[^"'\\\r\n]*/y,
};

const lineName = /(?:^|\n)([ \t]*)(?:- )?\w[\w.-]*[ \t]*[:=][ \t]*$/;

const nextLine = /\r?\n([^\r\n]+)/y;
/** The rest of a line of a block, after the indent of its name. */
const more = /^(?:[ \t]|- )./s;

/** The end of a value that fills the rest of its line; undefined if more than its name precedes it on the line. */
function blockEnd(text: string, start: number): number | undefined {
  const [, indent] = lineName.exec(text.slice(Math.max(0, start - 200), start)) ?? [];
  if (indent === undefined) return undefined;
  let end = lineEnd(text, start);
  for (;;) {
    nextLine.lastIndex = end;
    const [line = '', content = ''] = nextLine.exec(text) ?? [];
    if (!content.startsWith(indent) || !more.test(content.slice(indent.length))) return end;
    end += line.length;
  }
}
const quotes = /"""|'''|(\\{0,127})["']/y;

export function quoteAt(text: string, index: number): string | undefined {
  quotes.lastIndex = index;
  return quotes.exec(text)?.[0];
}

/** The end of the string at `start`, exclusive; undefined if it is unterminated. */
export function stringEnd(text: string, start: number, open: string): number | undefined {
  const mark = open.slice(-1);
  const isTriple = open.length === 3 && !open.startsWith('\\');
  const depth = open.length - 1;
  let backslashes = 0;
  for (let index = start + open.length; index < Math.min(text.length, start + longest); index += 1) {
    const character = text[index];
    if (isTriple && text.startsWith(open, index)) return index + open.length;
    if (character === '\n' && !isTriple) return undefined;
    // Each level of JSON within JSON doubles the backslashes and adds one. A quote ends the string of its own level.
    const ends = open === "'" || backslashes % (2 * (depth + 1)) === depth;
    if (character === mark && !isTriple && ends) return index + 1;
    backslashes = character === '\\' ? backslashes + 1 : 0;
  }
  return undefined;
}

function structureEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < Math.min(text.length, start + longest); index += 1) {
    const open = quoteAt(text, index);
    if (open !== undefined) {
      const end = stringEnd(text, index, open);
      if (end === undefined) return undefined;
      index = end - 1;
    } else if ('[{'.includes(text[index] ?? ' ')) depth += 1;
    else if (']}'.includes(text[index] ?? ' ')) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function lineEnd(text: string, start: number): number {
  const end = /\r?\n|$/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}
