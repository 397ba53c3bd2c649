import { type Command, Option } from 'commander';
import { isOverlay } from '../../model/network-document.ts';
import { reportNotFound, type Search } from '../inventory/resolve-object.ts';
import { findPod, type Pod } from '../show/find-container.ts';
import { checkNewFile } from '../terminal/files.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, podText, secondsParser } from '../terminal/options.ts';
import { formatted } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { rowsTable } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { destinationText, findTarget, nodeAddresses } from '../trace/command.ts';
import { predictPath, type ReadNode, readNodeState } from '../trace/predict-path.ts';
import { type Destination, formatDestination, invalidDestination } from '../traffic/destination.ts';
import { captureTraffic, filterText, type PredictedPath } from './filters.ts';
import { type Hop, hopsOf, resultOf } from './hops.ts';
import { placesOf } from './places.ts';
import { record } from './record.ts';

interface Flags extends FormatFlags {
  readonly seconds: number;
  readonly file?: string;
  readonly force?: boolean;
}

/** `capture`: records a pod's packets with pktmon and shows where they are dropped. */
export function captureCommand(session: Session): Command {
  return newCommand('capture', session, {
    summary: "record a pod's packets and show where they are dropped",
    description:
      'Records the packets of a pod, or those between a pod and a destination, with pktmon.exe of Windows, and shows how many packets ' +
      'each hop has seen, and where and why pktmon reports drops. With a destination, it also shows what win-hcn trace predicts. ' +
      'Send the traffic during the capture. capture adds filters to pktmon and removes them at the end, also after Ctrl+C, which ends ' +
      'the capture early. It refuses if another capture is running or if pktmon has filters of other programs. The next capture ' +
      'removes the leftovers of a killed one. With a file, whole packets are recorded, otherwise their first 128 bytes. capture requires an ' +
      'administrator, and Windows Server 2022 or later. Exit code: 1 if packets were dropped or not seen.',
    examples: [
      'win-hcn capture shop/web',
      'win-hcn capture shop/web 10.96.0.10:80 --seconds 30',
      'win-hcn capture shop/web 8.8.8.8 --file C:\\temp\\web.pcapng',
    ],
  })
    .argument('<pod>', podText)
    .argument('[dest]', destinationText)
    .addOption(
      new Option('--seconds <seconds>', 'how long to record, 1 to 3600')
        .argParser(secondsParser('a number of seconds from 1 to 3600'))
        .default(10),
    )
    .option('--file <file>', 'pcapng file to create')
    .addOption(formatOption())
    .option('--force', 'replace an existing file')
    .action(async (key: string, target: string | undefined, flags: Flags, command: Command) => {
      const { file, force = false } = flags;
      const problem = file === undefined ? undefined : fileProblem(file, force, session.terminal);
      if (problem !== undefined) return command.error(`win-hcn: ${problem}`);
      const read = await readNodeState(session);
      const { inventory } = read.node;
      const search = findPod(key, inventory);
      if ('problem' in search) return reportNotFound(search, inventory, session);
      const found = target === undefined ? undefined : findDestinations(target, search.found, read);
      if (found === 'invalid') return command.error(`win-hcn: ${invalidDestination(target ?? '')}`);
      if (found !== undefined && 'problem' in found) return reportNotFound(found, inventory, session);
      await capture(search.found, found?.found, flags, read, session);
    });
}

/** The result of a capture. */
interface CaptureReport {
  readonly container: string;
  readonly pod?: string;
  /** Absent for all traffic. */
  readonly destinations?: readonly Destination[];
  /** pktmon's filters, in words. */
  readonly filters: readonly string[];
  /** Sentences: the result, and what is predicted. */
  readonly says: readonly string[];
  /** Whether packets were lost, or none was seen. */
  readonly isProblem: boolean;
  /** What each component saw, in the order of the path from the pod. */
  readonly hops: readonly Hop[];
  /** What failed, sentences. */
  readonly lacks: readonly string[];
  /** The file for the packets; absent if none was asked for. */
  readonly file?: string;
}

