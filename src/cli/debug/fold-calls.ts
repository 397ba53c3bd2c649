import type { LoggedCall } from '../plugin/run-plugin.ts';

/** A call that was made `count` times in a row, alone or in turn with others. */
export interface FoldedCall {
  /** The first call. */
  readonly call: LoggedCall;
  readonly count: number;
  /** The total duration. */
  readonly milliseconds: number;
}

/** The most calls that are made in turn and still folded, such as the two of a look-up that is repeated. */
const longestTurn = 4;

/** Folds repeated calls with the same object and outcome, and repeated sequences of such calls, in their order. */
export function foldCalls(calls: readonly LoggedCall[]): readonly FoldedCall[] {
  const keys = calls.map(keyOf);
  const folded: FoldedCall[] = [];
  let at = 0;
  while (at < calls.length) {
    const { length, count } = longestRepetition(keys, at);
    for (const [offset, call] of calls.slice(at, at + length).entries()) {
      const turns = calls.slice(at + offset, at + length * count).filter((_, index) => index % length === 0);
      folded.push({ call, count, milliseconds: turns.reduce((sum, one) => sum + one.milliseconds, 0) });
    }
    at += length * count;
  }
  return folded;
}

/** The sequence at an index that repeats over the most calls; the shortest one of those. A single call if nothing repeats. */
function longestRepetition(
  keys: readonly string[],
  at: number,
): { readonly length: number; readonly count: number } {
  const lengths = Array.from({ length: longestTurn }, (_, index) => index + 1);
  const repetitions = lengths
    .map((length) => ({ length, count: countRepeats(keys, at, length) }))
    .filter(({ count }) => count > 1);
  const most = Math.max(...repetitions.map(({ length, count }) => length * count));
  return repetitions.find(({ length, count }) => length * count === most) ?? { length: 1, count: 1 };
}

function countRepeats(keys: readonly string[], at: number, length: number): number {
  let end = at + length;
  while (end < keys.length && keys[end] === keys[end - length]) end += 1;
  return Math.floor((end - at) / length);
}

/** Equal for calls with the same name, object and outcome. */
function keyOf(call: LoggedCall): string {
  const { error, hresult, exitCode } = call;
  const what = call.event === 'call' ? [call.call, call.id] : [call.plugin, call.command];
  return JSON.stringify([...what, error, hresult, exitCode]);
}
