import { isKey } from '../../hcn/documents.ts';

interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** Replaces a secret. */
export const redactedMark = '<redacted>';

/** Secrets recognized by format: PEM blocks, users in URLs, bearer and JSON web tokens, k3s tokens. `$1` is kept. */
const shapes: readonly RegExp[] = [
  /()-----BEGIN [A-Z0-9 ]+-----(?:(?!-----BEGIN)[\s\S]){0,65536}?-----END [A-Z0-9 ]+-----/g,
  // A truncated PEM block: lines of Base64.
  /(-----BEGIN [A-Z0-9 ]+-----)(?:(?:\s|\\+[nr])+[\w+/=]{16,})+(?:(?:\s|\\+[nr])+[\w+/=]+)?/g,
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'<>\\]|\\+(?!["'\\]))+(?=@)/gi,
  // A password that contains a slash.
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'<>:@\\[]{1,256}:(?!\d{0,5}[/?#])[^\s"'<>@\\]{1,256}(?=@)/gi,
  /(\bbearer[ \t]+)[\w+/=.~-]{16,}/gi,
  /()\beyJ[\w-]{8,}(?:\.[\w-]*)*/g,
  /()\bK10[0-9a-f]{64}::[^\s"'\\]+/g,
];

/** `--token abc`, `"--token" "abc"`, and the same as two strings in a list. */
const flag =
  /(?<![\w-])(?<plain>--?[A-Za-z][\w-]*)(?:\\*["'](?:[ \t]*,\s*|[ \t]+)(?=\\*["'])|[ \t]+)(?![-<\s])/g;

/** `"name": "TOKEN", "value": `, as in lists of environment variables. */
const pair =
  /(?<![\w.-])name(?:\\*["'])?\s{0,9}[:=]\s{0,9}(\\*["']|)(?<plain>[\w.-]{1,80})\1[\s,;]{1,99}(?<quote>\\*["']|)value\k<quote>\s{0,9}[:=][ \t]{0,9}/gi;

/**
 * A name and the separator before its value. In a URL `&` may be written as `\u0026` or `%26`. A GRE key is the number of a network, not
 * a secret.
 */
const assignment =
  /(?<![\w.-]|[Gg][Rr][Ee] )(?:(?<!\\)(?<quote>\\*["'])(?<quoted>[^"'\\\n]{1,80})\k<quote>\s*[:=]\s*|(?:u0026|26|3[Ff])?(?<plain>-{0,2}[\w.][\w.-]{0,79})(?:[ \t]*[:=]|%3[Dd])[ \t]*)/g;

/** Headers whose values contain spaces. */
const header = /^(proxy-)?authorization$|^(set-)?cookie$/i;

/** Values that are not secret, or already redacted. */
const empty = /^(true|false|null|none|(\w+ )?<redacted>)?$/i;

/**
 * Replaces the secrets in JSON, TOML, logs or program output, and changes no other character. Recognizes secrets by name and format; if
 * in doubt, replaces too much.
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

/** Like `redact`, for TOML, where all of a table such as `[registry.configs."example.com".auth]` is secret. */
export function redactToml(text: string): Redacted {
  const sections = text.split(/^(?=[ \t]*\[.*\][ \t]*(?:#.*)?\r?$)/m).map((section) => {
    const [line = '', title = ''] = /^[ \t]*\[+(?!\[)([^\n]*?)\]+[^\n]*/.exec(section) ?? [];
    const isSecret = (title.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? []).some(isSecretName);
    if (!isSecret) return { text: section, count: 0 };
    const body = redactNamed(section.slice(line.length), assignment, () => true);
    return { text: line + body.text, count: body.count };
  });
  const { text: rest, count } = redact(sections.map((section) => section.text).join(''));
  return { text: rest, count: sections.reduce((sum, section) => sum + section.count, count) };
}

/** `naming` matches a name, with its quotes in JSON, and the separator before its value. */
function redactNamed(text: string, naming: RegExp, isSecret: (name: string) => boolean): Redacted {
  naming.lastIndex = 0;
  let kept = '';
  let count = 0;
  let done = 0;
  for (let found = naming.exec(text); found !== null; found = naming.exec(text)) {
    const { quote = '', quoted, plain = '' } = found.groups ?? {};
    if (!isSecret(quoted ?? plain)) continue;
    const inLine = naming !== flag && header.test(plain) ? 'header' : 'word';
    const span = valueSpan(text, naming.lastIndex, quote === '' ? inLine : 'json');
    const { start, end, quote: around } = span;
    const value = text.slice(start + around.length, end - around.length);
    if (empty.test(value)) continue;
    // In JSON the replacement must be a string.
    const marks = around || quote || ('[{'.includes(value.slice(0, 1)) ? '"' : '');
    kept += `${text.slice(done, start)}${marks}${redactedMark}${marks}`;
    naming.lastIndex = end;
    done = end;
    count += 1;
  }
  return { text: kept + text.slice(done), count };
}

/** Words that make any name containing them secret. */
const secretWords = /password|passwd|passphrase|secret|token|credential|presharedkey|privatekey/;
/** Whole names; `auth` and `header` are tables of containerd. */
const secretNames =
  /^(auths?|authorization|proxyauthorization|certificate|cert|cookie|headers?|psk|setcookie|sig)$/;
/** As in `smtp_pass`, and in signed URLs. */
const secretEndings = /(pwd|(?<!by|com)pass|signature)$/;
/** As in `client-key-data` of a kubeconfig. */
const secretData = /(key|certificate|cert|authority)data$/;
/** Endings of names that only describe or locate a secret. */
const metadata = /(file|path|dir|folder|name|type|url|ttl|expiry|enabled)$/;

/** Whether the value with this name is secret: a member of JSON or TOML, a flag, a header, a variable. Ignores case, `-` and `_`. */
function isSecretName(name: string): boolean {
  return name.split('.').some((part) => {
    const plain = part.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    return (
      isKey(plain) ||
      secretNames.test(plain) ||
      secretEndings.test(plain) ||
      secretData.test(plain) ||
      (secretWords.test(plain) && !metadata.test(plain))
    );
  });
}

/** Describes the names in README.txt. */
export const secretNamesText =
  'values with names such as password, secret, token, key, psk, credential, auth, authorization, cookie, certificate or header';

/** The position of a value in a text; `end` is exclusive. `quote` delimits a string, and is empty for other values. */
interface ValueSpan {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

/** A string, list or object longer than this counts as unterminated. */
const longest = 65_536;

/** Where a value is: in JSON, where the enclosing list or object ends a word; in other text; or in a header, which contains spaces. */
type Context = 'json' | 'word' | 'header';

/**
 * The value at `start`: a whole string, list or object; otherwise a word, or several words in a header. In text, a value whose name
 * starts the line extends to the end of the line and over the following lines that are indented more, as in YAML. Strings may be escaped,
 * as in JSON within JSON. An unterminated string, list or object extends to the end of the line.
 */
function valueSpan(text: string, start: number, context: Context): ValueSpan {
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

function quoteAt(text: string, index: number): string | undefined {
  quotes.lastIndex = index;
  return quotes.exec(text)?.[0];
}

/** The end of the string at `start`, exclusive; undefined if it is unterminated. */
function stringEnd(text: string, start: number, open: string): number | undefined {
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
