import type { Command } from 'commander';
import { limitsOfAll } from '../../hcn/deadline.ts';
import { look } from '../inventory/look.ts';
import { printable } from '../printable.ts';
import { type ExitCode, exitCode, type Session } from '../session.ts';
import { type Candidate, findCandidates } from './find-candidates.ts';
import { namesOf } from './names.ts';

/** Time limit for HCN in seconds: the user is waiting after pressing Tab. */
const completionSeconds = 1;

/**
 * Prints what may come next, a line for each, with what it is behind a tab. `words` are `=` with what has been begun of the word to
 * complete, and those before it. Whoever presses Tab waits: what HCN does not tell within a second is left out, and the end is then
 * one after which no call is waited for, and what cannot be typed, too.
 */
export async function complete(
  program: Command,
  [asked = '=', ...before]: readonly string[],
  session: Session,
): Promise<ExitCode> {
  const begun = asked.slice(1);
  const found = findCandidates(program, before, begun);
  try {
    const candidates = 'namesOf' in found ? await known(found.namesOf, session) : found;
    const matching = candidates.filter(
      ({ word }) => word === printable(word) && word.toLowerCase().startsWith(begun.toLowerCase()),
    );
    if (matching.length > 0)
      session.print(matching.map(({ word, about }) => `${word}\t${printable(about || word)}`).join('\n'));
    return exitCode.success;
  } catch {
    return exitCode.hnsUnavailable;
  }
}

async function known(name: string, { system }: Session): Promise<readonly Candidate[]> {
  const read = namesOf(name);
  return read === undefined ? [] : read(await look(system, limitsOfAll(completionSeconds)));
}
