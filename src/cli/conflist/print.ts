import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import type { FilePlugin, FileReport } from './check-file.ts';
import { type Diagnostic, displayName } from './config-file.ts';

/** Prints the diagnostics of a file, then its plugins and the number of problems. */
export function printFileReport(file: string, report: FileReport, session: Session): void {
  printDiagnostics(file, report, session);
  printVerdict(file, { problems: report.problems.length, warnings: report.warnings.length }, session);
}

/** Prints the diagnostics of a file as compilers do, one per line, with the source lines of a syntax error below, then its plugins. */
export function printDiagnostics(file: string, report: FileReport, session: Session): void {
  const name = displayName(file);
  const print = (text: string) => session.print(wrapSentences(text, session.width, 2));
  const kinds = [
    ['problem', 'red', report.problems],
    ['warning', 'yellow', report.warnings],
    ['note', 'yellow', report.notes],
  ] as const;
  for (const [kind, color, diagnostics] of kinds)
    for (const diagnostic of diagnostics) {
      const { line, column, text } = diagnostic;
      print(`${name}:${line}:${column}: ${session.style(color, kind)}: ${text}`);
      for (const source of sourceExcerpt(diagnostic, session)) session.print(source);
    }
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

/** Lines are cut at this width if the output has no other. */
const widest = 120;

/** The source lines of a diagnostic, indented and numbered, with a caret below its position; nothing without source lines. */
function sourceExcerpt(
  { line, column, source = [] }: Diagnostic,
  { width, style }: Session,
): readonly string[] {
  if (source.length === 0) return [];
  const gutter = String(line).length;
  const room = Math.max(20, Math.min(width, widest) - gutter - 5);
  const skipped = Math.max(0, column - 1 - Math.floor(room / 2));
  const indented = (number: string, text: string) => `  ${number.padStart(gutter)} | ${text}`.trimEnd();
  const shown = (text: string, end?: number) =>
    printable(text.slice(skipped, end).replaceAll('\t', ' ')).slice(0, room);
  const before = shown(source.at(-1) ?? '', column - 1).length;
  return [
    ...source.map((text, index) => indented(String(line - source.length + 1 + index), shown(text))),
    indented('', `${' '.repeat(before)}${style('red', '^')}`),
  ];
}
