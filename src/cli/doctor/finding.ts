import type { Fact } from './fact.ts';
import type { Facts } from './facts.ts';

export const verdicts = ['PASS', 'WARN', 'FAIL', 'UNKNOWN'] as const;
export type Verdict = (typeof verdicts)[number];

/** What a check makes of the facts. */
export interface Judgement {
  readonly verdict: Verdict;
  /** What was seen, in a line; further lines for what is compared. */
  readonly seen: string;
  /** The command that makes it right. */
  readonly fix?: string;
  /** The command that shows more. */
  readonly see?: string;
}

/** One thing that is looked at. It judges nothing where it does not apply. */
export interface Check {
  readonly name: string;
  readonly judge: (facts: Facts) => readonly Judgement[];
}

/** Judges what is known of a fact, and says why it cannot where nothing is. */
export function whenKnown<T>(
  fact: Fact<T>,
  judge: (known: T) => readonly Judgement[],
  see?: string,
): readonly Judgement[] {
  if ('known' in fact) return judge(fact.known);
  return [{ verdict: 'UNKNOWN', seen: fact.unknown, ...(see !== undefined && { see }) }];
}

/** Facts of HCN, where it is the check of HCN itself that says what is wrong with it. */
export function whenHcnAnswers<T>(
  fact: Fact<T>,
  judge: (known: T) => readonly Judgement[],
): readonly Judgement[] {
  return 'known' in fact ? judge(fact.known) : [{ verdict: 'UNKNOWN', seen: 'HCN did not say' }];
}

/** The first few of some texts, and how many more there are. */
export function someOf(texts: readonly string[], separator = ', '): string {
  const shown = texts.slice(0, 3).join(separator);
  return texts.length > 3 ? `${shown} and ${texts.length - 3} more` : shown;
}
