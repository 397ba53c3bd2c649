type Accepts = (character: string) => boolean;

/** Whether a file name matches a pattern with `*`, `?` and `[a-z]`. The number of `*` does not affect the time. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = [], ...others] = partsOf(pattern);
  const last = others.pop();
  const fits = (part: readonly Accepts[], at: number): boolean =>
    part.every((accepts, index) => accepts(name.charAt(at + index)));
  if (!fits(first, 0)) return false;
  if (last === undefined) return name.length === first.length;
  let at = first.length;
  for (const part of others) {
    while (at < name.length && !fits(part, at)) at += 1;
    if (!fits(part, at)) return false;
    at += part.length;
  }
  return at <= name.length - last.length && fits(last, name.length - last.length);
}

/** The characters between the asterisks of a pattern. */
function partsOf(pattern: string): readonly (readonly Accepts[])[] {
  const parts: Accepts[][] = [[]];
  const lastBracket = pattern.lastIndexOf(']');
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const hasEnd = character === '[' && lastBracket > at + 1;
    const end = hasEnd ? pattern.indexOf(']', at + 2) : at;
    if (character === '*') parts.push([]);
    else parts.at(-1)?.push(end === at ? accepting(character) : acceptingOneOf(pattern.slice(at + 1, end)));
    at = end;
  }
  return parts;
}

/** At the end of the name, the character is empty, and nothing accepts it. */
function accepting(expected: string): Accepts {
  return expected === '?' ? (character) => character !== '' : (character) => character === expected;
}

/** The inside of brackets: characters and ranges, after `^` all others. */
function acceptingOneOf(inside: string): Accepts {
  const isNegated = inside.startsWith('^');
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let at = isNegated ? 1 : 0; at < inside.length; at += 1) {
    const from = inside.charAt(at);
    const isRange = inside.charAt(at + 1) === '-' && at + 2 < inside.length;
    if (isRange) at += 2;
    ranges.push([from, inside.charAt(at)]);
  }
  return (character) =>
    character !== '' && ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}
