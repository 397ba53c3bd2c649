import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { dataFormatOption } from '../options.ts';
import { serialized } from '../output.ts';
import { exitCode, type Session } from '../session.ts';
import { runChecks } from './checks.ts';
import { countVerdicts, findingsText } from './findings-text.ts';
import { readConfFile } from './runtime/conf-files.ts';

interface Flags {
  readonly conf?: string;
  readonly output?: 'json' | 'yaml';
}

/** `doctor`: diagnoses the pod network of this node. */
export function doctorCommand(session: Session): Command {
  return newCommand('doctor', session, {
    summary: 'diagnose this node and suggest fixes',
    description:
      'Checks what pods need on this node: administrator rights, the Host Network Service, containerd, its CNI configurations and plugins, ' +
      'file permissions, the network, adapters, ports and endpoints. Each check passes, warns or fails, or is unknown if its data is not ' +
      'available. Findings include a PowerShell command that fixes the problem (fix) or shows details (see). Changes nothing. Run it as an ' +
      'administrator. Exit codes: 1 if a check fails, 3 if the Host Network Service does not respond, otherwise 0.',
    examples: [
      'win-hcn doctor',
      'win-hcn doctor --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      "win-hcn doctor -o json | ConvertFrom-Json | ForEach-Object findings | Where-Object verdict -eq 'FAIL'",
    ],
  })
    .option('--conf <file>', "check this configuration instead of the runtime's; - for stdin")
    .addOption(dataFormatOption())
    .action(async ({ conf, output }: Flags) => {
      const given = conf === undefined ? undefined : readGiven(conf, session);
      if (session.terminal.width !== undefined)
        session.printStderr('Checking this node. This takes seconds, or up to a minute if something hangs.');
      const { findings, isHnsAvailable } = await runChecks(session, given);
      const counts = countVerdicts(findings);
      session.print(serialized({ findings, counts }, output) ?? findingsText(findings, session));
      if (!isHnsAvailable) session.setExitCode(exitCode.hnsUnavailable);
      else if (counts.FAIL > 0) session.setExitCode(exitCode.problemFound);
    });
}

function readGiven(path: string, session: Session) {
  return readConfFile(path, session.read(path), session.system.executable);
}
