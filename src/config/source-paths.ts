import { isObject, type JsonObject } from '../json/members.ts';

/** Where the values of a translated configuration come from: JSON pointers of the source, by translated JSON pointer. */
export type SourcePaths = ReadonlyMap<string, string>;

/** Returns the source's JSON pointer for a translated one, by the longest prefix that `sourcePaths` has. */
export function sourcePathOf(sourcePaths: SourcePaths, path: string): string {
  for (let end = path.length; end >= 0; end = path.slice(0, end).lastIndexOf('/')) {
    const source = sourcePaths.get(path.slice(0, end));
    if (source !== undefined) return `${source}${path.slice(end)}`;
  }
  return path;
}

/** Returns a function that spells the keys of a JSON pointer as `source` does. If two keys match, the last one wins. */
export function spellerOf(source: unknown): (path: string) => string {
  const spellings = new Map<JsonObject, ReadonlyMap<string, string>>();
  const findKey = (place: JsonObject, token: string): string | undefined => {
    const known = spellings.get(place) ?? new Map(Object.keys(place).map((key) => [key.toLowerCase(), key]));
    spellings.set(place, known);
    return known.get(unescapeToken(token).toLowerCase());
  };
  return (path) => {
    let place: unknown = source;
    const spelled = path.split('/').map((token, index) => {
      if (index === 0) return token;
      const key = isObject(place) ? findKey(place, token) : undefined;
      if (isObject(place)) place = place[key ?? unescapeToken(token)];
      else place = Array.isArray(place) ? place[Number(token)] : undefined;
      return key === undefined ? token : escapeToken(key);
    });
    return spelled.join('/');
  };
}

/** A key as one token of a JSON pointer (RFC 6901). */
export function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
