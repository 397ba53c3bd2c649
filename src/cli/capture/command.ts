import { type Command, InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../cni/error.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { readAdapters, readInventory } from '../inventory/read-inventory.ts';
import { newCommand } from '../new-command.ts';
import { checkNewFile } from '../new-file.ts';
import { podText } from '../options.ts';
import { type Format, formatted } from '../output.ts';
import { newProgress } from '../progress.ts';
import { reportNotFound } from '../resolve-object.ts';
import { exitCode, type Session, sessionFor } from '../session.ts';
import { findPod } from '../show/find-container.ts';
import type { Terminal } from '../terminal.ts';
import { type Destination, invalidDestination, parseDestination } from '../traffic/destination.ts';
import { analyze, type Findings } from './analyze.ts';
import { convert } from './convert.ts';
import { captureFilters, filterText } from './filters.ts';
import { newCapturePort } from './port.ts';
import { record } from './record.ts';
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

/** The result of a capture. */
export interface CaptureReport extends Findings {
  readonly container: string;
  readonly pod?: string;
  readonly destination?: Destination;
  readonly endpoints: readonly CapturedEndpoint[];
  /** pktmon's filters, in words. */
  readonly filters: readonly string[];
  /** What this build of pktmon could not do. */
  readonly lacks: readonly string[];
  /** The file with the packets; absent if none was asked for. */
  readonly file?: string;
}

export interface CapturedEndpoint {
  readonly endpoint: EndpointId;
  readonly network: string;
  readonly addresses: readonly string[];
  readonly macAddress: string;
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
      'each hop has seen, and where and why pktmon reports drops. With a destination, the predicted way of a packet is shown beside it. ' +
      'Send the traffic during the capture. capture adds filters to pktmon and removes them at the end, also after Ctrl+C, which ends ' +
      'the capture early. It refuses if another capture is running or if pktmon has filters of other programs. What a killed capture ' +
      'left is removed by the next one. With a file, whole packets are recorded, otherwise their first 128 bytes. capture requires an ' +
      'administrator, and Windows Server 2019 or later; what an early build of pktmon lacks is reported. Exit code: 1 if packets were ' +
      'dropped, took another way than predicted, or were not seen.',
    examples: [
      'win-hcn capture shop/web',
      'win-hcn capture shop/web 10.96.0.10:80 --seconds 30',
      'win-hcn capture shop/web 8.8.8.8 --file C:\\temp\\web.pcapng',
    ],
  })
    .argument('<pod>', podText)
    .argument(
      '[destination]',
      'destination as ADDRESS[:PORT][/PROTOCOL] (default protocol: tcp if there is a port)',
    )
    .addOption(
      new Option('--seconds <seconds>', 'how long to record, 1 to 3600').argParser(parseSeconds).default(10),
    )
    .option('--file <file>', 'pcapng file to create; -o FILE.pcapng is the same')
    .addOption(new Option('-o, --output <format>', 'output format').choices(formats).argParser(parseOutput))
    .option('--force', 'replace an existing file')
    .action(async (key: string, text: string | undefined, flags: Flags, command: Command) => {
      const destination = text === undefined ? undefined : parseDestination(text);
      if (text !== undefined && destination === undefined)
        return command.error(`win-hcn: ${invalidDestination(text)}`);
      if (flags.file !== undefined && flags.output?.file !== undefined)
        return command.error('win-hcn: specify the file only once, with --file or -o');
      const file = flags.file ?? flags.output?.file;
      const problem =
        file === undefined ? undefined : fileProblem(file, flags.force === true, session.terminal);
      if (problem !== undefined) return command.error(`win-hcn: ${problem}`);
      await capture({ key, destination, file, ...flags }, session);
    });
}

interface CaptureRequest extends Omit<Flags, 'file'> {
  readonly key: string;
  readonly destination: Destination | undefined;
  readonly file: string | undefined;
}

async function capture(
  { key, destination, file, seconds, output, force = false }: CaptureRequest,
  session: Session,
): Promise<void> {
  const inventory = await readInventory(session);
  const search = findPod(key, inventory);
  if ('problem' in search) return reportNotFound(search, inventory, session);
  const { container, name: pod, endpoints } = search.found;
  const adapters = await readNodeAdapters(session);
  const traffic = capturedTraffic(endpoints, destination, inventory, () => []);
  if ('problem' in traffic) {
    session.printStderr(`win-hcn: ${traffic.problem}`);
    return session.setExitCode(exitCode.problemFound);
  }
  const filters = captureFilters(traffic.request);
  const progress = newProgress(session);
  const { port, release } = newCapturePort(session, progress);
  try {
    const recorded = await record(
      { filters, seconds, bytes: file === undefined ? headerBytes : wholePackets },
      port,
    );
    const converted = await convert(recorded.log, file, force, port);
    const { lacks, isComplete } = converted;
    const findings = analyze(
      { ...recorded, log: converted.log, seconds },
      { inventory, adapters },
      traffic.ends,
      traffic.paths,
    );
    const report: CaptureReport = {
      container,
      ...(pod !== undefined && { pod }),
      ...(destination !== undefined && { destination }),
      endpoints: traffic.endpoints,
      filters: filters.map(filterText),
      ...findings,
      lacks: [...recorded.lacks, ...lacks],
      ...(file !== undefined && isComplete && { file }),
    };
    for (const one of recorded.leftBehind) session.printStderr(`win-hcn: ${one}`);
    if (findings.isProblem || recorded.leftBehind.length > 0 || !isComplete)
      session.setExitCode(exitCode.problemFound);
    session.print(
      formatted(report, output?.format, (one) => reportText(one, sessionFor(session, output?.format))),
    );
  } finally {
    progress.end();
    release();
  }
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

/** The node's adapters; none if Windows does not return them. */
async function readNodeAdapters(session: Session): Promise<readonly HostAdapter[]> {
  try {
    return await readAdapters(session.system, 10);
  } catch (error) {
    session.printStderr(`win-hcn: the node's adapters are unknown: ${errorMessage(error)}`);
    return [];
  }
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
