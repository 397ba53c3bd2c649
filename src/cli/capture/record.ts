import { win32 } from 'node:path';
import { errorMessage } from '../../cni/error.ts';
import { windowsText } from '../terminal/run-program.ts';
import type { Session } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CaptureLog, parseLog } from './log.ts';
import { captureError, countFilters, isCapturing, runPktmon } from './pktmon.ts';

/** What to record. */
export interface RecordRequest {
  /** Filters, each with one address or both ends of the traffic; at most `maximumFilters`. */
  readonly filters: readonly (readonly string[])[];
  readonly seconds: number;
  /** The pcapng file for whole packets; undefined for the headers alone, without a file. */
  readonly file: string | undefined;
}

/** pktmon supports 32 filters, some builds of Windows Server 2022 only 8. */
export const maximumFilters = 8;

/** How much of the text of a log is read: its end, where the components are. */
const mostBytes = 256 * 1024 * 1024;

/**
 * Records packets: adds filters, captures, and stops the capture and removes the filters whatever happens. Refuses if pktmon is in use. The first Ctrl+C
 * only ends the waiting. Throws CniError; then no log remains.
 */
export async function record(request: RecordRequest, session: Session): Promise<CaptureLog> {
  const { terminal, system } = session;
  const folder = system.environment['TEMP'] || 'C:\\Windows\\Temp';
  // Other users can create files in the folder, but cannot guess this name.
  const log = win32.join(folder, `win-hcn-${terminal.newGuid()}.etl`);
  await checkUnused(terminal);
  const interrupt = terminal.interrupt();
  const wait = async (seconds: number) => {
    session.printStderr(`capturing for ${seconds} s (Ctrl+C ends it early)`);
    await terminal.pause(seconds, interrupt);
    session.printStderr('reading the capture');
  };
  try {
    await capture(request, log, wait, terminal);
    return await convert(log, request.file, terminal);
  } finally {
    terminal.removeFile(log);
    terminal.removeFile(textOf(log));
  }
}

/** Throws CniError if a capture runs or filters exist: pktmon can only remove all filters at once. */
async function checkUnused(terminal: Terminal): Promise<void> {
  const isRunning = isCapturing(await runPktmon(['status'], terminal));
  const filters = countFilters(await runPktmon(['filter', 'list'], terminal));
  if (isRunning || filters !== 0)
    throw captureError(
      `pktmon is in use: ${isRunning ? 'a capture is running' : `it has ${filters ?? 'unreadable'} filters`}. Another capture, an ` +
        'interrupted win-hcn or a program such as Microsoft Defender for Endpoint (SenseNdr) uses it. See pktmon status and pktmon filter ' +
        'list. If they are not needed, run pktmon stop and pktmon filter remove, and try again',
    );
}

async function capture(
  { filters, seconds, file }: RecordRequest,
  log: string,
  wait: (seconds: number) => Promise<void>,
  terminal: Terminal,
): Promise<void> {
  const failures: string[] = [];
  const attempt = (work: () => Promise<unknown>) =>
    work().catch((error: unknown) => void failures.push(errorMessage(error)));
  await attempt(async () => {
    // -e also matches inside VXLAN.
    for (const one of filters) await runPktmon(['filter', 'add', 'win-hcn', '-i', ...one, '-e'], terminal);
    // pktmon records 128 bytes by default; 0 means whole packets.
    const size = file === undefined ? '128' : '0';
    await runPktmon(['start', '--capture', '--pkt-size', size, '--file-name', log], terminal);
    await wait(seconds);
  });
  const stop = async () => {
    if (isCapturing(await runPktmon(['status'], terminal))) await runPktmon(['stop'], terminal);
  };
  await attempt(() => stop().catch(stop));
  const remove = () => removeFilters(filters.length, terminal);
  await attempt(() => remove().catch(remove));
  if (failures.length > 0)
    throw captureError(
      `${failures.join('. ')}. Check with pktmon status and pktmon filter list that nothing is left`,
    );
}

/** Throws CniError if another program has added filters meanwhile. */
async function removeFilters(own: number, terminal: Terminal): Promise<void> {
  const count = countFilters(await runPktmon(['filter', 'list'], terminal));
  if (count === 0) return;
  if (count === undefined || count > own)
    throw captureError(
      'pktmon still has the filters of this capture: another program has added some, and pktmon can only remove all at once',
    );
  await runPktmon(['filter', 'remove'], terminal);
}

function textOf(log: string): string {
  return log.replace(/etl$/, 'txt');
}

/** Writes the packets to a file if one is given, and reads the log. */
async function convert(log: string, file: string | undefined, terminal: Terminal): Promise<CaptureLog> {
  if (file !== undefined) {
    terminal.removeFile(file);
    await runPktmon(['etl2pcap', log, '--out', file], terminal);
  }
  const text = textOf(log);
  await runPktmon(['etl2txt', log, '--out', text], terminal);
  const end = terminal.readEnd(text, mostBytes);
  if (end === undefined) throw captureError(`cannot read ${text}, which pktmon wrote`);
  if (end.bytes.length === mostBytes)
    throw captureError('the capture is too large to read: record for fewer seconds');
  return parseLog(windowsText(end.bytes));
}
