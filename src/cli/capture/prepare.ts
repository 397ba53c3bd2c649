import { win32 } from 'node:path';
import { listFilters, readStatus, removeFilters, stopCapture } from './commands.ts';
import { parseFilterNames } from './parse-filters.ts';
import { parseStatus } from './parse-status.ts';
import { CaptureError, type CapturePort, runCommand } from './pktmon.ts';

/** The names of our filters and log files, which tell whose they are. */
const ownName = /^win-hcn-capture-(\d+)(?:-[0-9a-f-]{36})?$/;

/** The name of the filters of a process. */
export function captureName(processId: number): string {
  return `win-hcn-capture-${processId}`;
}

/** The path of the log of a process, which other users cannot guess. */
export function logPath({ folder, processId, secret }: CapturePort): string {
  return win32.join(folder, `${captureName(processId)}-${secret}.etl`);
}

/**
 * Checks that no capture runs and that there are no filters. What a killed win-hcn left is stopped and removed. Throws CaptureError for
 * anything of others, without changes.
 */
export async function prepareCapture(port: CapturePort): Promise<void> {
  await stopLeftoverCapture(port);
  removeLeftoverFiles(port);
  const names = await filterNames(port);
  const [foreign] = names.filter((name) => ownerOf(name) === undefined);
  if (foreign !== undefined)
    throw new CaptureError(
      `pktmon has filters that win-hcn did not add: ${[...new Set(names)].map((name) => name || '(no name)').join(', ')}. ` +
        'They belong to another capture, or to a program such as Microsoft Defender for Endpoint (SenseNdr), and pktmon can only remove all ' +
        'filters at once. If they are not needed, run pktmon filter remove, and try again',
    );
  for (const name of names) refuseIfRunning(ownerOf(name), port);
  if (names.length === 0) return;
  port.report(`Removing ${names.length} pktmon filters of an interrupted win-hcn capture (${names[0]}).`);
  await runCommand(removeFilters, port);
}

/** Removes the files of captures whose processes are gone. */
function removeLeftoverFiles(port: CapturePort): void {
  for (const name of port.listFolder().filter((one) => isLeftover(logNameIn(one), port))) {
    try {
      port.removeFile(win32.join(port.folder, name));
    } catch {
      // It does not disturb this capture.
    }
  }
}

async function stopLeftoverCapture(port: CapturePort): Promise<void> {
  const { output } = await runCommand(readStatus, port);
  const status = parseStatus(output);
  if (status.is === 'idle') return;
  if (status.is === 'unknown')
    throw new CaptureError(
      'whether a capture is running is unknown: pktmon status printed nothing. Run pktmon stop, and try again',
    );
  const owner = status.log === undefined ? undefined : ownerOf(logNameIn(status.log));
  if (owner === undefined)
    throw new CaptureError(
      `a pktmon capture is running${status.log === undefined ? '' : ` (log file ${status.log})`}: win-hcn does not disturb it. ` +
        'End it with pktmon stop, and try again',
    );
  refuseIfRunning(owner, port);
  port.report(`Stopping the capture of an interrupted win-hcn (${status.log}).`);
  await runCommand(stopCapture, port);
  if (status.log !== undefined) port.removeFile(status.log);
}

function refuseIfRunning(owner: number | undefined, { isRunning, processId }: CapturePort): void {
  if (owner === undefined || owner === processId || !isRunning(owner)) return;
  throw new CaptureError(
    `win-hcn capture is already running (process ${owner}). Wait until it ends; if process ${owner} is another program, run pktmon stop ` +
      'and pktmon filter remove, and try again',
  );
}

/** The names of all filters. Throws CaptureError. */
export async function filterNames(port: CapturePort): Promise<readonly string[]> {
  const { output } = await runCommand(listFilters, port, (text) => parseFilterNames(text) !== undefined);
  return parseFilterNames(output) ?? [];
}

/** Whether a filter or log is of this process or of a capture whose process is gone. */
export function isLeftover(name: string, { isRunning, processId }: CapturePort): boolean {
  const owner = ownerOf(name);
  return owner !== undefined && (owner === processId || !isRunning(owner));
}

/** The process that a filter or log is named after; undefined for those of others. */
function ownerOf(name: string): number | undefined {
  const [, processId] = ownName.exec(name.toLowerCase()) ?? [];
  return processId === undefined ? undefined : Number(processId);
}

/** The name of a log file without its extension. */
export function logNameIn(path: string): string {
  return win32.parse(path).name.toLowerCase();
}
