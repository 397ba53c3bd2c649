import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';

/** Prints numbered steps and remarks. */
export function printPlan(
  titles: readonly string[],
  remarks: readonly string[],
  { print, width }: Session,
): void {
  const numbered = titles.map((title, index) => wrapSentences(printable(`${index + 1}. ${title}`), width, 3));
  const notes = remarks.map((remark) => wrapSentences(printable(remark), width));
  if (numbered.length + notes.length > 0) print([...numbered, ...notes].join('\n'));
}

/** Ends a dry run that has steps. */
export function endDryRun({ print, style, setExitCode }: Session): void {
  print(style('yellow', 'No changes made. Rerun with --yes to apply.'));
  setExitCode(exitCode.problemFound);
}
