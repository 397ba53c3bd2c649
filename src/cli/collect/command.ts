import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { exitCode, type Session } from '../session.ts';
import { caps, prepare, zip } from './bundle.ts';
import { reasonOf, textFile } from './collector.ts';
import { collectorsFor } from './collectors.ts';
import { readmeText } from './readme-text.ts';
import { runCollectors, secondsSince } from './run-collectors.ts';
import { problemWith } from './zip-path.ts';

interface Flags {
  readonly output?: string;
  readonly force?: boolean;
}

/** `collect`: a support bundle. */
export function collectCommand(session: Session): Command {
  return newCommand('collect', session, {
    summary: 'a support bundle: HCN, configurations, logs and Windows of this node in one zip, redacted',
    description:
      "Writes a support bundle: HCN's objects as HCN answers them, what win-hcn ls, graph and doctor show, the network adapters, the configurations of CNI " +
      'and of containerd, logs, and what Windows says of services, updates, routes, ports and events. Nothing is downloaded, sent or changed, ' +
      'and nothing but the zip is written. Passwords, tokens and keys are replaced by <redacted>; README.txt in the zip says how they are ' +
      'recognized. A part that fails or hangs is left out after its deadline: the zip is written all the same, with exit code 1. ' +
      'Where everything hangs that takes some ten minutes. Ctrl+C before the end leaves nothing.',
    examples: [
      'win-hcn collect',
      'win-hcn collect -o C:\\temp\\node.zip',
      'win-hcn collect -o node.zip --force',
    ],
  })
    .option('-o, --output <file>', 'the zip (default: win-hcn-COMPUTER-TIME.zip in this folder)')
    .option('--force', 'replace a file that is there already')
    .action((flags: Flags, command: Command) => collect(flags, session, command));
}

async function collect({ output, force = false }: Flags, session: Session, command: Command): Promise<void> {
  const { system, terminal } = session;
  const taken = system.clock();
  const computer = system.environment['COMPUTERNAME'] || 'node';
  const file = output ?? `win-hcn-${computer}-${taken.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.zip`;
  const problem = problemWith(file, force, terminal);
  if (problem !== undefined) command.error(`win-hcn: ${problem}`);
  const outcomes = await runCollectors(collectorsFor(session), system);
  const started = system.now();
  system.writeStderr('packing ... ');
  const { packed, leftOut } = prepare(
    outcomes.flatMap(({ collected }) => collected.files),
    caps,
  );
  const readme = textFile('README.txt', readmeText({ computer, taken, outcomes, packed, leftOut }));
  const bytes = zip([readme, ...packed], taken);
  session.printStderr(secondsSince(started, system.now));
  try {
    terminal.writeFile(file, bytes);
  } catch (error) {
    session.printStderr(
      `win-hcn: cannot write ${file}: ${reasonOf(error)}. Nothing is kept: choose another place with -o.`,
    );
    return session.setExitCode(exitCode.problemFound);
  }
  const secrets = packed.reduce((sum, one) => sum + one.redacted, 0);
  session.print(
    `${file}: ${packed.length + 1} files, ${sizeOf(bytes.length)}, ${secrets} ${secrets === 1 ? 'secret' : 'secrets'} redacted`,
  );
  const failed = outcomes.filter(({ collected }) => (collected.problems ?? []).length > 0);
  if (failed.length === 0 && leftOut.length === 0) return;
  session.printStderr(
    `Not complete: ${[...failed.map(({ collector }) => collector.name), ...leftOut].join(', ')}. README.txt in it says why.`,
  );
  session.setExitCode(exitCode.problemFound);
}

function sizeOf(bytes: number): string {
  const kibibytes = bytes / 1024;
  return kibibytes < 1024 ? `${Math.ceil(kibibytes)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`;
}
