import type { Command } from 'commander';
import { type Diagnostic, displayName } from '../conflist/config-file.ts';
import { newCommand } from '../terminal/new-command.ts';
import { configFileText, type FormatFlags, formatOption, jsonOption } from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { readPluginFolders } from './plugin-folders.ts';
import { sourceExcerpt } from './source-excerpt.ts';
import { type ValidatedPlugin, type Validation, validateFile } from './validate-file.ts';

/** `validate`: checks a configuration file. */
export function validateCommand(session: Session): Command {
  return newCommand('validate', session, {
    summary: 'check a conflist or plugin configuration for errors',
    description:
      'Checks a conflist or a single plugin configuration in the same way as container runtimes and win-hcn do, and ' +
      'reports each problem with its line and column. A configuration of another supported plugin, such as win-bridge, ' +
      'is checked against the keys of that plugin; keys that win-hcn does not support are reported as notes. Probable ' +
      'mistakes are reported as warnings: misspelled capabilities and IPAM plugins, host-local ranges outside the subnets, ACLs ' +
      'that tie, ACLs with ports or addresses that do not fit, and, for nat, subnets with host bits and missing port mappings. validate searches for the IPAM plugin in the folders of ' +
      'CNI_PATH, or else in the default folders of containerd and of Kubernetes installers. Notes and warnings do not change the exit code. ' +
      'validate also runs on operating systems other than Windows.',
    examples: [
      'win-hcn validate C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn validate 10-win-hcn.conflist -o json',
      'kubectl get configmap cni -o jsonpath="{.data.conflist}" | win-hcn validate -',
    ],
  })
    .argument('<file>', configFileText)
    .addOption(formatOption())
    .addOption(jsonOption())
    .action((file: string, { output }: FormatFlags) => {
      const bytes = session.read(file);
      const folders = readPluginFolders(session);
      const validation = validateFile(bytes, file, session.system.executable, folders);
      if (validation.problems.length > 0) session.setExitCode(exitCode.problemFound);
      const data = serialized({ file, ...validation }, output);
      if (data !== undefined) session.print(data);
      else printValidation(file, validation, sessionFor(session, output));
    });
}

/** Prints the diagnostics of a file, then its plugins and the number of problems. */
export function printValidation(file: string, validation: Validation, session: Session): void {
  printDiagnostics(file, validation, session);
  printVerdict(file, { problems: validation.problems.length, warnings: validation.warnings.length }, session);
}

/** Prints the diagnostics of a file as compilers do, one per line, with the source lines of a syntax error below, then its plugins. */
export function printDiagnostics(
  file: string,
  { problems, warnings, notes, plugins }: Validation,
  session: Session,
): void {
  const name = displayName(file);
  const print = (text: string) => session.print(wrapSentences(text, session.width, 2));
  for (const problem of problems) {
    print(line(name, problem, session.style('red', 'problem')));
    for (const text of sourceExcerpt(problem, session)) session.print(text);
  }
  for (const warning of warnings) print(line(name, warning, session.style('yellow', 'warning')));
  for (const note of notes) print(line(name, note, session.style('yellow', 'note')));
  for (const plugin of plugins) print(describePlugin(name, plugin));
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

function line(name: string, { line, column, text }: Diagnostic, kind: string): string {
  return `${name}:${line}:${column}: ${kind}: ${text}`;
}

function describePlugin(name: string, { path, type, ours, dialect, networkType }: ValidatedPlugin): string {
  const at = path === '' ? name : `${name}: ${path}`;
  if (!ours) return `${at}: ${type || 'no type'}, not checked`;
  const network = networkType === undefined ? '' : `, network type ${networkType}`;
  return `${at}: ${dialect ?? 'win-hcn'} configuration${network}`;
}
