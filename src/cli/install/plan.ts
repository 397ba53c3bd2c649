import { printSteps, reportNoChanges } from '../plugin/change.ts';
import type { Session } from '../terminal/session.ts';
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
    printSteps(
      changes.map(({ title }) => title),
      remarks,
      session,
    );
    if (changes.length === 0) return printSteps([], [unchanged], session);
    if (!yes) return reportNoChanges(session);
    printSteps([], await applyChanges(changes, files), session);
    for (const { path } of folders) deleteLeftovers(path, files);
    const [outcome = '', ...hints] = done;
    session.print(session.style('green', outcome));
    printSteps([], hints, session);
  } catch (error) {
    throw installError(undefined, error);
  }
}
