import { win32 } from 'node:path';
import { type Command, Option } from 'commander';
import { errorMessage } from '../../cni/error.ts';
import { limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { interceptHcnCalls } from '../../hcn/library.ts';
import { runChecks } from '../doctor/checks.ts';
import { findingsText } from '../doctor/command.ts';
import { readAdapters } from '../inventory/read-inventory.ts';
import { newCommand } from '../terminal/new-command.ts';
import { checkNewFile } from '../terminal/new-file.ts';
import { exitCode, plain, type Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { packFiles, readmeText, sizeLimits, zip } from './bundle.ts';
import { type Collector, runCollectors, secondsSince, textFile } from './collector.ts';
import { fileCollectors } from './file-collectors.ts';
import { hcnCollectors } from './hcn-collectors.ts';
import { windowsCollectors } from './windows-collectors.ts';

interface Flags {
  readonly file?: string;
  /** The name of `--file` in earlier versions. */
  readonly output?: string;
  readonly force?: boolean;
}

/** `collect`: creates a support bundle. */
export function collectCommand(session: Session): Command {
  return newCommand('collect', session, {
    summary: 'create a redacted support bundle of this node',
    description:
      'Creates a support bundle (zip file) that contains the HCN objects, the output of win-hcn ls and doctor, ' +
      'network adapters, CNI and containerd configurations, logs, and Windows services, updates, routes, ports and ' +
      'events. collect does not send any data, and changes nothing on the node but the zip file. Passwords, tokens and ' +
      'keys are replaced by <redacted>. In files of other programs, values that are not known to be harmless are replaced by ' +
      '<omitted>. README.txt in the zip file describes how they are recognized. If a part fails ' +
      'or reaches its time limit, it is left out and the exit code is 1. collect takes at most about ten minutes, even ' +
      'if HNS does not respond. If you press Ctrl+C, no file is created.',
    examples: [
      'win-hcn collect',
      'win-hcn collect C:\\temp\\node.zip',
      'win-hcn collect --file node.zip --force',
    ],
  })
    .argument('[file]', 'path of the zip file (default: win-hcn-COMPUTER-TIME.zip in the current folder)')
    .option('--file <file>', 'same as the argument')
    .addOption(new Option('-o, --output <file>').hideHelp())
    .option('--force', 'replace an existing file')
    .action((file: string | undefined, { output, force = false, ...flags }: Flags, command: Command) => {
      const [path, ...others] = [file, flags.file, output].filter((one) => one !== undefined);
      if (others.length > 0)
        command.error('win-hcn: specify the file only once, as an argument or with --file');
      return collect(path, force, { ...session, system: session.quietSystem }, command);
    });
}

async function collect(
  path: string | undefined,
  force: boolean,
  session: Session,
  command: Command,
): Promise<void> {
  const { system, terminal } = session;
  const time = system.clock();
  const computer = system.environment['COMPUTERNAME'] || 'node';
  const file = path ?? `win-hcn-${computer}-${time.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.zip`;
  const problem = checkOutput(file, force, terminal);
  if (problem !== undefined) command.error(`win-hcn: ${problem}`);
  const outcomes = await runCollectors(collectorsFor(session), system);
  const started = system.now();
  system.writeStderr('packing ... ');
  const { packed, leftOut, hide } = packFiles(
    outcomes.flatMap(({ collected }) => collected.files),
    sizeLimits,
  );
  const readme = textFile('README.txt', hide(readmeText({ computer, time, outcomes, packed, leftOut })).text);
  const bytes = zip([readme, ...packed], time);
  session.printStderr(secondsSince(started, system.now));
  try {
    terminal.writeFile(file, bytes);
  } catch (error) {
    session.printStderr(
      `win-hcn: ${errorMessage(error)}. No file was created: choose another path with --file.`,
    );
    return session.setExitCode(exitCode.problemFound);
  }
  const replaced = packed.reduce((sum, one) => sum + one.redacted, 0);
  session.print(
    `${file}: ${packed.length + 1} files, ${formatSize(bytes.length)}, ${countText(replaced, 'value')} redacted`,
  );
  const failed = outcomes.filter(({ collected }) => (collected.problems ?? []).length > 0);
  if (failed.length === 0 && leftOut.length === 0) return;
  const incomplete = [...failed.map(({ collector }) => collector.name), ...leftOut];
  session.printStderr(`Incomplete: ${incomplete.join(', ')}. See README.txt in the zip for the reasons.`);
  session.setExitCode(exitCode.problemFound);
}

/** Checks the path before collecting, which takes a minute. Returns the problem; undefined if the zip can be written. */
function checkOutput(file: string, force: boolean, terminal: Terminal): string | undefined {
  if (win32.extname(file).toLowerCase() !== '.zip')
    return `${file || "''"} does not end with .zip: name a file, such as ${win32.join(file, 'node.zip')}`;
  return checkNewFile(file, force, terminal);
}

function formatSize(bytes: number): string {
  const kibibytes = bytes / 1024;
  return kibibytes < 1024 ? `${Math.ceil(kibibytes)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`;
}

/** A bundle may take longer than a request, and a busy node is slow. */
const secondsForCall = 30;

/** All collectors, in the order in which they run. Those that call HCN share one time limit, so that a hanging HNS is waited for once. */
export function collectorsFor(session: Session): readonly Collector[] {
  const { loadLibrary, timer, now } = session.system;
  const library = interceptHcnCalls(
    loadLibrary,
    limitHcnCalls(newLimit(limitsPerCall(secondsForCall), timer, now)),
  );
  const limited = { ...session, system: { ...session.system, loadLibrary: async () => library } };
  return [
    ...hcnCollectors(session, library),
    adapters(session),
    ...fileCollectors(session),
    doctor(limited),
    ...windowsCollectors(session.terminal),
  ];
}

function adapters({ system }: Session): Collector {
  return {
    name: 'adapters',
    about: 'the network adapters as win-hcn reads them',
    seconds: 30,
    collect: async () => ({
      files: [textFile('adapters.json', JSON.stringify(await readAdapters(system, 20), undefined, 2))],
    }),
  };
}

function doctor(session: Session): Collector {
  return {
    name: 'doctor',
    about: 'the output of win-hcn doctor',
    seconds: 120,
    collect: async () => {
      const { findings } = await runChecks(session, undefined);
      return { files: [textFile('doctor.txt', findingsText(findings, plain(session)))] };
    },
  };
}
