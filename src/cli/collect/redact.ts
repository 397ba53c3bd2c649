import { isSecretName } from './secret-names.ts';
import { redactPairs } from './secret-pairs.ts';
import { type Learn, type Redacted, redactedMark, redactShapes } from './secret-shapes.ts';
import { quoteAt, stringEnd, type ValueSpan, valueSpan } from './value-span.ts';

/** `--token abc`, `"--token" "abc"`, and the same as two strings in a list. */
const flag =
  /(?<![\w-])(?<plain>--?[A-Za-z][\w-]*)(?:\\*["'](?:[ \t]*,\s*|[ \t]+)(?=\\*["'])|[ \t]+)(?![-<\s])/g;

/** `"name": "TOKEN", "value": `, as in lists of environment variables. */
const pair =
  /(?<![\w.-])name(?:\\*["'])?\s{0,9}[:=]\s{0,9}(\\*["']|)(?<plain>[\w.-]{1,80})\1(?:[\s,;]|\\{1,8}[nr]){1,99}(?<quote>\\*["']|)value\k<quote>\s{0,9}[:=][ \t]{0,9}/gi;

/**
 * A name and the separator before its value. In a URL `&` may be written as `\u0026` or `%26`. A GRE key is the number of a network, not
 * a secret.
 */
const assignment =
  /(?<![\w.-]|[Gg][Rr][Ee] )(?:(?<!\\)(?<quote>\\*["'])(?<quoted>[^"'\\\n]{1,80})\k<quote>\s*[:=]\s*|(?:u0026|26|3[Ff])?(?<plain>-{0,2}[\w.][\w.-]{0,79})(?:[ \t]*[:=]|%3[Dd])[ \t]*)/g;

/** Headers whose values contain spaces. */
const header = /^(proxy-)?authorization$|^(set-)?cookie$/i;

/** Values that are not secret, or already redacted. */
const empty = /^(true|false|null|none|((bearer|basic|digest|negotiate) )?<redacted>)?$/i;

/**
 * Replaces the secrets in JSON, logs or program output, and changes no other character. Recognizes secrets by name and format; if in
 * doubt, replaces too much.
 */
export function redact(text: string, learn: Learn = () => undefined): Redacted {
  const named = [flag, pair, assignment].map((naming) => (rest: string) => redactNamed(rest, naming, learn));
  let count = 0;
  let rest = text;
  for (const replace of [redactShapes, redactPairs, ...named]) {
    const clean = replace(rest, learn);
    rest = clean.text;
    count += clean.count;
  }
  return { text: rest, count };
}

/** `naming` matches a name, with its quotes in JSON, and the separator before its value. */
function redactNamed(text: string, naming: RegExp, learn: Learn): Redacted {
  naming.lastIndex = 0;
  let kept = '';
  let count = 0;
  let done = 0;
  for (let found = naming.exec(text); found !== null; found = naming.exec(text)) {
    const { quote = '', quoted, plain = '' } = found.groups ?? {};
    if (!isSecretName(quoted ?? plain)) continue;
    const inLine = naming !== flag && header.test(plain) ? 'header' : 'word';
    const span =
      restOfString(text, found.index, naming.lastIndex, plain) ??
      valueSpan(text, naming.lastIndex, quote === '' ? inLine : 'json');
    const { start, end, quote: around } = span;
    const value = text.slice(start + around.length, end - around.length);
    if (empty.test(value)) continue;
    learn(value);
    // In JSON the replacement must be a string.
    const marks = around || quote || ('[{'.includes(value.slice(0, 1)) ? '"' : '');
    kept += `${text.slice(done, start)}${marks}${redactedMark}${marks}`;
    naming.lastIndex = end;
    done = end;
    count += 1;
  }
  return { text: kept + text.slice(done), count };
}

const quotesBefore = /\\{0,127}["']$/;

/** The rest of a string that starts with a name: `"PASSWORD=my secret"` in a list of environment variables. */
function restOfString(text: string, nameStart: number, start: number, plain: string): ValueSpan | undefined {
  if (plain === '') return undefined;
  const [before = ''] = quotesBefore.exec(text.slice(Math.max(0, nameStart - 128), nameStart)) ?? [];
  const opening = nameStart - before.length;
  const end = before === '' ? undefined : stringEnd(text, opening, quoteAt(text, opening) ?? before);
  return end === undefined || end - before.length < start
    ? undefined
    : { start, end: end - before.length, quote: '' };
}
