import type { Command } from 'commander';
import type { Remark } from '../config-file.ts';
import { newCommand } from '../new-command.ts';
import { exitCode, type Session } from '../session.ts';
import { type ValidatedPlugin, validateFile } from './validate-file.ts';

/** `validate`: whether a configuration file is one, for a runtime and for win-hcn. */
export function validateCommand(session: Session): Command {
  return newCommand('validate', session, {
    summary: 'what is wrong with a conflist or a plugin configuration, with line and column',
    description:
      'Reads a conflist, or the configuration of one plugin, as a runtime and win-hcn do, and says what is wrong with it, where. ' +
      'Configurations of the plugins that win-hcn stands in for are read in their own vocabulary. Needs no Windows.',
    examples: [
      'win-hcn validate C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn validate --json 10-win-hcn.conflist',
      'kubectl get configmap cni -o jsonpath="{.data.conflist}" | win-hcn validate -',
    ],
  })
    .argument('<file>', 'a .conflist or .conf file; - is stdin')
    .option('--json', 'print JSON')
    .action((file: string, { json }: { json?: true }) => {
      const validation = validateFile(session.read(file), file, session.system.executable);
      const { problems, notes, plugins } = validation;
      if (problems.length > 0) session.end(exitCode.problemFound);
      if (json) {
        session.print(JSON.stringify({ file, ...validation }, undefined, 2));
        return;
      }
      const name = file === '-' ? 'stdin' : file;
      for (const problem of problems) session.print(line(name, problem, session.style('red', 'problem')));
      for (const note of notes) session.print(line(name, note, session.style('yellow', 'note')));
      for (const plugin of plugins) session.print(describePlugin(name, plugin));
      session.print(`${name}: ${verdict(problems.length, session)}`);
    });
}

function line(name: string, { line, column, text }: Remark, kind: string): string {
  return `${name}:${line}:${column}: ${kind}: ${text}`;
}

function describePlugin(name: string, { path, type, ours, dialect, networkType }: ValidatedPlugin): string {
  const at = path === '' ? name : `${name}: ${path}`;
  if (!ours) return `${at} is ${type || 'no plugin'}: not win-hcn's to look at`;
  const network = networkType === undefined ? '' : `, for a network of type ${networkType}`;
  return `${at} is in ${dialect === undefined ? "win-hcn's own vocabulary" : `the vocabulary of ${dialect}`}${network}`;
}

function verdict(problems: number, { style }: Session): string {
  if (problems === 0) return style('green', 'no problems');
  return style('red', problems === 1 ? '1 problem' : `${problems} problems`);
}
