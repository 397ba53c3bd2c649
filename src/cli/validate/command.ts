import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { configFileText } from '../options.ts';
import { exitCode, type Session } from '../session.ts';
import { printValidation } from './print-validation.ts';
import { validateFile } from './validate-file.ts';

/** `validate`: checks a configuration file. */
export function validateCommand(session: Session): Command {
  return newCommand('validate', session, {
    summary: 'check a conflist or plugin configuration for errors',
    description:
      'Checks a conflist or the configuration of one plugin as container runtimes and win-hcn read it, and reports ' +
      'problems with line and column. Configurations of supported other plugins are checked in their own dialect. Tied ' +
      'ACLs are warnings and unsupported keys are notes: the exit code stays 0. Does not need Windows.',
    examples: [
      'win-hcn validate C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn validate --json 10-win-hcn.conflist',
      'kubectl get configmap cni -o jsonpath="{.data.conflist}" | win-hcn validate -',
    ],
  })
    .argument('<file>', configFileText)
    .option('--json', 'print JSON')
    .action((file: string, { json }: { json?: true }) => {
      const validation = validateFile(session.read(file), file, session.system.executable);
      if (validation.problems.length > 0) session.setExitCode(exitCode.problemFound);
      if (json) {
        session.print(JSON.stringify({ file, ...validation }, undefined, 2));
        return;
      }
      printValidation(file, validation, session);
    });
}
