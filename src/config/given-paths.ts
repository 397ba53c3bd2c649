import { isObject } from '../json/members.ts';

/** Where what is under one JSON pointer came from; the longest that fits counts. */
export type Origins = ReadonlyMap<string, string>;

export function originOf(origins: Origins, path: string): string {
  const [longest] = [...origins.keys()]
    .filter((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    .sort((a, b) => b.length - a.length);
  return longest === undefined ? path : `${origins.get(longest)}${path.slice(longest.length)}`;
}

/** A JSON pointer with its keys as `given` spells them; of two that match without case the last one counts. */
export function spelledIn(given: unknown, path: string): string {
  let place: unknown = given;
  const spelled = path.split('/').map((token, index) => {
    if (index === 0) return token;
    const key = keyIn(place, token) ?? token;
    place = isObject(place) ? place[unescaped(key)] : Array.isArray(place) ? place[Number(key)] : undefined;
    return key;
  });
  return spelled.join('/');
}

/** A key as one token of a JSON pointer. */
export function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function keyIn(place: unknown, token: string): string | undefined {
  if (!isObject(place)) return undefined;
  const wanted = unescaped(token).toLowerCase();
  const key = Object.keys(place).findLast((candidate) => candidate.toLowerCase() === wanted);
  return key === undefined ? undefined : escaped(key);
}
