import { type Compared, grows, timeRatio } from '../time-ratio.ts';
import { type Attack, attacksOn, textOf } from './attacks.ts';
import type { Expression } from './find-expressions.ts';

/** Lengths of texts for every attack, each compared to the one before: they find exponential time before it takes hours. */
const shortLengths = [12, 24, 100, 500] as const;
/** For the attacks that took longest, or grew at all. */
const length = 4000;
const mostCandidates = 8;
const slightGrowth = 2;
/** For the attack that took longest. */
const megabyte = 1_048_576;

/** The attack on which the time of an expression grows faster than linearly; undefined if there is none. */
export function slowAttack({ source, flags }: Pick<Expression, 'source' | 'flags'>): Attack | undefined {
  const search = searcher({ source, flags });
  const isSlow = (attack: Attack, short: number, long: number) =>
    grows(long / short, () => compare(search, attack, short, long));
  const measured: { readonly attack: Attack; readonly time: number; readonly grew: boolean }[] = [];
  for (const attack of attacksOn({ source, flags })) {
    const shortest = textOf(attack, shortLengths[0]);
    // The engine compiles an expression when it first runs.
    for (const _ of shortLengths) search(shortest);
    let grew = false;
    let last = 0;
    for (const [index, long] of shortLengths.entries()) {
      const short = shortLengths[index - 1];
      if (short === undefined) continue;
      const { ratio, time } = compare(search, attack, short, long);
      if (ratio > slightGrowth && isSlow(attack, short, long)) return attack;
      grew ||= ratio > slightGrowth;
      last = time;
    }
    measured.push({ attack, time: last, grew });
  }
  const sorted = measured.toSorted((one, other) => other.time - one.time);
  const candidates = sorted.filter(({ grew }, index) => grew || index < mostCandidates);
  const found = candidates.find(({ attack }) => isSlow(attack, shortLengths[3], length));
  if (found !== undefined) return found.attack;
  return sorted.slice(0, 1).find(({ attack }) => isSlow(attack, megabyte / 16, megabyte))?.attack;
}

type Search = (text: string) => void;

/** A long text, and the same number of characters in short texts. */
function compare(search: Search, attack: Attack, short: number, long: number): Compared {
  const longText = textOf(attack, long);
  const shortText = textOf(attack, short);
  const times = Math.ceil(longText.length / shortText.length);
  return timeRatio(
    () => search(shortText),
    times,
    () => search(longText),
  );
}

/** Finds all matches, whatever the program does; a sticky expression has one. Keeps none of them: garbage would take time of its own. */
function searcher({ source, flags }: Pick<Expression, 'source' | 'flags'>): Search {
  const expression = new RegExp(source, flags.replaceAll(/[gy]/g, '') + (flags.includes('y') ? 'y' : 'g'));
  return (text) => {
    expression.lastIndex = 0;
    let end = 0;
    while (expression.test(text) && !expression.sticky) {
      // An empty match does not go on by itself.
      if (expression.lastIndex === end) expression.lastIndex += 1;
      end = expression.lastIndex;
    }
  };
}
