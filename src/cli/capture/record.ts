import { win32 } from 'node:path';
import { errorMessage } from '../../cni/error.ts';
import { filterOptions, type PacketFilter } from './filters.ts';
import { type CaptureLog, parseLog } from './parse-log.ts';
import { type Component, parseComponents, parseFilterNames, parseStatus } from './parse-output.ts';
import { CaptureError, type CapturePort, runPktmon } from './pktmon.ts';

/** What to record. */
export interface RecordRequest {
  readonly filters: readonly PacketFilter[];
  readonly seconds: number;
  /** The pcapng file for whole packets; undefined for the headers alone, without a file. */
  readonly file: string | undefined;
  /** Whether an existing file is replaced. */
  readonly force: boolean;
}

/** What was recorded. */
export interface Recorded {
  readonly components: readonly Component[];
  /** Undefined if pktmon could not convert its log to text. */
  readonly log: CaptureLog | undefined;
  /** What failed, sentences. */
  readonly lacks: readonly string[];
  /** What could not be stopped or removed, sentences. */
  readonly leftBehind: readonly string[];
  /** Whether the packets were written to the file. */
  readonly isWritten: boolean;
}

/**
 * Records packets: adds filters, captures, and stops the capture and removes the filters whatever happens. Throws CaptureError; then no log
 * remains.
 */
export async function record(request: RecordRequest, port: CapturePort): Promise<Recorded> {
  await prepare(port);
  const log = win32.join(port.folder, `${captureName(port.processId)}-${port.secret}.etl`);
  let mayRun = false;
  try {
    await addFilters(request.filters, port);
    mayRun = true;
    // pktmon records 128 bytes by default; 0 means whole packets.
    const size = request.file === undefined ? '128' : '0';
    const start = ['start', '--capture', '--pkt-size', size, '--file-name', log];
    await runPktmon('start a capture', start, port).catch((error: unknown) => {
      mayRun = error instanceof CaptureError && error.isUncertain;
      throw error;
    });
    await port.wait(request.seconds);
    const listed = await attempt(() => runPktmon('list network components', ['list', '--json'], port));
    const leftBehind = await cleanUp(log, mayRun, port);
    const { lacks, ...converted } = await convert(log, request, port);
    const components = 'value' in listed ? parseComponents(listed.value) : [];
    return { components, ...converted, lacks: [...problemsOf(listed), ...lacks], leftBehind };
  } catch (error) {
    const leftBehind = await cleanUp(log, mayRun, port);
    const left = [...leftBehind, ...problemsOf(await attempt(() => port.removeFile(log)))];
    if (left.length === 0) throw error;
    throw new CaptureError([errorMessage(error), ...left].join('. '));
  }
}

/** The names of filters and log files, which tell whose they are. */
const ownName = /^win-hcn-capture-(\d+)(?:-[0-9a-f-]{36})?$/;

function captureName(processId: number): string {
  return `win-hcn-capture-${processId}`;
}

/** The process that a filter or log is named after; undefined for those of others. */
function ownerOf(name: string): number | undefined {
  const [, processId] = ownName.exec(name.toLowerCase()) ?? [];
  return processId === undefined ? undefined : Number(processId);
}

/** The process that a log file is named after. */
function ownerOfLog(path: string): number | undefined {
  return ownerOf(win32.parse(path).name);
}

/** Whether a process is this one or gone. */
function isOver(owner: number | undefined, { isRunning, processId }: CapturePort): boolean {
  return owner !== undefined && (owner === processId || !isRunning(owner));
}

async function readStatus(port: CapturePort) {
  return parseStatus(await runPktmon('return its status', ['status'], port));
}

async function readFilterNames(port: CapturePort): Promise<readonly string[]> {
  const names = parseFilterNames(await runPktmon('list its filters', ['filter', 'list'], port));
  if (names === undefined)
    throw new CaptureError('pktmon cannot list its filters: it printed unexpected output');
  return names;
}

async function removeFilters(port: CapturePort): Promise<void> {
  await runPktmon('remove the filters', ['filter', 'remove'], port);
}

/**
 * Checks that no capture runs and that there are no filters. What a killed win-hcn left is stopped and removed. Throws CaptureError for
 * anything of others, without changes.
 */
async function prepare(port: CapturePort): Promise<void> {
  const status = await readStatus(port);
  const names = await readFilterNames(port);
  const log = status.is === 'running' ? status.log : undefined;
  if (status.is === 'unknown' || (status.is === 'running' && ownerOfLog(log ?? '') === undefined))
    throw new CaptureError(
      `a pktmon capture is running${log === undefined ? '' : ` (log file ${log})`}: win-hcn does not disturb it. ` +
        'End it with pktmon stop, and try again',
    );
  if (names.some((name) => ownerOf(name) === undefined))
    throw new CaptureError(
      `pktmon has filters that win-hcn did not add: ${[...new Set(names)].map((name) => name || '(no name)').join(', ')}. ` +
        'They belong to another capture, or to a program such as Microsoft Defender for Endpoint (SenseNdr), and pktmon can only remove all ' +
        'filters at once. If they are not needed, run pktmon filter remove, and try again',
    );
  const owners = [...names.map(ownerOf), ...(log === undefined ? [] : [ownerOfLog(log)])];
  const other = owners.find((owner) => !isOver(owner, port));
  if (other !== undefined)
    throw new CaptureError(
      `win-hcn capture is already running (process ${other}). Wait until it ends; if process ${other} is another program, run pktmon stop ` +
        'and pktmon filter remove, and try again',
    );
  if (owners.length > 0) port.report('Removing the filters and the capture of an interrupted win-hcn.');
  if (log !== undefined) await runPktmon('stop the capture', ['stop'], port);
  if (names.length > 0) await removeFilters(port);
  for (const name of port.listFolder().filter((one) => isOver(ownerOfLog(one), port)))
    await attempt(() => port.removeFile(win32.join(port.folder, name)));
}

