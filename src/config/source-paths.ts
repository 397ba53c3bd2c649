import { isObject } from '../json/members.ts';

/** Where the values of a translated configuration come from: JSON pointers of the source, by translated JSON pointer. */
export type SourcePaths = ReadonlyMap<string, string>;

/** Returns the source's JSON pointer for a translated one, by the longest prefix that `sourcePaths` has. */
export function sourcePathOf(sourcePaths: SourcePaths, path: string): string {
  const [longest] = [...sourcePaths.keys()]
    .filter((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    .sort((a, b) => b.length - a.length);
  return longest === undefined ? path : `${sourcePaths.get(longest)}${path.slice(longest.length)}`;
}

/** Returns a JSON pointer with its keys in the case of `source`. If two keys match, the last one wins. */
export function spellAsIn(source: unknown, path: string): string {
  let place: unknown = source;
  const spelled = path.split('/').map((token, index) => {
    if (index === 0) return token;
    const key = findKey(place, token) ?? token;
    place = isObject(place)
      ? place[unescapeToken(key)]
      : Array.isArray(place)
        ? place[Number(key)]
        : undefined;
    return key;
  });
  return spelled.join('/');
}

/** A key as one token of a JSON pointer (RFC 6901). */
export function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function findKey(place: unknown, token: string): string | undefined {
  if (!isObject(place)) return undefined;
  const wanted = unescapeToken(token).toLowerCase();
  const key = Object.keys(place).findLast((candidate) => candidate.toLowerCase() === wanted);
  return key === undefined ? undefined : escapeToken(key);
}
