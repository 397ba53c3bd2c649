import { isSimple } from './harmless.ts';
import { type Redacted, redactedMark } from './secret-shapes.ts';

/** The limit of known secrets: more take too long in large files. */
const most = 100;

/** The secrets that were found in any file of a bundle. Other files may contain them without their names. */
export interface KnownSecrets {
  learn(secret: string): void;
  /** Replaces them: unchanged, in JSON, in URLs and in Base64. */
  hide(text: string): Redacted;
}

export function newKnownSecrets(): KnownSecrets {
  const secrets = new Set<string>();
  return {
    learn: (secret) => {
      for (const one of meanings(secret)) if (isDistinctive(one) && secrets.size < most) secrets.add(one);
    },
    hide: (text) => {
      let count = 0;
      let rest = text;
      const forms = new Set([...secrets].flatMap(formsOf));
      for (const form of [...forms].toSorted((one, other) => other.length - one.length)) {
        const parts = rest.split(form);
        count += parts.length - 1;
        rest = parts.join(redactedMark);
      }
      return { text: rest, count };
    },
  };
}

/** A secret as in its file, and without JSON's escapes; the strings in a list or an object. */
function meanings(secret: string): readonly string[] {
  if (/^\s*[[{]/.test(secret))
    return [...secret.matchAll(valueOrKey)].flatMap(([, value = '', key]) => (key ? [] : value));
  const plain = secret.includes('\\') ? unescaped(secret) : undefined;
  return plain === undefined || plain === secret ? [secret] : [secret, ...meanings(plain)];
}

const valueOrKey = /([^"'\s,:=[\]{}\\]+)(\\*["']?\s*[:=])?/g;

function unescaped(text: string): string | undefined {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return undefined;
  }
}

/** Whether a text is a secret wherever it occurs, unlike a word, a number or an address. */
function isDistinctive(secret: string): boolean {
  const isWord = /^[A-Z]?[a-z]*$/.test(secret);
  return (
    secret.length >= 6 && secret.length <= 4096 && /[A-Za-z]/.test(secret) && !isWord && !isSimple(secret)
  );
}

function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    ...(secret.length < 8 ? [] : base64Forms(secret)),
  ];
}

/** Base64 of any text that contains the secret contains one of these: the secret starts at each of the three places in a group. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const wholeGroups = Math.floor((before + bytes.length) / 3) * 4;
    const inside = text.slice(before === 0 ? 0 : 4, wholeGroups);
    return inside.length < 8 ? [] : [inside, inside.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
