import { type Command, InvalidArgumentError, Option } from 'commander';
import { readAdapters, readInventory } from '../inventory/read-inventory.ts';
import { reportNotFound, type Search } from '../inventory/resolve-object.ts';
import { findPod, type Pod } from '../show/find-container.ts';
import { newCommand } from '../terminal/new-command.ts';
import { checkNewFile } from '../terminal/new-file.ts';
import { podText } from '../terminal/options.ts';
import { type Format, formatted } from '../terminal/output.ts';
import { newProgress } from '../terminal/progress.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { destinationText, nodeAddresses } from '../trace/command.ts';
import { findTarget } from '../trace/find-target.ts';
import { predictPath } from '../trace/predict-path.ts';
import { type ReadNode, readNodeState } from '../trace/read-node-state.ts';
import { type Destination, invalidDestination } from '../traffic/destination.ts';
import { analyze } from './analyze.ts';
import { convert } from './convert.ts';
import { captureFilters, filterText } from './filters.ts';
import { newCapturePort } from './port.ts';
import { record } from './record.ts';
import type { CaptureReport } from './report.ts';
import { reportText } from './report-text.ts';
import { capturedTraffic } from './traffic.ts';

interface Flags {
  readonly seconds: number;
  readonly output?: OutputFlags;
  readonly file?: string;
  readonly force?: boolean;
}

/** `-o` names a format, or the file, as in the tools that write captures. */
interface OutputFlags {
  readonly format?: Format;
  readonly file?: string;
}

const formats: readonly Format[] = ['table', 'wide', 'json', 'yaml'];
/** Without a file, headers are enough: pktmon's default. */
const headerBytes = 128;
const wholePackets = 0;

/** `capture`: records a pod's packets with pktmon and shows where they are dropped. */
export function captureCommand(session: Session): Command {
  return newCommand('capture', session, {
    summary: "record a pod's packets and show where they are dropped",
    description:
      'Records the packets of a pod, or those between a pod and a destination, with pktmon.exe of Windows, and shows how many packets ' +
      'each hop has seen, and where and why pktmon reports drops. With a destination, the predicted path of a packet is shown beside it. ' +
      'Send the traffic during the capture. capture adds filters to pktmon and removes them at the end, also after Ctrl+C, which ends ' +
      'the capture early. It refuses if another capture is running or if pktmon has filters of other programs. The next capture ' +
      'removes the leftovers of a killed one. With a file, whole packets are recorded, otherwise their first 128 bytes. capture requires an ' +
      'administrator, and Windows Server 2019 or later; it reports features that an early build of pktmon lacks. Exit code: 1 if packets were ' +
      'dropped, took another path than predicted, or were not seen.',
    examples: [
      'win-hcn capture shop/web',
      'win-hcn capture shop/web 10.96.0.10:80 --seconds 30',
      'win-hcn capture shop/web 8.8.8.8 --file C:\\temp\\web.pcapng',
    ],
  })
    .argument('<pod>', podText)
    .argument('[dest]', destinationText)
    .addOption(
      new Option('--seconds <seconds>', 'how long to record, 1 to 3600').argParser(parseSeconds).default(10),
    )
    .option('--file <file>', 'pcapng file to create; -o FILE.pcapng is the same')
    .addOption(new Option('-o, --output <format>', 'output format').choices(formats).argParser(parseOutput))
    .option('--force', 'replace an existing file')
    .action(async (key: string, target: string | undefined, flags: Flags, command: Command) => {
      const { seconds, output, force = false } = flags;
      if (flags.file !== undefined && output?.file !== undefined)
        return command.error('win-hcn: specify the file only once, with --file or -o');
      const file = flags.file ?? output?.file;
      const problem = file === undefined ? undefined : fileProblem(file, force, session.terminal);
      if (problem !== undefined) return command.error(`win-hcn: ${problem}`);
      const read = target === undefined ? await readNode(session) : await readNodeState(session);
      const { inventory } = read.node;
      const search = findPod(key, inventory);
      if ('problem' in search) return reportNotFound(search, inventory, session);
      const found = target === undefined ? undefined : findDestinations(target, search.found, read);
      if (found === 'invalid') return command.error(`win-hcn: ${invalidDestination(target ?? '')}`);
      if (found !== undefined && 'problem' in found) return reportNotFound(found, inventory, session);
      const request = { pod: search.found, destinations: found?.found, file, seconds, force };
      await capture(request, read, output?.format, session);
    });
}

