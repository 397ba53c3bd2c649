import { type Command, InvalidArgumentError, Option } from 'commander';
import { isOverlay } from '../../model/network-document.ts';
import { readAdapters, readInventory } from '../inventory/read-inventory.ts';
import { reportNotFound, type Search } from '../inventory/resolve-object.ts';
import { findPod, type Pod } from '../show/find-container.ts';
import { newProgress } from '../terminal/calls.ts';
import { checkNewFile } from '../terminal/files.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, podText } from '../terminal/options.ts';
import { formatted } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { destinationText, nodeAddresses } from '../trace/command.ts';
import { findTarget } from '../trace/find-target.ts';
import { predictPath } from '../trace/predict-path.ts';
import { type ReadNode, readNodeState } from '../trace/read-node-state.ts';
import { type Destination, invalidDestination } from '../traffic/destination.ts';
import { compare, hopsOf } from './compare.ts';
import { captureTraffic, filterText } from './filters.ts';
import { mergeComponents } from './parse-output.ts';
import { placesOf } from './places.ts';
import { newCapturePort } from './port.ts';
import { record } from './record.ts';
import { type CaptureReport, reportText } from './report-text.ts';

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
      'each hop has seen, and where and why pktmon reports drops. With a destination, the predicted path of a packet is shown beside it. ' +
      'Send the traffic during the capture. capture adds filters to pktmon and removes them at the end, also after Ctrl+C, which ends ' +
      'the capture early. It refuses if another capture is running or if pktmon has filters of other programs. The next capture ' +
      'removes the leftovers of a killed one. With a file, whole packets are recorded, otherwise their first 128 bytes. capture requires an ' +
      'administrator, and Windows Server 2022 or later. Exit code: 1 if packets were dropped, took another path than predicted, or were not ' +
      'seen.',
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
    .option('--file <file>', 'pcapng file to create')
    .addOption(formatOption())
    .option('--force', 'replace an existing file')
    .action(async (key: string, target: string | undefined, flags: Flags, command: Command) => {
      const { file, force = false } = flags;
      const problem = file === undefined ? undefined : fileProblem(file, force, session.terminal);
      if (problem !== undefined) return command.error(`win-hcn: ${problem}`);
      const read = target === undefined ? await readNode(session) : await readNodeState(session);
      const { inventory } = read.node;
      const search = findPod(key, inventory);
      if ('problem' in search) return reportNotFound(search, inventory, session);
      const found = target === undefined ? undefined : findDestinations(target, search.found, read);
      if (found === 'invalid') return command.error(`win-hcn: ${invalidDestination(target ?? '')}`);
      if (found !== undefined && 'problem' in found) return reportNotFound(found, inventory, session);
      await capture(search.found, found?.found, { ...flags, file, force }, read, session);
    });
}

async function capture(
  pod: Pod,
  destinations: readonly Destination[] | undefined,
  {
    seconds,
    file,
    force,
    output,
  }: Required<Pick<Flags, 'seconds' | 'force'>> &
    Pick<Flags, 'output'> & { readonly file: string | undefined },
  read: ReadNode,
  session: Session,
): Promise<void> {
  const { inventory, adapters } = read.node;
  const isOnOverlay = inventory.networks.some(
    (network) => isOverlay(network) && pod.endpoints.some((one) => one.HostComputeNetwork === network.ID),
  );
  const traffic = captureTraffic(pod.endpoints, destinations, isOnOverlay, (endpoint, destination) =>
    predictPath({ is: 'pod', endpoint }, destination, read),
  );
  if ('problem' in traffic) {
    session.printStderr(`win-hcn: ${traffic.problem}.`);
    return session.setExitCode(exitCode.problemFound);
  }
  const { filters, ends, paths } = traffic;
  const progress = newProgress(session);
  const { port, release } = newCapturePort(session, progress);
  try {
    const recorded = await record({ filters, seconds, file, force }, port);
    progress.end();
    const { log, lacks, leftBehind } = recorded;
    const components = mergeComponents(log?.components ?? [], recorded.components);
    const places = placesOf(components, { inventory, adapters });
    const findings = compare(hopsOf(log?.events ?? [], places, ends), places, paths, seconds);
    const report: CaptureReport = {
      container: pod.container,
      ...(pod.name !== undefined && { pod: pod.name }),
      ...(destinations !== undefined && { destinations }),
      filters: filters.map(filterText),
      ...findings,
      lacks,
      ...(file !== undefined && recorded.isWritten && { file }),
    };
    for (const one of leftBehind) session.printStderr(`win-hcn: ${one}`);
    if (findings.isProblem || leftBehind.length > 0 || lacks.length > 0)
      session.setExitCode(exitCode.problemFound);
    session.print(formatted(report, output, (one) => reportText(one, sessionFor(session, output))));
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
  return target ?? 'invalid';
}

/** Checks the path before capturing. Returns the problem; undefined if the file can be created. */
function fileProblem(file: string, force: boolean, terminal: Terminal): string | undefined {
  return /\.pcapng$/i.test(file)
    ? checkNewFile(file, force, terminal)
    : `${file || "''"} does not end with .pcapng`;
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