/** Adds the filters, and checks that pktmon lists them: otherwise they could not be told from those of others at the end. */
async function addFilters(filters: readonly PacketFilter[], port: CapturePort): Promise<void> {
  const own = captureName(port.processId);
  for (const filter of filters)
    await runPktmon('add a filter', ['filter', 'add', own, ...filterOptions(filter)], port);
  const names = await readFilterNames(port);
  if (names.length !== filters.length || names.some((name) => name !== own))
    throw new CaptureError(
      `pktmon lists filters other than the ${filters.length} of this capture: ${names.join(', ') || 'none'}. ` +
        'Another capture started at the same time, or another program changed the filters: try again when it has ended',
    );
}

/** Stops the capture and removes the filters. Returns the leftovers, each with what to do. Never rejects. */
async function cleanUp(log: string, mayRun: boolean, port: CapturePort): Promise<readonly string[]> {
  return [
    ...(mayRun ? await leftBy(() => stopOwn(log, port), 'Run pktmon stop') : []),
    ...(await leftBy(() => removeOwnFilters(port), 'Run pktmon filter remove')),
  ];
}

/** Stops the capture, if it is certain that the one that runs is ours. */
async function stopOwn(log: string, port: CapturePort): Promise<void> {
  const now = await readStatus(port);
  if (now.is === 'idle') return;
  const name = 'log' in now ? now.log : undefined;
  if (win32.basename(name ?? '').toLowerCase() !== win32.basename(log).toLowerCase())
    throw new CaptureError(
      `another capture is running (log file ${name ?? 'unknown'}), which win-hcn did not stop`,
    );
  await runPktmon('stop the capture', ['stop'], port);
}

/** Removes the filters, unless there are some of others: pktmon can only remove all at once. */
async function removeOwnFilters(port: CapturePort): Promise<void> {
  const own = captureName(port.processId);
  const names = await readFilterNames(port);
  if (!names.includes(own)) return;
  const others = new Set(names.filter((name) => !isOver(ownerOf(name), port)));
  if (others.size > 0)
    throw new CaptureError(
      `the filters ${own} were not removed: another program has added ${[...others].join(', ')}, and pktmon can only remove all at once`,
    );
  await removeFilters(port);
}

/** Does something, at most twice if it fails. Returns the leftovers. */
async function leftBy(work: () => Promise<void>, remedy: string): Promise<readonly string[]> {
  const first = await attempt(work);
  const last = 'value' in first ? first : await attempt(work);
  return problemsOf(last).map((problem) => `${problem}. ${remedy}`);
}

/**
 * Reads the log, writes the packets to a file if one is given, and removes the log. If the packets cannot be written, the log is kept until
 * the next capture, because it can be converted elsewhere.
 */
async function convert(
  log: string,
  { file, force }: RecordRequest,
  port: CapturePort,
): Promise<Pick<Recorded, 'log' | 'lacks' | 'isWritten'>> {
  const [text, packets] = [log.replace(/etl$/, 'txt'), log.replace(/etl$/, 'pcapng')];
  const read = await attempt(async () => {
    await runPktmon('convert the log to text', ['etl2txt', log, '--out', text], port);
    const found = port.readText(text);
    if (found === undefined) throw new CaptureError(`cannot read ${text}, which pktmon wrote`);
    return found;
  });
  const written =
    file === undefined
      ? []
      : problemsOf(
          // An old file is removed only when the packets are converted; a file that another program has created meanwhile is not replaced.
          await attempt(async () => {
            await runPktmon('convert the log to pcapng', ['etl2pcap', log, '--out', packets], port);
            if (force) port.removeFile(file);
            port.createCopy(file, packets);
          }),
        );
  const removed = await Promise.all(
    [text, packets, ...(written.length === 0 ? [log] : [])].map((one) => attempt(() => port.removeFile(one))),
  );
  const isCut = 'value' in read && read.value.isCut;
  return {
    log: 'value' in read ? parseLog(read.value.text) : undefined,
    isWritten: file !== undefined && written.length === 0,
    lacks: [
      ...problemsOf(read),
      ...(isCut ? ['the capture is too large: only its last part was read'] : []),
      ...written.map((problem) => `${problem}; the log is kept until the next capture: ${log}`),
      ...removed.flatMap(problemsOf),
    ],
  };
}

type Attempt<T> = { readonly value: T } | { readonly problem: string };

async function attempt<T>(work: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

function problemsOf(attempted: Attempt<unknown>): readonly string[] {
  return 'problem' in attempted ? [attempted.problem] : [];
}
