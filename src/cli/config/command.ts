import type { Command } from 'commander';
import { checkFile } from '../conflist/check-file.ts';
import { readPluginFolders } from '../conflist/checks/runtime.ts';
import { printFileReport } from '../conflist/print.ts';
import { newCommand } from '../terminal/new-command.ts';
import { configFileText, type FormatFlags, formatOption, jsonOption } from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { generateCommand } from './generate-command.ts';
import { planCommand } from './plan.ts';

/** `config`: generates, checks and previews configurations. */
export function configCommand(session: Session): Command {
  return newCommand('config', session, {
    summary: 'generate, check or preview a conflist',
    examples: [
      'win-hcn config generate --type L2Bridge --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12',
      'win-hcn config check C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
    ],
    subcommands: [generateCommand(session), checkCommand(session), planCommand(session)],
  });
}

function checkCommand(session: Session): Command {
  return newCommand('config check', session, {
    summary: 'check a conflist or plugin configuration for errors',
    description:
      'Checks a conflist or a single plugin configuration in the same way as container runtimes and win-hcn do, and ' +
      'reports each problem with its line and column. A configuration of another supported plugin, such as win-bridge, ' +
      'is checked against the keys of that plugin; keys that win-hcn does not support are reported as notes. Of a valid ' +
      'configuration, probable mistakes are reported as warnings: misspelled capabilities and IPAM plugins, host-local ranges outside the subnets, ACLs ' +
      'that tie, ACLs with ports or addresses that do not fit, and, for nat, subnets with host bits and missing port mappings. The IPAM plugin is searched in the folders of ' +
      'CNI_PATH, or else in the default folders of containerd and of Kubernetes installers. Notes and warnings do not change the exit code. ' +
      'The command also runs on operating systems other than Windows.',
    examples: [
      'win-hcn config check C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn config check 10-win-hcn.conflist -o json',
      'kubectl get configmap cni -o jsonpath="{.data.conflist}" | win-hcn config check -',
    ],
  })
    .argument('<file>', configFileText)
    .addOption(formatOption())
    .addOption(jsonOption())
    .action((file: string, { output }: FormatFlags) => {
      const report = checkFile(
        session.read(file),
        file,
        session.system.executable,
        readPluginFolders(session),
      );
      if (report.problems.length > 0) session.setExitCode(exitCode.problemFound);
      const data = serialized({ file, ...report }, output);
      if (data !== undefined) session.print(data);
      else printFileReport(file, report, sessionFor(session, output));
    });
}
