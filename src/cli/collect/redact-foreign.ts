import { isAddress, isHarmless, isSetting, looksRandom, omittedMark } from './harmless.ts';
import { isKnownKey, isPathKey } from './known-keys.ts';
import { redact } from './redact.ts';
import { isSecretName } from './secret-names.ts';
import { type Learn, type Redacted, redactedMark } from './secret-shapes.ts';
import { type Syntax, type Token, tokensOf, unquoted } from './tokens.ts';

/** How deep the object of a plugin is in a conflist. Deeper objects have its pointer. */
const depthOfPlugin = 3;

/** An object, a list, or the whole file. */
interface Frame {
  readonly isList: boolean;
  readonly pointer: string;
  readonly isSecret: boolean;
  /** The next item of a list. */
  index: number;
  /** The name of the next value; in a list, the name of the list. */
  name: string;
  isSecretName: boolean;
  /** Whether the previous item of a list is the name of a secret: `["--password", "hunter2"]`. */
  followsSecretName: boolean;
}

/**
 * Replaces the values of a JSON or TOML file of another program unless they are known to be harmless: keeps known keys with values of a
 * harmless form. In win-hcn's own configurations, which have the JSON pointers for which `isOurs` is true, known keys keep values of any
 * form, except for secrets. Text that is neither JSON nor TOML counts as values without names.
 */
export function redactForeign(
  text: string,
  syntax: Syntax,
  isOurs: (pointer: string) => boolean = () => false,
  learn: Learn = () => undefined,
): Redacted {
  const file: Frame = {
    isList: false,
    pointer: '',
    isSecret: false,
    index: 0,
    name: '',
    isSecretName: false,
    followsSecretName: false,
  };
  const frames: Frame[] = [];
  let isSecretTable = false;
  let count = 0;

  const replaced = (value: string, mark: string): string => {
    if (mark === redactedMark || looksRandom(value)) learn(value);
    count += 1;
    return mark;
  };
  const cleanKey = (key: string, isSecret: boolean): string => {
    let form = isSecret ? secretMap : anyName;
    return key.replaceAll(keyPart, (part) =>
      inQuotes(part, (name) => {
        const isKept = isName(name, form);
        if (isSecretName(name)) form = secretMap;
        return isKept ? name : replaced(name, omittedMark(name));
      }),
    );
  };
  const cleanValue = (value: string, frame: Frame, quote: string): string => {
    if (/^(?:[^\p{L}\p{N}]?|true|false|null)$/iu.test(value)) return value;
    const isNamed = frame.isSecretName || (frame.followsSecretName && !/^-{1,2}[a-z]/i.test(value));
    if (isSecretTable || frame.isSecret || isNamed) return replaced(value, redactedMark);
    if (!isKnownKey(frame.name)) return isAddress(value) ? value : replaced(value, omittedMark(value));
    const clean = redact(value, learn);
    const isHarmlessHere = isPathKey(frame.name) ? isSetting : isHarmless;
    if (!isOurs(frame.pointer) && !isHarmlessHere(plainText(clean.text, quote)))
      return replaced(value, omittedMark(value));
    count += clean.count;
    return clean.text;
  };
  const open = (parent: Frame, isList: boolean): void => {
    const isRoot = frames.length === 0 && parent.name === '';
    const isDeep = frames.length >= depthOfPlugin;
    const pointer = `${parent.pointer}/${parent.isList ? parent.index : parent.name}`;
    frames.push({
      isList,
      pointer: isRoot ? '' : isDeep ? parent.pointer : pointer,
      isSecret: parent.isSecret || parent.isSecretName,
      index: 0,
      name: isList ? parent.name : '',
      isSecretName: false,
      followsSecretName: false,
    });
  };
  const setName = (frame: Frame, names: readonly string[]): void => {
    if (frame.isList) return;
    frame.name = names.at(-1) ?? '';
    frame.isSecretName = names.some(isSecretName);
  };
  const setMark = (frame: Frame, mark: string): void => {
    if ('[{'.includes(mark)) open(frame, mark === '[');
    if (']}'.includes(mark)) frames.pop();
    const current = frames.at(-1) ?? file;
    if (mark === ',' && current.isList) current.index += 1;
    if (`,]}`.includes(mark)) setName(current, []);
  };

  const cleaned = ({ kind, text: part }: Token): string => {
    const frame = frames.at(-1) ?? file;
    switch (kind) {
      case 'space':
        return part;
      case 'comment':
        return part.length === 1 ? part : `# ${replaced(part, omittedMark(part.slice(1)))}`;
      case 'table':
        isSecretTable = namesOf(part).some(isSecretName);
        setName(file, []);
        return cleanKey(part, false);
      case 'key':
        setName(frame, namesOf(part));
        return cleanKey(part, isSecretTable || frame.isSecret);
      case 'mark':
        setMark(frame, part);
        return part;
      case 'string':
      case 'bare': {
        const value = cleanToken(part, (inside, quote) => cleanValue(inside, frame, quote));
        frame.followsSecretName =
          frame.isList && nameOfSecret.test(unquoted(part).value) && isSecretName(unquoted(part).value);
        setName(frame, []);
        return value;
      }
    }
  };
  const clean: string[] = [];
  for (const token of tokensOf(text, syntax)) clean.push(cleaned(token));
  return { text: clean.join(''), count };
}

/** A flag or the name of a variable, whose value can be the next item of a list. */
const nameOfSecret = /^(?:-{1,2}[A-Za-z][\w.-]{0,80}|[A-Za-z]\w{0,80})$/;

const keyPart = /"[^"]*"|'[^']*'|[^\s.="'[\]]+/g;

function namesOf(key: string): readonly string[] {
  return (key.match(keyPart) ?? []).map((part) => unquoted(part).value);
}

function inQuotes(text: string, clean: (value: string) => string): string {
  const { quote, value, end } = unquoted(text);
  return `${quote}${clean(value)}${end}`;
}

/** A replaced number becomes a string. */
function cleanToken(text: string, clean: (value: string, quote: string) => string): string {
  const { quote, value, end } = unquoted(text);
  if (quote !== '') return `${quote}${clean(value, quote)}${end}`;
  const kept = clean(value, quote);
  return kept === value ? value : `"${kept}"`;
}

/**
 * The rest of a value whose secrets are replaced. In double quotes, only backslashes and slashes are escaped in what is harmless: other
 * escapes become a character that makes it harmful.
 */
function plainText(value: string, quote: string): string {
  const rest = value.replaceAll(`${redactedMark}@`, '');
  return quote.startsWith('"')
    ? rest.replaceAll(/\\(.)/gs, (_, escaped) => (escaped === '\\' || escaped === '/' ? escaped : '\0'))
    : rest;
}

/** The names of members: identifiers, hosts or URLs. */
const anyName = /^[\p{L}\p{N} $_./:@-]{1,100}$/u;
/** Those of secret objects, where a name may be a secret, such as that of a token's owner. */
const secretMap = /^[A-Za-z_./:-]{1,100}$/;

/** A shorter text without an `@` has no format of a secret. */
const shortestSecret = 8;

function isName(name: string, form: RegExp): boolean {
  if (!form.test(name) || looksRandom(name)) return false;
  return (name.length < shortestSecret && !name.includes('@')) || redact(name).count === 0;
}
