import { win32 } from 'node:path';
import { errorMessage } from '../../cni/error.ts';
import { newProgress } from '../terminal/calls.ts';
import { listFolderIfExists } from '../terminal/files.ts';
import { windowsText } from '../terminal/run-program.ts';
import type { Session } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { filterOptions, type PacketFilter } from './filters.ts';
import { type CaptureLog, parseLog } from './log.ts';
import { CaptureError, parseFilterNames, parseStatus, runPktmon } from './pktmon.ts';

/** What to record. */
export interface RecordRequest {
  readonly filters: readonly PacketFilter[];
  readonly seconds: number;
  /** The pcapng file for whole packets; undefined for the headers alone, without a file. */
  readonly file: string | undefined;
}

/** What was recorded. */
export interface Recorded {
  readonly log: CaptureLog;
  /** What failed, sentences. */
  readonly lacks: readonly string[];
  /** What could not be stopped or removed, sentences. */
  readonly leftBehind: readonly string[];
}

/** How much of the text of a log is read: its end, where the components are. */
const mostBytes = 256 * 1024 * 1024;

/** How filters and files of a process are named. */
const ownName = /^win-hcn-capture-(\d+)(?:-[0-9a-f-]{36})?$/;

/**
 * Records packets: adds filters, captures, and stops the capture and removes the filters whatever happens. Throws CaptureError; then no log
 * remains. Until it ends, Ctrl+C ends only the waiting.
 */
export async function record(request: RecordRequest, session: Session): Promise<Recorded> {
  const { terminal, system } = session;
  const folder = system.environment['TEMP'] || 'C:\\Windows\\Temp';
  const own = `win-hcn-capture-${terminal.processId}`;
  // Other users can create files in the folder, but cannot guess this name.
  const log = win32.join(folder, `${own}-${terminal.newGuid()}.etl`);
  await prepare(folder, session);
  const waiting = newWaiting(session);
  try {
    await addFilters(own, request.filters, terminal);
    // pktmon records 128 bytes by default; 0 means whole packets.
    const size = request.file === undefined ? '128' : '0';
    const start = ['start', '--capture', '--pkt-size', size, '--file-name', log];
    await runPktmon('start a capture', start, terminal);
    await waiting.wait(request.seconds);
    const leftBehind = await cleanUp(own, log, terminal);
    return { ...(await convert(log, request.file, terminal)), leftBehind };
  } catch (error) {
    const left = await cleanUp(own, log, terminal);
    left.push(...(await problemsOf(() => terminal.removeFile(log))));
    throw left.length === 0 ? error : new CaptureError([errorMessage(error), ...left].join('. '));
  } finally {
    waiting.end();
  }
}

/** Waits with progress. The first Ctrl+C ends the waiting, a second one the process: the next capture removes its leftovers. */
function newWaiting(session: Session) {
  const { terminal } = session;
  const progress = newProgress(session);
  const interrupted = new AbortController();
  const release = terminal.onInterrupt(() => {
    if (interrupted.signal.aborted) return terminal.endInterrupted();
    progress.end();
    session.printStderr(
      'win-hcn: ending the capture. Press Ctrl+C again to exit without removing the filters.',
    );
    interrupted.abort();
  });
  return {
    wait: async (seconds: number) => {
      progress.start(`capturing for ${seconds} s (Ctrl+C ends it early)`);
      await terminal.pause(seconds, interrupted.signal);
      progress.start('reading the capture');
    },
    end: () => {
      progress.end();
      release();
    },
  };
}

/** The process that a filter or file is named after; undefined for those of others. */
function ownerOf(name: string): number | undefined {
  const [, processId] = ownName.exec(name.toLowerCase()) ?? [];
  return processId === undefined ? undefined : Number(processId);
}

function ownerOfFile(path: string): number | undefined {
  return ownerOf(win32.parse(path).name);
}

/** Whether a process is this one or gone. */
function isOver(owner: number | undefined, { isRunning, processId }: Terminal): boolean {
  return owner !== undefined && (owner === processId || !isRunning(owner));
}

async function readStatus(terminal: Terminal) {
  return parseStatus(await runPktmon('return its status', ['status'], terminal));
}

async function readFilterNames(terminal: Terminal): Promise<readonly string[]> {
  const names = parseFilterNames(await runPktmon('list its filters', ['filter', 'list'], terminal));
  if (names === undefined)
    throw new CaptureError('pktmon cannot list its filters: it printed unexpected output');
  return names;
}

/**
 * Checks that no capture runs and that there are no filters. What a killed win-hcn left is stopped and removed. Throws CaptureError for
 * anything of others, without changes.
 */