async function capture(
  { container, name, endpoints }: Pod,
  destinations: readonly Destination[] | undefined,
  { seconds, file, output }: Flags,
  read: ReadNode,
  session: Session,
): Promise<void> {
  const { inventory } = read.node;
  const isOnOverlay = inventory.networks.some(
    (network) => isOverlay(network) && endpoints.some((one) => one.HostComputeNetwork === network.ID),
  );
  const traffic = captureTraffic(endpoints, destinations, isOnOverlay, (endpoint, destination) =>
    predictPath({ is: 'pod', endpoint }, destination, read),
  );
  if ('problem' in traffic) {
    session.printStderr(`win-hcn: ${traffic.problem}.`);
    return session.setExitCode(exitCode.problemFound);
  }
  const { filters, ends, paths } = traffic;
  const { log, lacks, leftBehind } = await record({ filters, seconds, file }, session);
  const hops = hopsOf(log.events, placesOf(log.components, read.node), ends);
  const isUnsent = paths.length > 0 && hops.every(({ sent }) => sent === 0);
  const report: CaptureReport = {
    container,
    ...(name !== undefined && { pod: name }),
    ...(destinations !== undefined && { destinations }),
    filters: filters.map(filterText),
    says: [...resultOf(hops, seconds), ...new Set(paths.map(predictionText))],
    isProblem: hops.length === 0 || isUnsent || hops.some(({ drops }) => drops.length > 0),
    hops,
    lacks,
    ...(file !== undefined && { file }),
  };
  for (const one of leftBehind) session.printStderr(`win-hcn: ${one}`);
  if (report.isProblem || leftBehind.length > 0 || lacks.length > 0)
    session.setExitCode(exitCode.problemFound);
  session.print(formatted(report, output, (one) => reportText(one, sessionFor(session, output))));
}

const predictions: Readonly<Record<PredictedPath['outcome'], string>> = {
  arrives: 'Predicted to arrive',
  leaves: 'Predicted to leave the node',
  lost: 'Predicted to be lost',
  unknown: 'The prediction is uncertain',
};

function predictionText({ outcome, because }: PredictedPath): string {
  return `${predictions[outcome]}: ${because}`;
}

/** A report as text: the result, and the packets at each hop. */
function reportText(
  { says, container, pod, destinations, filters, hops, lacks, file }: CaptureReport,
  session: Session,
): string {
  const [first = '', ...others] = says;
  const to = destinations === undefined ? '' : ` to ${destinations.map(formatDestination).join(' or ')}`;
  const about = `${pod === undefined ? `container ${container}` : `pod ${pod}`}${to}, filters: ${filters.join(', ')}`;
  const rows = hops.map(({ where, component, sent, received, other, drops }) => ({
    'seen at': where,
    component: String(component),
    sent: String(sent),
    received: String(received),
    other: String(other),
    dropped:
      drops.map(({ packets, reason }) => `${packets}: ${reason || 'unknown reason'}`).join(', ') || '-',
  }));
  const table = rowsTable(rows, session, {
    prose: ['seen at', 'dropped'],
    styleOf: (_title, row) => (hops[row]?.drops.length === 0 ? undefined : 'yellow'),
  });
  const sentences = [...others, ...lacks.map((lack) => `Missing: ${lack}.`)];
  return [
    session.style('bold', wrapSentences(first, session.width)),
    ...sentences.map((sentence) => wrapSentences(sentence, session.width)),
    ...(file === undefined || lacks.length > 0 ? [] : [`packets: ${file}`]),
    '',
    wrapSentences(about, session.width),
    ...(hops.length === 0 ? [] : [table]),
  ].join('\n');
}

/** The destinations that the text names, as `trace` reads it. */
function findDestinations(
  text: string,
  { endpoints }: Pod,
  read: ReadNode,
): Search<readonly Destination[]> | 'invalid' {
  const senders = endpoints.map((endpoint) => ({ is: 'pod', endpoint }) as const);
  return findTarget(text, nodeAddresses(senders, read), read.node.inventory) ?? 'invalid';
}

/** Checks the path before capturing. Returns the problem; undefined if the file can be created. */
function fileProblem(file: string, force: boolean, terminal: Terminal): string | undefined {
  return /\.pcapng$/i.test(file)
    ? checkNewFile(file, force, terminal)
    : `${file || "''"} does not end with .pcapng`;
}
