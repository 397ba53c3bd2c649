import { isSecretName } from './secret-names.ts';
import { valueSpan } from './value-span.ts';

/** A text without its secrets, and how many there were. */
export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** What takes the place of a secret. */
export const redactedMark = '<redacted>';

/** What is secret whatever its name: PEM blocks, the user of a URL, bearer and JSON web tokens, tokens of k3s. `$1` stays. */
const shapes: readonly RegExp[] = [
  /()-----BEGIN [A-Z0-9 ]+-----(?:(?!-----BEGIN)[\s\S]){0,65536}?-----END [A-Z0-9 ]+-----/g,
  // One that is cut: lines of Base64, and the last one.
  /(-----BEGIN [A-Z0-9 ]+-----)(?:(?:\s|\\+[nr])+[\w+/=]{16,})+(?:(?:\s|\\+[nr])+[\w+/=]+)?/g,
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'<>\\]|\\+(?!["'\\]))+(?=@)/gi,
  // A password with a slash in it, which is no port.
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'<>:@\\[]{1,256}:(?!\d{0,5}[/?#])[^\s"'<>@\\]{1,256}(?=@)/gi,
  /(\bbearer[ \t]+)[\w+/=.~-]{16,}/gi,
  /()\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /()\bK10[0-9a-f]{64}::[^\s"'\\]+/g,
];

/** `--token abc`, `"--token" "abc"`, and the same as two strings of a list. */
const flag =
  /(?<![\w-])(?<plain>--?[A-Za-z][\w-]*)(?:\\*["'](?:[ \t]*,\s*|[ \t]+)(?=\\*["'])|[ \t]+)(?![-<\s])/g;

/** A name as a value, and the name `value` of what it names: as lists of variables have it. */
const pair =
  /(?<![\w.-])name(?:\\*["'])?\s{0,9}[:=]\s{0,9}(\\*["']|)(?<plain>[\w.-]{1,80})\1[\s,;]{1,99}(?<quote>\\*["']|)value\k<quote>\s{0,9}[:=][ \t]{0,9}/gi;

/**
 * A name and what separates it from its value, in a URL too: there `&` may be written `\u0026` or `%26`. The key of a GRE tunnel is the
 * number of a network.
 */
const assignment =
  /(?<![\w.-]|[Gg][Rr][Ee] )(?:(?<!\\)(?<quote>\\*["'])(?<quoted>[^"'\\\n]{1,80})\k<quote>\s*[:=]\s*|(?:u0026|26|3[Ff])?(?<plain>-{0,2}[\w.][\w.-]{0,79})(?:[ \t]*[:=]|%3[Dd])[ \t]*)/g;

/** Headers whose values have several words. */
const header = /^(proxy-)?authorization$|^(set-)?cookie$/i;

/** What is no secret whatever its name, or none any more. */
const empty = /^(true|false|null|none|(\w+ )?<redacted>)?$/i;

/**
 * Replaces the secrets of JSON, TOML, logs, or the output of a program; everything else stays as it is, character for character. It goes
 * by names and shapes, and where in doubt it takes too much.
 */
export function redact(text: string): Redacted {
  let count = 0;
  let rest = text;
  for (const shape of shapes) {
    rest = rest.replace(shape, (_, kept: string) => {
      count += 1;
      return `${kept}${redactedMark}`;
    });
  }
  for (const naming of [flag, pair, assignment]) {
    const named = redactNamed(rest, naming, isSecretName);
    rest = named.text;
    count += named.count;
  }
  return { text: rest, count };
}

/** Does the same with TOML, where a table such as `[registry.configs."example.com".auth]` is secret as a whole. */
export function redactToml(text: string): Redacted {
  const sections = text.split(/^(?=[ \t]*\[[^\n]*\][ \t]*(?:#.*)?\r?$)/m).map((section) => {
    const [line = '', title = ''] = /^[ \t]*\[+([^\n]*?)\]+[^\n]*/.exec(section) ?? [];
    const isSecret = (title.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? []).some(isSecretName);
    if (!isSecret) return { text: section, count: 0 };
    const body = redactNamed(section.slice(line.length), assignment, () => true);
    return { text: line + body.text, count: body.count };
  });
  const { text: rest, count } = redact(sections.map((section) => section.text).join(''));
  return { text: rest, count: sections.reduce((sum, section) => sum + section.count, count) };
}

/** `naming` finds a name, with its quotes where it is a member of JSON, and what is before its value. */
function redactNamed(text: string, naming: RegExp, isSecret: (name: string) => boolean): Redacted {
  const names = new RegExp(naming);
  let kept = '';
  let count = 0;
  let done = 0;
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const { quote = '', quoted, plain = '' } = found.groups ?? {};
    if (!isSecret(quoted ?? plain)) continue;
    const inLine = naming !== flag && header.test(plain) ? 'header' : 'word';
    const span = valueSpan(text, names.lastIndex, quote === '' ? inLine : 'json');
    const { start, end, quote: around } = span;
    const value = text.slice(start + around.length, end - around.length);
    if (empty.test(value)) continue;
    // What was no string becomes one where its name is one.
    const marks = around || quote || ('[{'.includes(value.slice(0, 1)) ? '"' : '');
    kept += `${text.slice(done, start)}${marks}${redactedMark}${marks}`;
    names.lastIndex = end;
    done = end;
    count += 1;
  }
  return { text: kept + text.slice(done), count };
}
