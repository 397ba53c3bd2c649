/** Returns the variants of a regular expression literal, each with one changed anchor, quantifier, class, group or flag. */
export function weakerPatterns(literal: string): readonly string[] {
  const end = literal.lastIndexOf('/');
  const pattern = literal.slice(1, end);
  const flags = literal.slice(end + 1);
  const changed = [...pattern.matchAll(part)].flatMap(({ 0: found, index }) => {
    const before = pattern.slice(0, index);
    const after = pattern.slice(index + found.length);
    return others(found).map((other) => `/${before}${other}${after}/${flags}`);
  });
  const withoutFlags = [...flags]
    .filter((flag) => 'ims'.includes(flag))
    .map((flag) => `/${pattern}/${flags.replace(flag, '')}`);
  return [...changed, ...withoutFlags];
}

/** An escaped character, a class, the start of a group, a counted quantifier, or one character. */
const part = /\\.|\[\^?(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}\??|[*+?]\??|[\s\S]/g;

function others(found: string): readonly string[] {
  if (found === '^' || found === '$' || found === '\\b') return [''];
  if (/^[*+]\??$/.test(found)) return [(found.startsWith('*') ? '+' : '*') + found.slice(1)];
  if (found === '?') return [''];
  const counted = /^\{(\d+)(?:,(\d*))?\}(\??)$/.exec(found);
  if (counted !== null) return otherCounts(counted);
  if (found.startsWith('[^')) return [`[${found.slice(2)}`];
  if (found.startsWith('[')) return [`[^${found.slice(1)}`];
  return [oppositeEscapes[found] ?? oppositeLooks[found] ?? []].flat();
}

function otherCounts([, least = '', most, lazy = '']: RegExpExecArray): readonly string[] {
  const more = Number(least) + 1;
  if (most === undefined) return [`{${more}}${lazy}`];
  if (most === '') return [`{${more},}${lazy}`];
  return [
    `{${least},${Number(most) + 1}}${lazy}`,
    ...(more <= Number(most) ? [`{${more},${most}}${lazy}`] : []),
  ];
}

const oppositeEscapes: { readonly [found: string]: string } = {
  '\\d': '\\D',
  '\\D': '\\d',
  '\\s': '\\S',
  '\\S': '\\s',
  '\\w': '\\W',
  '\\W': '\\w',
};
const oppositeLooks: { readonly [look: string]: string } = {
  '(?=': '(?!',
  '(?!': '(?=',
  '(?<=': '(?<!',
  '(?<!': '(?<=',
};
