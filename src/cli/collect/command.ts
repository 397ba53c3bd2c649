import { win32 } from 'node:path';
import type { Command } from 'commander';
import { zipSync } from 'fflate';
import { errorMessage } from '../../cni/error.ts';
import { codeCache, version } from '../../version.ts';
import { findAll } from '../doctor/checks.ts';
import { findingsText } from '../doctor/command.ts';
import type { Finding } from '../doctor/finding.ts';
import { takeSnapshot } from '../doctor/snapshot.ts';
import { checkNewFile } from '../terminal/files.ts';
import { newCommand } from '../terminal/new-command.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, plain, type Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Cleaner, newCleaner, omittedMark } from './allow-list.ts';
import { collectHnsDocuments, collectObjects } from './hcn.ts';
import { collectConfigurations, collectLogs } from './node-files.ts';
import { type BundleFile, type Part, runParts } from './part.ts';
import { windowsParts } from './windows.ts';

interface Flags {
  readonly force?: boolean;
}

/** `collect`: creates a support bundle. */
export function collectCommand(session: Session): Command {
  return newCommand('collect', session, {
    summary: 'create a support bundle of this node, without secrets',
    description:
      'Creates a zip file of HCN objects, the output of win-hcn ls and doctor, CNI configurations, logs, and Windows services, ' +
      'updates, routes, ports and events. Values whose names win-hcn does not know to be harmless are <omitted>. It changes ' +
      'nothing else and sends nothing. It takes up to ten minutes if HNS does not respond. A part that fails is left out, and ' +
      'the exit code is 1.',
    examples: ['win-hcn collect', 'win-hcn collect C:\\temp\\node.zip', 'win-hcn collect node.zip --force'],
  })
    .argument('[file]', 'path of the zip file (default: win-hcn-COMPUTER-TIME.zip in the current folder)')
    .option('--force', 'replace an existing file')
    .action((file: string | undefined, { force = false }: Flags, command: Command) =>
      collect(file, force, session, command),
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
  const { files: collected, problems } = await runParts(partsOf(session, cleaner), system);
  const omitted = `${countText(cleaner.count(), 'value')} omitted`;
  const files = [readme(`Computer ${computer}, ${time.toISOString()}.`, omitted, problems), ...collected];
  try {
    terminal.writeFile(file, zip(files, cleaner, time));
  } catch (error) {
    session.printStderr(`win-hcn: ${errorMessage(error)}. No file was created: choose another path.`);
    return session.setExitCode(exitCode.problemFound);
  }
  session.print(`${printable(file)}: ${files.length} files, ${omitted}`);
  if (problems.length > 0) session.setExitCode(exitCode.problemFound);
}

/** Checks the path before collecting, which takes a minute. Returns the problem; undefined if the zip can be written. */
function checkOutput(file: string, force: boolean, terminal: Terminal): string | undefined {
  if (win32.extname(file).toLowerCase() !== '.zip')
    return `${file || "''"} does not end with .zip: name a file, such as ${win32.join(file, 'node.zip')}`;
  return checkNewFile(file, force, terminal);
}

/** All parts, in the order in which they run. Most of them use what doctor read, which is run first. */
function partsOf(session: Session, cleaner: Cleaner): readonly Part[] {
  const { terminal } = session;
  let running: ReturnType<typeof takeSnapshot> | undefined;
  const checked = () => {
    running ??= takeSnapshot(session);
    return running;
  };
  const part = (name: string, collect: Part['collect']): Part => ({ name, seconds: 120, collect });
  return [
    part('doctor', async () => {
      const text = findingsText(findAll((await checked()).snapshot).map(withoutValues), plain(session));
      return { files: [{ path: 'doctor.txt', text }], problems: [] };
    }),
    part('HCN objects', async () => collectObjects((await checked()).snapshot, cleaner, session)),
    part('HNS documents', async () => {
      if ((await checked()).isHnsAvailable) return collectHnsDocuments(session, cleaner);
      return { files: [], problems: ['the Host Network Service does not respond'] };
    }),
    part('configurations', async () => collectConfigurations((await checked()).snapshot, terminal, cleaner)),
    part('logs', async () => collectLogs((await checked()).snapshot, terminal, cleaner)),
    ...windowsParts(terminal),
  ];
}

/** A finding without the text about a member of a configuration, which has its key and value. */
function withoutValues(finding: Finding): Finding {
  return { ...finding, seen: finding.seen.replace(/(line \d+, column \d+): .*/s, `$1: ${omittedMark}`) };
}

/** README.txt: what was omitted, and what is missing. */
function readme(origin: string, omitted: string, problems: readonly string[]): BundleFile {
  const lines = [
    `Support bundle of win-hcn ${version}, created by win-hcn collect. Code cache: ${codeCache}.`,
    origin,
    'Start with doctor.txt and ls.txt.',
    '',
    `${omitted}: configurations, documents and logs contain only values whose names win-hcn knows to be harmless,`,
    `and ${omittedMark} for the others. Events are without their texts.`,
    'The files contain addresses and the names of networks, pods, containers and this computer.',
    ...(problems.length === 0 ? [] : ['', 'MISSING', ...problems.map((problem) => `  ${problem}`)]),
  ];
  return { path: 'README.txt', text: lines.join('\n') };
}

/** The files as a zip, without texts that are secret in one of them. */
function zip(files: readonly BundleFile[], { hide }: Cleaner, time: Date): Uint8Array {
  // Times in a zip start in 1980; a node's clock may be before that.
  const mtime = Math.max(time.getTime(), Date.UTC(1980, 0, 2));
  const contents = files.map(({ path, text }) => [
    path,
    new TextEncoder().encode(hide(text.endsWith('\n') ? text : `${text}\n`)),
  ]);
  return zipSync(Object.fromEntries(contents), { mtime });
}
