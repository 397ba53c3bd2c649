import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { exitCode, type Session } from '../session.ts';
import { printValidation } from './print-validation.ts';
import { validateFile } from './validate-file.ts';

/** `validate`: whether a configuration file is one, for a runtime and for win-hcn. */
export function validateCommand(session: Session): Command {
  return newCommand('validate', session, {
    summary: 'what is wrong with a conflist or a plugin configuration, with line and column',
    description:
      'Reads a conflist, or the configuration of one plugin, as a runtime and win-hcn do, and says what is wrong with it, where. ' +
      'Configurations of other supported plugins are read in their own dialect. Two ACLs that tie are a warning, an ignored key is a ' +
      'note; neither changes exit code 0. Does not need Windows.',
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
      if (validation.problems.length > 0) session.setExitCode(exitCode.problemFound);
      if (json) {
        session.print(JSON.stringify({ file, ...validation }, undefined, 2));
        return;
      }
      printValidation(file, validation, session);
    });
}
