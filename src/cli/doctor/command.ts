import { type Command, Option } from 'commander';
import { newCommand } from '../new-command.ts';
import { serialized } from '../output.ts';
import { exitCode, type Session } from '../session.ts';
import { examine } from './checks.ts';
import { gather, readGiven } from './gather.ts';
import { countVerdicts, findingsText } from './print.ts';

interface Flags {
  readonly conf?: string;
  readonly output?: 'json' | 'yaml';
}

/** `doctor`: what is wrong with this node, as far as pods' networks go. */
export function doctorCommand(session: Session): Command {
  return newCommand('doctor', session, {
    summary: 'what is wrong with this node, in order, each with the command that mends it',
    description:
      'Looks at everything that pods need of this node: rights, the Host Network Service, containerd, its configuration and its ' +
      'plugins, who may change them, the network, the adapters, the ports, the endpoints. Each check passes, warns, fails, or is unknown ' +
      'where nobody can tell, and has the PowerShell command that mends it (fix) or shows more (see). Nothing is changed. Run it as an ' +
      'administrator. It ends with 1 when a check fails, and with 3 when the Host Network Service does not answer; warnings alone are fine.',
    examples: [
      'win-hcn doctor',
      'win-hcn doctor --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      "win-hcn doctor -o json | ConvertFrom-Json | ForEach-Object findings | Where-Object verdict -eq 'FAIL'",
    ],
  })
    .option('--conf <file>', "a configuration to check in the place of the runtime's; - is stdin")
    .addOption(new Option('-o, --output <format>', 'print JSON or YAML').choices(['json', 'yaml']))
    .action(async ({ conf, output }: Flags) => {
      const given = conf === undefined ? undefined : readGiven(conf, session);
      if (session.terminal.width !== undefined)
        session.printStderr('Looking at this node: seconds, or a minute where something hangs.');
      const { facts, hnsAnswers } = await gather(session, given);
      const findings = examine(facts);
      const counts = countVerdicts(findings);
      session.print(serialized({ findings, counts }, output) ?? findingsText(findings, session));
      if (!hnsAnswers) session.setExitCode(exitCode.hnsUnavailable);
      else if (counts.FAIL > 0) session.setExitCode(exitCode.problemFound);
    });
}
