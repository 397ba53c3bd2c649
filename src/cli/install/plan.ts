import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { applyChanges, deleteLeftovers, type FileChange, installError } from './file-changes.ts';
import type { InstallFiles } from './files.ts';

/** What a command does to the node. */
export interface Plan {
  readonly changes: readonly FileChange[];
  /** What the user must know before, as sentences. */
  readonly remarks: readonly string[];
  /** What to print if there is nothing to change. */
  readonly unchanged: string;
  /** What to print when all is done. */
  readonly done: readonly string[];
}

/** The folders whose leftovers a command deletes. */
type LeftoverFolders = readonly { readonly path: string }[];

/** Makes a plan, prints it and, with `yes`, executes it. Throws CniError. */
export async function runPlan(
  makePlan: () => Promise<Plan>,
  folders: LeftoverFolders,
  yes: boolean | undefined,
  files: InstallFiles,
  session: Session,
): Promise<void> {
  try {
    const { changes, remarks, unchanged, done } = await makePlan();
    const printSentences = (sentences: readonly string[], hanging = 0) => {
      if (sentences.length > 0)
        session.print(
          sentences.map((text) => wrapSentences(printable(text), session.width, hanging)).join('\n'),
        );
    };
    printSentences(
      changes.map(({ title }, index) => `${index + 1}. ${title}`),
      3,
    );
    printSentences(remarks);
    if (changes.length === 0) return printSentences([unchanged]);
    if (!yes) {
      session.print(session.style('yellow', 'No changes made. Rerun with --yes to apply.'));
      return session.setExitCode(exitCode.problemFound);
    }
    printSentences(await applyChanges(changes, files));
    for (const { path } of folders) deleteLeftovers(path, files);
    const [outcome = '', ...hints] = done;
    session.print(session.style('green', outcome));
    printSentences(hints);
  } catch (error) {
    throw installError(undefined, error);
  }
}
