import { isKey } from '../../hcn/documents.ts';
import { valueSpan } from './value-span.ts';

/** A text without secrets, and the number of secrets replaced. */
export interface Redacted {
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
  /()\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
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

/** `naming` matches a name, with its quotes in JSON, and the separator before its value. */
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
    // In JSON the replacement must be a string.
    const marks = around || quote || ('[{'.includes(value.slice(0, 1)) ? '"' : '');
    kept += `${text.slice(done, start)}${marks}${redactedMark}${marks}`;
    names.lastIndex = end;
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
