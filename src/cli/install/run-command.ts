import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { repairConfigurations } from './configurations.ts';
import { exclusively } from './exclusive.ts';
import { repairExecutables } from './executables.ts';
import type { FileChange } from './file-changes.ts';
import type { InstallFiles } from './files.ts';
import type { InstallFolders } from './folders.ts';
import { withInstallErrors } from './in-use.ts';

/** Runs a command's work on the folders of an installation: with `yes` alone, and after repairing what an interrupted command left. */
export function inFolders<T>(
  { bin, conf }: Pick<InstallFolders, 'bin' | 'conf'>,
  yes: boolean | undefined,
  files: InstallFiles,
  work: () => Promise<T>,
): Promise<T> {
  return withInstallErrors(() => {
    if (!yes) return work();
    return exclusively([bin.path, conf.path], () => {
      repairExecutables(bin.path, files);
      repairConfigurations(conf.path, files);
      return work();
    });
  });
}

/** Prints numbered changes and remarks. */
export function printChanges(
  changes: readonly FileChange[],
  remarks: readonly string[],
  { print, width }: Session,
): void {
  const numbered = changes.map(({ title }, index) =>
    wrapSentences(printable(`${index + 1}. ${title}`), width, 3),
  );
  const notes = remarks.map((remark) => wrapSentences(printable(remark), width));
  if (numbered.length + notes.length > 0) print([...numbered, ...notes].join('\n'));
}

/** Ends a dry run that has changes. */
export function endDryRun({ print, style, setExitCode }: Session): void {
  print(style('yellow', 'No changes made. Rerun with --yes to apply.'));
  setExitCode(exitCode.problemFound);
}

/** Prints sentences on lines of their own. */
export function printSentences(sentences: readonly string[], { print, width }: Session): void {
  print(sentences.map((sentence) => wrapSentences(sentence, width)).join('\n'));
}
