/** JSON also stands for text of unknown syntax. */
export type Syntax = 'JSON' | 'TOML';

/** A part of a text; all parts together are the text. */
export interface Token {
  /** `key`: the name of a member. `table`: `[a.b]` on a line of its own. `bare`: a word that is not in quotes. `mark`: one character. */
  readonly kind: 'space' | 'comment' | 'table' | 'key' | 'string' | 'bare' | 'mark';
  readonly text: string;
}

const spaces = /\s+/y;
const comment = /#[^\r\n]*/y;
const table = /\[[^\r\n#]*\]/y;
const bare = /[^\s,:=[\]{}"'#]+/y;
const tomlKey = /(?:"[^"\r\n]*"|'[^'\r\n]*'|[^\s"'=[\]{},#])+/y;
const equals = /[ \t]*=/y;
const separator = /\s*[:=]/y;

/** The parts of a JSON or TOML text. Never throws: a string without an end ends with its line. */
export function* tokensOf(text: string, syntax: Syntax): Generator<Token> {
  let at = 0;
  let depth = 0;
  let isLineStart = true;
  /** No TOML key starts before this place. */
  let noKeyBefore = 0;
  const take = (expression: RegExp): string | undefined => {
    expression.lastIndex = at;
    return expression.exec(text)?.[0];
  };
  const next = (): Token => {
    const space = take(spaces);
    if (space !== undefined) return { kind: 'space', text: space };
    const remark = take(comment);
    if (remark !== undefined) return { kind: 'comment', text: remark };
    if (syntax === 'TOML') {
      const title = isLineStart && depth === 0 ? take(table) : undefined;
      if (title !== undefined) return { kind: 'table', text: title };
      const key = at < noKeyBefore ? '' : (take(tomlKey) ?? '');
      equals.lastIndex = noKeyBefore = Math.max(noKeyBefore, at + key.length);
      if (key !== '' && equals.test(text)) return { kind: 'key', text: key };
    }
    const quoted = `"'`.includes(text[at] ?? ' ') ? text.slice(at, stringEnd(text, at)) : undefined;
    const value = quoted ?? take(bare);
    if (value === undefined) return { kind: 'mark', text: text[at] ?? '' };
    separator.lastIndex = at + value.length;
    if (separator.test(text)) return { kind: 'key', text: value };
    return { kind: quoted === undefined ? 'bare' : 'string', text: value };
  };
  while (at < text.length) {
    const token = next();
    if (token.kind === 'mark' && '[{'.includes(token.text)) depth += 1;
    if (token.kind === 'mark' && ']}'.includes(token.text)) depth = Math.max(0, depth - 1);
    isLineStart = token.kind === 'space' ? isLineStart || token.text.includes('\n') : false;
    at += token.text.length;
    yield token;
  }
}

/** The quotes of a string, each empty if absent, and the text between them. */
export function unquoted(text: string): {
  readonly quote: string;
  readonly value: string;
  readonly end: string;
} {
  const [quote = ''] = /^(?:"""|'''|["'])/.exec(text) ?? [];
  const end = text.length >= 2 * quote.length && text.endsWith(quote) ? quote : '';
  return { quote, value: text.slice(quote.length, text.length - end.length), end };
}

/** The end of the string that starts at an index, exclusive. */
function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? '';
  if (text.startsWith(quote.repeat(3), start)) {
    const end = text.indexOf(quote.repeat(3), start + 3);
    return end === -1 ? text.length : end + 3;
  }
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === '\n') return index;
    if (character === quote) return index + 1;
    if (character === '\\' && quote === '"') index += 1;
  }
  return text.length;
}
