import { isSecretName } from './secret-names.ts';
import { valueSpan } from './value-span.ts';

/** A text without its secrets, and how many there were. */
export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** What takes the place of a secret. */
export const redactedMark = '<redacted>';

/** What is secret whatever its name: PEM blocks, the user of a URL, bearer and JSON web tokens. `$1` stays. */
const shapes: readonly RegExp[] = [
  /()-----BEGIN [A-Z0-9 ]+-----(?:(?!-----BEGIN)[\s\S]){0,65536}?-----END [A-Z0-9 ]+-----/g,
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'<>\\]+(?=@)/gi,
  /(\bbearer[ \t]+)[\w+/=.~-]{16,}/gi,
  /()\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
];

/** `--token abc`, and the same as two strings of a list. */
const flags =
  /(?<![\w-])(--?[A-Za-z][\w-]*)((?:\\*["'])[ \t]*,\s*(?:\\*["'])|[ \t]+["']?)(?!-)([^\s"',\\<>]+)/g;

/** A name and what separates it from its value. */
const assignment =
  /(?<![\w.-])(?:(\\*["'])([^"'\\\n]{1,80})\1\s*[:=]\s*|(-{0,2}[A-Za-z_.][\w.-]{0,79})[ \t]*[:=][ \t]*)/g;

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
  rest = rest.replace(flags, (found, name: string, between: string, value: string) => {
    if (!isSecretName(name) || empty.test(value)) return found;
    count += 1;
    return `${name}${between}${redactedMark}`;
  });
  const named = redactNamed(rest, isSecretName);
  return { text: named.text, count: count + named.count };
}

/** Does the same with TOML, where a table such as `[registry.configs."example.com".auth]` is secret as a whole. */
export function redactToml(text: string): Redacted {
  const sections = text.split(/^(?=[ \t]*\[[^\n]*\][ \t]*(?:#.*)?\r?$)/m).map((section) => {
    const [, header = ''] = /^[ \t]*\[+([^\n]*?)\]+/.exec(section) ?? [];
    const isSecret = (header.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? []).some(isSecretName);
    return isSecret ? redactNamed(section, () => true) : { text: section, count: 0 };
  });
  const { text: rest, count } = redact(sections.map((section) => section.text).join(''));
  return { text: rest, count: sections.reduce((sum, section) => sum + section.count, count) };
}

function redactNamed(text: string, isSecret: (name: string) => boolean): Redacted {
  const names = new RegExp(assignment);
  let kept = '';
  let count = 0;
  let done = 0;
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const [, quote, quoted, plain = ''] = found;
    if (!isSecret(quoted ?? plain)) continue;
    const { start, end, quote: around } = valueSpan(text, names.lastIndex, quote !== undefined);
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
