/** A value in a text: from its first character to behind its last. `quote` is what a string begins and ends with. */
export interface ValueSpan {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

/** Nobody's secret is longer; what has no end by then has none. */
const longest = 65_536;

/** What a value is in: JSON, where a word ends with the list or the object around it; a text; a header, which has several words. */
export type Surrounding = 'json' | 'word' | 'header';

/**
 * The value that begins at a place: a string, a list or an object whole, else a word, or several in a header. Where its name begins a
 * line of a text, it goes on to the end of that line, and over the lines after it that are indented more, as in YAML. Strings may be
 * escaped, as JSON within JSON is. A string, a list or an object without an end goes on to the end of the line.
 */
export function valueSpan(text: string, start: number, surrounding: Surrounding): ValueSpan {
  const open = quoteAt(text, start);
  if (open !== undefined) {
    const end = stringEnd(text, start, open);
    if (end !== undefined) return { start, end, quote: open };
    return { start, end: blockEnd(text, start) ?? lineEnd(text, start), quote: '' };
  }
  if ('[{'.includes(text[start] ?? ' '))
    return { start, end: structureEnd(text, start) ?? lineEnd(text, start), quote: '' };
  const block = surrounding === 'json' ? undefined : blockEnd(text, start);
  if (block !== undefined) return { start, end: block, quote: '' };
  const word = new RegExp(words[surrounding]);
  word.lastIndex = start;
  return { start, end: start + (word.exec(text)?.[0].length ?? 0), quote: '' };
}

/**
 * In a text, `'` may be within a word, and so may `,` and `;` where no other name follows. The credentials of the header Authorization
 * come after a scheme.
 */
const words: Readonly<Record<Surrounding, RegExp>> = {
  json: /[^\s,\]}"'\\]*/y,
  word: /(?:(?:bearer|basic|digest|negotiate)[ \t]+)?(?:(?!\\*["'])[^\s,;]|(?<=\w)'(?=\w)|[,;](?=[^\s,;"'\\])(?![A-Za-z][\w .-]{0,40}[:=]))*/iy,
  header: /[^"'\\\r\n]*/y,
};

const lineName = /(?:^|\n)([ \t]*)(?:- )?\w[\w.-]*[ \t]*[:=][ \t]*$/;

/** The end of the value that is the rest of its line; undefined where something other than its name is before it in its line. */
function blockEnd(text: string, start: number): number | undefined {
  const [, indent] = lineName.exec(text.slice(Math.max(0, start - 200), start)) ?? [];
  if (indent === undefined) return undefined;
  const more = new RegExp(`(?:\\r?\\n${indent}(?:[ \\t]+|- )[^\\r\\n]+)*`, 'y');
  more.lastIndex = lineEnd(text, start);
  return more.lastIndex + (more.exec(text)?.[0].length ?? 0);
}
const quotes = /"""|'''|(\\{0,127})["']/y;

function quoteAt(text: string, place: number): string | undefined {
  quotes.lastIndex = place;
  return quotes.exec(text)?.[0];
}

/** Behind the end of the string that begins here; undefined for one that does not end. */
function stringEnd(text: string, start: number, open: string): number | undefined {
  const mark = open.slice(-1);
  const isTriple = open.length === 3 && !open.startsWith('\\');
  const depth = open.length - 1;
  let backslashes = 0;
  for (let place = start + open.length; place < Math.min(text.length, start + longest); place += 1) {
    const character = text[place];
    if (isTriple && text.startsWith(open, place)) return place + open.length;
    if (character === '\n' && !isTriple) return undefined;
    // Each level of JSON within JSON doubles the backslashes and adds one: a quote ends a string of its own level.
    const ends = open === "'" || backslashes % (2 * (depth + 1)) === depth;
    if (character === mark && !isTriple && ends) return place + 1;
    backslashes = character === '\\' ? backslashes + 1 : 0;
  }
  return undefined;
}

function structureEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let place = start; place < Math.min(text.length, start + longest); place += 1) {
    const open = quoteAt(text, place);
    if (open !== undefined) {
      const end = stringEnd(text, place, open);
      if (end === undefined) return undefined;
      place = end - 1;
    } else if ('[{'.includes(text[place] ?? ' ')) depth += 1;
    else if (']}'.includes(text[place] ?? ' ')) {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return undefined;
}

function lineEnd(text: string, start: number): number {
  const end = /\r?\n|$/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}