async function prepare(folder: string, { terminal, printStderr }: Session): Promise<void> {
  const running = await readStatus(terminal);
  const names = await readFilterNames(terminal);
  const log = running?.log ?? '';
  if (running !== undefined && ownerOfFile(log) === undefined)
    throw new CaptureError(
      `a pktmon capture is running${log === '' ? '' : ` (log file ${log})`}: win-hcn does not disturb it. ` +
        'End it with pktmon stop, and try again',
    );
  if (names.some((name) => ownerOf(name) === undefined))
    throw new CaptureError(
      `pktmon has filters that win-hcn did not add: ${[...new Set(names)].map((name) => name || '(no name)').join(', ')}. ` +
        'They belong to another capture, or to a program such as Microsoft Defender for Endpoint (SenseNdr), and pktmon can only remove all ' +
        'filters at once. If they are not needed, run pktmon filter remove, and try again',
    );
  const owners = [...names.map(ownerOf), ...(running === undefined ? [] : [ownerOfFile(log)])];
  const other = owners.find((owner) => !isOver(owner, terminal));
  if (other !== undefined)
    throw new CaptureError(
      `win-hcn capture is already running (process ${other}). Wait until it ends; if process ${other} is another program, run pktmon stop ` +
        'and pktmon filter remove, and try again',
    );
  if (owners.length > 0)
    printStderr('win-hcn: Removing the filters and the capture of an interrupted win-hcn.');
  if (running !== undefined) await runPktmon('stop the capture', ['stop'], terminal);
  if (names.length > 0) await runPktmon('remove the filters', ['filter', 'remove'], terminal);
  for (const name of listFolderIfExists(folder, terminal) ?? [])
    if (isOver(ownerOfFile(name), terminal))
      await problemsOf(() => terminal.removeFile(win32.join(folder, name)));
}

/** Adds the filters, and checks that pktmon has no others: otherwise they could not be told from those of others at the end. */
async function addFilters(own: string, filters: readonly PacketFilter[], terminal: Terminal): Promise<void> {
  for (const filter of filters)
    await runPktmon('add a filter', ['filter', 'add', own, ...filterOptions(filter)], terminal);
  const names = await readFilterNames(terminal);
  if (names.length !== filters.length || names.some((name) => name !== own))
    throw new CaptureError(
      `pktmon lists filters other than the ${filters.length} of this capture: ${names.join(', ') || 'none'}. ` +
        'Another capture started at the same time, or another program changed the filters: try again when it has ended',
    );
}

/** Stops the capture and removes the filters, each at most twice. Returns the leftovers, each with what to do. Never rejects. */
async function cleanUp(own: string, log: string, terminal: Terminal): Promise<string[]> {
  const stop = async () => {
    const running = await readStatus(terminal);
    if (running?.log?.toLowerCase() === log.toLowerCase())
      await runPktmon('stop the capture', ['stop'], terminal);
  };
  const remove = async () => {
    const names = await readFilterNames(terminal);
    if (!names.includes(own)) return;
    const others = names.filter((name) => name !== own);
    if (others.length > 0)
      throw new CaptureError(
        `the filters ${own} were not removed: another program has added ${others.join(', ')}, and pktmon can only remove all at once`,
      );
    await runPktmon('remove the filters', ['filter', 'remove'], terminal);
  };
  const stopped = await problemsOf(() => stop().catch(stop));
  const removed = await problemsOf(() => remove().catch(remove));
  return [
    ...stopped.map((problem) => `${problem}. Run pktmon stop`),
    ...removed.map((problem) => `${problem}. Run pktmon filter remove`),
  ];
}

/**
 * Reads the log, writes the packets to a file if one is given, and removes the log. If the packets cannot be written, the log is kept until
 * the next capture, because it can be converted elsewhere.
 */
async function convert(
  log: string,
  file: string | undefined,
  terminal: Terminal,
): Promise<Pick<Recorded, 'log' | 'lacks'>> {
  const text = log.replace(/etl$/, 'txt');
  let found: CaptureLog = { events: [], components: [] };
  const lacks = await problemsOf(async () => {
    await runPktmon('convert the log to text', ['etl2txt', log, '--out', text], terminal);
    const end = terminal.readEnd(text, mostBytes);
    if (end === undefined) throw new CaptureError(`cannot read ${text}, which pktmon wrote`);
    found = parseLog(windowsText(end.bytes));
    if (end.bytes.length === mostBytes)
      throw new CaptureError('the capture is too large: only its last part was read');
  });
  const written = await problemsOf(async () => {
    if (file === undefined) return;
    terminal.removeFile(file);
    await runPktmon('convert the log to pcapng', ['etl2pcap', log, '--out', file], terminal);
  });
  lacks.push(...written.map((problem) => `${problem}; the log is kept until the next capture: ${log}`));
  for (const path of [text, ...(written.length === 0 ? [log] : [])])
    lacks.push(...(await problemsOf(() => terminal.removeFile(path))));
  return { log: found, lacks };
}

/** Does something. Returns the message of its error, if it fails. */
async function problemsOf(work: () => unknown): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [errorMessage(error)];
  }
}
