import { type Diagnostic, displayName } from '../config-file.ts';
import type { Session } from '../session.ts';
import type { ValidatedPlugin, Validation } from './validate-file.ts';

/** Prints the diagnostics of a file as compilers do, one per line, then its plugins and the number of problems. */
export function printValidation(
  file: string,
  { problems, warnings, notes, plugins }: Validation,
  session: Session,
): void {
  const name = displayName(file);
  for (const problem of problems) session.print(line(name, problem, session.style('red', 'problem')));
  for (const warning of warnings) session.print(line(name, warning, session.style('yellow', 'warning')));
  for (const note of notes) session.print(line(name, note, session.style('yellow', 'note')));
  for (const plugin of plugins) session.print(describePlugin(name, plugin));
  session.print(`${name}: ${verdict(problems.length, session)}${count(warnings.length)}`);
}

function line(name: string, { line, column, text }: Diagnostic, kind: string): string {
  return `${name}:${line}:${column}: ${kind}: ${text}`;
}

function describePlugin(name: string, { path, type, ours, dialect, networkType }: ValidatedPlugin): string {
  const at = path === '' ? name : `${name}: ${path}`;
  if (!ours) return `${at}: ${type || 'no type'}, not checked`;
  const network = networkType === undefined ? '' : `, network type ${networkType}`;
  return `${at}: ${dialect ?? 'win-hcn'} configuration${network}`;
}

function verdict(problems: number, { style }: Session): string {
  if (problems === 0) return style('green', 'no problems');
  return style('red', problems === 1 ? '1 problem' : `${problems} problems`);
}

function count(warnings: number): string {
  if (warnings === 0) return '';
  return warnings === 1 ? ', 1 warning' : `, ${warnings} warnings`;
}
