import type { Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import type { FilePlugin, FileReport } from './check-file.ts';
import { displayName } from './config-file.ts';

/** Prints the diagnostics of a file, then its plugins and the number of problems. */
export function printFileReport(file: string, report: FileReport, session: Session): void {
  printDiagnostics(file, report, session);
  printVerdict(file, { problems: report.problems.length, warnings: report.warnings.length }, session);
}

/** Prints the diagnostics of a file as compilers do, one per line, then its plugins. */
export function printDiagnostics(file: string, report: FileReport, session: Session): void {
  const name = displayName(file);
  const print = (text: string) => session.print(wrapSentences(text, session.width, 2));
  const kinds = [
    ['problem', 'red', report.problems],
    ['warning', 'yellow', report.warnings],
    ['note', 'yellow', report.notes],
  ] as const;
  for (const [kind, color, diagnostics] of kinds)
    for (const { line, column, text } of diagnostics)
      print(`${name}:${line}:${column}: ${session.style(color, kind)}: ${text}`);
  for (const plugin of report.plugins) print(describePlugin(name, plugin));
}

/** Prints the number of problems. */
export function printVerdict(
  file: string,
  { problems, warnings }: { readonly problems: number; readonly warnings: number },
  { print, style }: Session,
): void {
  const counts = [
    ...(problems === 0 ? [] : [style('red', countText(problems, 'problem'))]),
    ...(warnings === 0 ? [] : [style('yellow', countText(warnings, 'warning'))]),
  ];
  print(`${displayName(file)}: ${counts.join(', ') || style('green', 'no problems')}`);
}

function describePlugin(name: string, { path, type, ours, dialect, networkType }: FilePlugin): string {
  const at = path === '' ? name : `${name}: ${path}`;
  if (!ours) return `${at}: ${type || 'no type'}, not checked`;
  const network = networkType === undefined ? '' : `, network type ${networkType}`;
  return `${at}: ${dialect ?? 'win-hcn'} configuration${network}`;
}
