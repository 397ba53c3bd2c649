/** A value in a text: from its first character to behind its last. `quote` is what a string begins and ends with. */
export interface ValueSpan {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

/** Nobody's secret is longer; what has no end by then has none. */
const longest = 65_536;

/**
 * The value that begins at a place of JSON, TOML, or a line of text: a string, a list or an object whole, else a word, which in JSON ends
 * with the list or the object around it. Strings may be escaped, as JSON within JSON is. A string, a list or an object without an end
 * goes on to the end of the line.
 */
export function valueSpan(text: string, start: number, inJson: boolean): ValueSpan {
  const open = quoteAt(text, start);
  if (open !== undefined) {
    const end = stringEnd(text, start, open);
    return { start, end: end ?? lineEnd(text, start), quote: end === undefined ? '' : open };
  }
  if ('[{'.includes(text[start] ?? ' '))
    return { start, end: structureEnd(text, start) ?? lineEnd(text, start), quote: '' };
  const word = inJson ? /[^\s,\]}"'\\]*/y : schemedWord;
  word.lastIndex = start;
  return { start, end: start + (word.exec(text)?.[0].length ?? 0), quote: '' };
}

/** The credentials of the header Authorization come after a scheme. */
const schemedWord = /(?:(?:bearer|basic|digest|negotiate)[ \t]+)?(?:(?!\\*["'])[^\s,;])*/iy;
const quotes = /"""|'''|(\\*)["']/y;

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
