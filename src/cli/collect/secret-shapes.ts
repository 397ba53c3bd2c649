import { isSimple } from './harmless.ts';
import { isSecretName } from './secret-names.ts';

export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** Receives each secret as it is in the text. */
export type Learn = (secret: string) => void;

/** Removes the secrets of a text. */
export type Redact = (text: string, learn: Learn) => Redacted;

/** Replaces a secret. */
export const redactedMark = '<redacted>';

/** Secrets recognized by format. `$1` is kept. */
const shapes: readonly RegExp[] = [
  /()-----BEGIN [A-Z0-9 ]+-----(?:(?!-----BEGIN)[\s\S]){0,65536}?-----END [A-Z0-9 ]+-----/g,
  // A truncated PEM block: lines of Base64.
  /(-----BEGIN [A-Z0-9 ]+-----)(?:(?:\s|\\+[nr])+[\w+/=]{16,})+(?:(?:\s|\\+[nr])+[\w+/=]+)?/g,
  // A URL in a URL.
  /(%3A%2F%2F)[^\s"'<>&%](?:(?!%40)[^\s"'<>&]){0,256}(?=%40)/gi,
  /(\bbearer[ \t]+)(?=[A-Za-z+/=.~-]{0,60}\d)[\w+/=.~-]{6,}/gi,
  /(\bbearer[ \t]+)[\w+/=.~-]{16,}/gi,
  /()\beyJ[\w+/-]{8,}=*(?:\.[\w-]*)*/g,
  /()\bK10[0-9a-f]{64}::[^\s"'\\]+/g,
  // Tokens of kubeadm, GitHub, GitLab, Slack, AWS, Google, npm, Vault and Azure DevOps.
  /()(?<![\w.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.-])/g,
  /()\b(?:gh[a-z]_|github_pat_|glpat-|xox[a-z]-|A[KS]IA|AIza|npm_|hvs\.|dop_v1_)[\w-]{12,}/g,
  // A flag such as curl's.
  /((?<![\w-])(?:-u|--user)[ \t=]{1,9}["']?)[^\s"':\\]{1,80}:[^\s"']+/g,
];

/** Text that can be Base64 of a user and a password. */
const base64 = /(?<![\w+/-])[\w+/-]{8,}={0,2}(?![\w+/=-])/g;
const parameter = /(?<=[?&][\w.~%-]{1,80}=)[^\s&"'<>#\\]+/g;
const element = /(?<=<([A-Za-z][\w.:-]{0,79})(?:\s[^<>]{0,200})?>)[^<>]+(?=<\/)/g;
/** A start tag of XML, whose attributes may contain `>`. */
const tag = /<[A-Za-z](?:[^<>"']|"[^"<]*"|'[^'<]*')*>/g;
/** As in `<add key="Password" value="x"/>`, also within JSON. */
const nameAttribute = /\s(?:key|name)\s{0,9}=\s{0,9}(\\{0,8}["'])([\w.:-]{1,80})\1/i;
const valueAttribute = /(\svalue\s{0,9}=\s{0,9})(\\{0,8})(?:"([^"<]*)|'([^'<]*))/gi;
/** A line with a value before the line with its name, in Format-List or YAML. */
const lineBeforeName =
  /((?:^|\n|\\n|["'])[ \t-]{0,40}value[ \t]{0,20}[:=][ \t]{0,20})(\S(?:(?!\\{1,8}[nr])[^\r\n]){0,4000})(?=(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)[ \t-]{0,40}name[ \t]{0,20}[:=][ \t]{0,20}["']?([\w.-]{1,80}))/gi;

/** Replaces secrets by their form, or by a name in XML. */
export function redactShapes(text: string, learn: Learn): Redacted {
  let count = 0;
  const replace = (secret: string): string => {
    learn(secret);
    count += 1;
    return redactedMark;
  };
  let rest = text;
  for (const shape of shapes)
    rest = rest.replace(shape, (found: string, kept: string) => kept + replace(found.slice(kept.length)));
  rest = redactUsers(rest, replace)
    .replace(base64, (found) => (isUserAndPassword(found) ? replace(found) : found))
    .replace(parameter, (found) => (isPublicParameter(found) ? found : replace(found)))
    .replace(element, (found, name: string) => (isSecretName(name) ? replace(found) : found))
    .replace(tag, (found) =>
      isSecretName(nameAttribute.exec(found)?.[2] ?? '') ? redactValueAttributes(found, replace) : found,
    )
    .replace(lineBeforeName, (found, start: string, value: string, name: string) =>
      isSecretName(name) ? start + replace(value) : found,
    );
  return { text: rest, count };
}

/** The backslashes of JSON are before both quotes of a value. */
function redactValueAttributes(found: string, replace: (secret: string) => string): string {
  return found.replace(
    valueAttribute,
    (whole, start: string, slashes: string, double: string | undefined, single = '') => {
      const inside = double ?? single;
      const secret = inside.slice(0, inside.length - slashes.length);
      const quote = double === undefined ? "'" : '"';
      return secret === '' ? whole : `${start}${slashes}${quote}${replace(secret)}${slashes}`;
    },
  );
}

/** A parameter of a URL: a number, a date, or a word such as `https`. */
function isPublicParameter(value: string): boolean {
  return isSimple(value) || /^[a-z]{1,12}$/i.test(value) || /^\d{4}-\d\d-\d\d[\w%:.-]{0,30}$/.test(value);
}

function isUserAndPassword(text: string): boolean {
  if (/^[0-9a-f]+$/i.test(text)) return false;
  const decoded = Buffer.from(text, 'base64').toString();
  const colon = decoded.indexOf(':');
  return colon > 0 && colon < decoded.length - 1 && !/[\p{C}\ufffd]/u.test(decoded);
}

/** Text without spaces and quotes. */
const word = /[^\s"<>`]+/g;

/** Replaces `user:password` before the last `@` of a word, and users of URLs, also if the password contains slashes or `@`. */
function redactUsers(text: string, replace: (secret: string) => string): string {
  return text.replace(word, (found) => {
    const end = found.lastIndexOf('@');
    if (end < 1) return found;
    const start = userStart(found.slice(0, end), found.slice(end + 1));
    if (start === undefined || start === end) return found;
    return found.slice(0, start) + replace(found.slice(start, end)) + found.slice(end);
  });
}

const plainHost = /^(?:[\w.-]+|\[[0-9a-f:.%]+\])(?::\d{1,5})?$/i;
const literalHost = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.%]+\])(?::\d{1,5})?(?:[/?#,;]|$)/i;

/** Where user and password start in the text before an `@`; undefined if there are none. */
function userStart(before: string, after: string): number | undefined {
  if (/^sha(?:256|512):/.test(after)) return undefined;
  const schemes = [...before.matchAll(/:\/\//g)].map(({ index }) => index + 3);
  for (const start of schemes) {
    const rest = before.slice(start);
    const [authority = ''] = /^[^/?#,;]*/.exec(rest) ?? [];
    if (start !== schemes.at(-1) && plainHost.test(authority)) continue;
    if (authority === rest) return start;
    return rest.includes(':') && !literalHost.test(rest) ? start : undefined;
  }
  const [names = ''] = /^[('[{]{0,9}(?:[\w.-]{1,80}=){0,9}["'([{]{0,9}/.exec(before) ?? [];
  const rest = before.slice(names.length);
  return rest.indexOf(':') > 0 && /^[\w[]/.test(after) && !literalHost.test(rest) ? names.length : undefined;
}
