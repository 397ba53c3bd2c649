import { type Attack, attacksOn, textOf } from './attacks.ts';
import type { Expression } from './find-expressions.ts';

/** Lengths of texts, each compared to the one before. The short ones find exponential time before it takes hours. */
const lengths = [12, 24, 100, 500, 4000] as const;
const megabyte = 1_048_576;
/** A text may take this many times as long as the same number of characters in short texts. */
const most = 4;
/** Every try must show growth: a busy machine shows it now and then. */
const tries = 6;

/** The attack on which the time of an expression grows faster than linearly; undefined if there is none. */
export function slowAttack({ source, flags }: Pick<Expression, 'source' | 'flags'>): Attack | undefined {
  const search = searcher({ source, flags });
  let slowest: { readonly attack: Attack; readonly time: number } | undefined;
  for (const attack of attacksOn({ source, flags })) {
    const short = textOf(attack, lengths[0]);
    // The engine compiles an expression when it first runs.
    for (const _ of lengths) search(short);
    for (const [index, length] of lengths.entries()) {
      const shorter = lengths[index - 1];
      if (shorter === undefined) continue;
      const { ratio, time } = compare(search, attack, shorter, length);
      if (ratio > most && isSlow(search, attack, shorter, length)) return attack;
      if (length === lengths.at(-1) && time > (slowest?.time ?? 0)) slowest = { attack, time };
    }
  }
  if (slowest === undefined || !isSlow(search, slowest.attack, megabyte / 8, megabyte)) return undefined;
  return slowest.attack;
}

type Search = (text: string) => void;

function isSlow(search: Search, attack: Attack, short: number, long: number): boolean {
  for (let tried = 0; tried < tries; tried += 1)
    if (compare(search, attack, short, long).ratio <= most) return false;
  return true;
}

/** The time for a long text, and its ratio to the time for the same number of characters in short texts. */
function compare(
  search: Search,
  attack: Attack,
  short: number,
  long: number,
): { ratio: number; time: number } {
  const longText = textOf(attack, long);
  const shortText = textOf(attack, short);
  const times = Math.ceil(longText.length / shortText.length);
  const inShortTexts = shortest(() => {
    for (let done = 0; done < times; done += 1) search(shortText);
  });
  const time = timeOf(() => search(longText));
  return { ratio: time / inShortTexts, time };
}

/** On a busy machine one try may take long, which would hide the growth: then a longer text would take hours. */
function shortest(work: () => void): number {
  return Math.min(timeOf(work), timeOf(work), timeOf(work));
}

function timeOf(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** Finds all matches, whatever the program does; a sticky expression has one. */
function searcher({ source, flags }: Pick<Expression, 'source' | 'flags'>): Search {
  const expression = new RegExp(source, flags.replaceAll(/[gy]/g, '') + (flags.includes('y') ? 'y' : 'g'));
  return (text) => {
    expression.lastIndex = 0;
    text.replace(expression, '');
  };
}
