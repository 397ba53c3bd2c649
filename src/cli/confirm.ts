import { printable } from './printable.ts';
import { exitCode, type Session } from './session.ts';

/** What a command takes away that nothing brings back. */
export interface DestructiveChange {
  /** In their order, each with the id of what it is about. */
  readonly steps: readonly string[];
  /** Who loses what, a sentence each. */
  readonly losses: readonly string[];
}

/** The option without which nothing is taken away. */
export const yesOption = [
  '--yes',
  'do it; without it the steps are shown, nothing changes, and the exit code is 1',
] as const;

/** Prints what is about to be taken away, and answers whether it is to be: without `--yes` the command ends with 1. */
export function confirm({ steps, losses }: DestructiveChange, yes: boolean, session: Session): boolean {
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`);
  session.print([...numbered, ...losses].map(printable).join('\n'));
  if (yes) return true;
  session.print(session.style('yellow', 'Nothing was changed: --yes does it.'));
  session.setExitCode(exitCode.problemFound);
  return false;
}