interface CaptureRequest {
  readonly pod: Pod;
  /** Undefined for all traffic. */
  readonly destinations: readonly Destination[] | undefined;
  readonly file: string | undefined;
  readonly seconds: number;
  readonly force: boolean;
}

async function capture(
  { pod, destinations, file, seconds, force }: CaptureRequest,
  read: ReadNode,
  format: Format | undefined,
  session: Session,
): Promise<void> {
  const { inventory } = read.node;
  const traffic = capturedTraffic(
    pod.endpoints,
    destinations,
    inventory,
    (endpoint, destination) =>
      predictPath({ is: 'pod', endpoint }, destination, read)?.ways.map(({ path }) => path) ?? [],
  );
  if ('problem' in traffic) {
    session.printStderr(`win-hcn: ${traffic.problem}.`);
    return session.setExitCode(exitCode.problemFound);
  }
  const filters = captureFilters(traffic.request);
  const progress = newProgress(session);
  const { port, release } = newCapturePort(session, progress);
  try {
    const bytes = file === undefined ? headerBytes : wholePackets;
    const recorded = await record({ filters, seconds, bytes }, port);
    const { log, lacks, isComplete } = await convert(recorded.log, file, force, port);
    progress.end();
    const findings = analyze({ ...recorded, log, seconds }, read.node, traffic.ends, traffic.paths);
    const report: CaptureReport = {
      container: pod.container,
      ...(pod.name !== undefined && { pod: pod.name }),
      ...(destinations !== undefined && { destinations }),
      endpoints: traffic.endpoints,
      filters: filters.map(filterText),
      ...findings,
      lacks: [...recorded.lacks, ...lacks],
      ...(file !== undefined && isComplete && { file }),
    };
    for (const one of recorded.leftBehind) session.printStderr(`win-hcn: ${one}`);
    if (findings.isProblem || recorded.leftBehind.length > 0 || !isComplete)
      session.setExitCode(exitCode.problemFound);
    session.print(formatted(report, format, (one) => reportText(one, sessionFor(session, format))));
  } finally {
    progress.end();
    release();
  }
}

/** The destinations that the text names, as `trace` reads it. */
function findDestinations(
  text: string,
  { endpoints }: Pod,
  read: ReadNode,
): Search<readonly Destination[]> | 'invalid' {
  const senders = endpoints.map((endpoint) => ({ is: 'pod', endpoint }) as const);
  const target = findTarget(text, nodeAddresses(senders, read), read.node.inventory);
  if (target === undefined) return 'invalid';
  return 'problem' in target ? target : { found: target.found.destinations };
}

/** Checks the path before capturing. Returns the problem; undefined if the file can be created. */
function fileProblem(file: string, force: boolean, terminal: Terminal): string | undefined {
  return isCaptureFile(file)
    ? checkNewFile(file, force, terminal)
    : `${file || "''"} does not end with .pcapng`;
}

function isCaptureFile(text: string): boolean {
  return /\.pcapng$/i.test(text);
}

/** Reads what the names of components need: nothing is predicted without a destination. */
async function readNode(session: Session): Promise<ReadNode> {
  const inventory = await readInventory(session);
  const adapters = await readAdapters(session.system, 10).catch(() => []);
  return { node: { inventory, adapters, routes: [], forwarding: [] }, unread: [] };
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > 3600)
    throw new InvalidArgumentError('expected a number of seconds from 1 to 3600');
  return seconds;
}

function parseOutput(text: string, previous: OutputFlags = {}): OutputFlags {
  const format = formats.find((one) => one === text);
  if (format !== undefined) return { ...previous, format };
  if (isCaptureFile(text)) return { ...previous, file: text };
  throw new InvalidArgumentError(`expected ${formats.join(', ')}, or a file name that ends with .pcapng`);
}
