import { win32 } from 'node:path';
import type { Command } from 'commander';
import { errorMessage } from '../../cni/error.ts';
import { limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { interceptHcnCalls } from '../../hcn/library.ts';
import { runChecks } from '../doctor/checks.ts';
import { findingsText } from '../doctor/command.ts';
import { checkNewFile } from '../terminal/files.ts';
import { newCommand } from '../terminal/new-command.ts';
import { exitCode, plain, type Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Cleaner, newCleaner } from './allow-list.ts';
import { type Collector, readmeFile, runCollectors, zip } from './collector.ts';
import { fileCollectors } from './file-collectors.ts';
import { hcnCollectors } from './hcn-collectors.ts';
import { processCollector, windowsCollectors } from './windows-collectors.ts';

interface Flags {
  readonly force?: boolean;
}

/** `collect`: creates a support bundle. */
export function collectCommand(session: Session): Command {
  return newCommand('collect', session, {
    summary: 'create a support bundle of this node, without secrets',
    description:
      'Creates a support bundle (zip file) that contains the HCN objects, the output of win-hcn ls and doctor, ' +
      'CNI and containerd configurations, logs, and Windows services, updates, routes, ports and ' +
      'events. collect does not send any data, and changes nothing on the node but the zip file. ' +
      'Values whose names win-hcn does not know to be harmless are replaced by <omitted>. README.txt in the zip file lists ' +
      'its files. If a part fails or reaches its time limit, it is left out and the exit code is 1. collect takes at most ' +
      'about ten minutes, even if HNS does not respond. If you press Ctrl+C, no file is created.',
    examples: ['win-hcn collect', 'win-hcn collect C:\\temp\\node.zip', 'win-hcn collect node.zip --force'],
  })
    .argument('[file]', 'path of the zip file (default: win-hcn-COMPUTER-TIME.zip in the current folder)')
    .option('--force', 'replace an existing file')
    .action((file: string | undefined, { force = false }: Flags, command: Command) =>
      collect(file, force, { ...session, system: session.quietSystem }, command),
    );
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
  const cleaner = newCleaner();
  const parts = await runCollectors(collectorsFor(session, cleaner), system);
  const readme = readmeFile({ computer, time, parts, omitted: cleaner.count() });
  const files = [readme, ...parts.flatMap((part) => part.files)];
  const bytes = zip(
    files.map((one) => ({ ...one, text: cleaner.hide(one.text) })),
    time,
  );
  try {
    terminal.writeFile(file, bytes);
  } catch (error) {
    session.printStderr(`win-hcn: ${errorMessage(error)}. No file was created: choose another path.`);
    return session.setExitCode(exitCode.problemFound);
  }
  session.print(`${file}: ${files.length} files, ${countText(cleaner.count(), 'value')} omitted`);
  const failed = parts.filter(({ problems = [] }) => problems.length > 0);
  if (failed.length === 0) return;
  const names = failed.map(({ name }) => name).join(', ');
  session.printStderr(`Incomplete: ${names}. See README.txt in the zip for the reasons.`);
  session.setExitCode(exitCode.problemFound);
}

/** Checks the path before collecting, which takes a minute. Returns the problem; undefined if the zip can be written. */
function checkOutput(file: string, force: boolean, terminal: Terminal): string | undefined {
  if (win32.extname(file).toLowerCase() !== '.zip')
    return `${file || "''"} does not end with .zip: name a file, such as ${win32.join(file, 'node.zip')}`;
  return checkNewFile(file, force, terminal);
}

/** A bundle may take longer than a request, and a busy node is slow. */
const secondsForCall = 30;

/** All collectors, in the order in which they run. Those that call HCN share one time limit, so that a hanging HNS is waited for once. */
function collectorsFor(session: Session, cleaner: Cleaner): readonly Collector[] {
  const { loadLibrary, timer, now } = session.system;
  const limit = newLimit(limitsPerCall(secondsForCall), timer, now);
  const library = interceptHcnCalls(loadLibrary, limitHcnCalls(limit));
  const limited = { ...session, system: { ...session.system, loadLibrary: async () => library } };
  return [
    ...hcnCollectors(limited, library, cleaner),
    ...fileCollectors(session, cleaner),
    doctorCollector(limited),
    processCollector(session.terminal),
    ...windowsCollectors(session.terminal),
  ];
}

function doctorCollector(session: Session): Collector {
  return {
    name: 'doctor',
    about: 'the output of win-hcn doctor',
    seconds: 120,
    collect: async () => {
      const { findings } = await runChecks(session, undefined);
      return { files: [{ path: 'doctor.txt', text: findingsText(findings, plain(session)) }] };
    },
  };
}
