import type { Progress } from '../terminal/calls.ts';
import { windowsText } from '../terminal/pktmon.ts';
import type { Session } from '../terminal/session.ts';
import type { CapturePort } from './pktmon.ts';

/** How much of the text of a log is read: its end, where the components are. */
const mostBytes = 256 * 1024 * 1024;
/** If the environment does not name one. */
const defaultFolder = 'C:\\Windows\\Temp';

/**
 * The surroundings of a capture. Until `release`, Ctrl+C ends only its waiting. A second Ctrl+C ends the process, and the next capture
 * removes its leftovers.
 */
export function newCapturePort(
  { system, terminal, printStderr }: Session,
  progress: Progress,
): { readonly port: CapturePort; readonly release: () => void } {
  const interrupted = new AbortController();
  const release = terminal.onInterrupt(() => {
    if (interrupted.signal.aborted) return terminal.endInterrupted();
    progress.end();
    printStderr('win-hcn: ending the capture. Press Ctrl+C again to exit without removing the filters.');
    interrupted.abort();
  });
  const folder = system.environment['TEMP'] || defaultFolder;
  const port: CapturePort = {
    run: terminal.pktmon,
    readText: (path) => {
      const end = terminal.readEnd(path, mostBytes);
      return end === undefined
        ? undefined
        : { text: windowsText(end.bytes), isCut: end.bytes.length === mostBytes };
    },
    createCopy: terminal.createCopy,
    removeFile: terminal.removeFile,
    isRunning: terminal.isRunning,
    processId: terminal.processId,
    folder,
    listFolder: () => {
      try {
        return terminal.listFolder(folder);
      } catch {
        return [];
      }
    },
    secret: terminal.newGuid(),
    wait: async (seconds) => {
      progress.start(`capturing for ${seconds} s (Ctrl+C ends it early)`);
      await terminal.pause(seconds, interrupted.signal);
      progress.start('reading the capture');
    },
    report: (text) => printStderr(`win-hcn: ${text}`),
  };
  return { port, release };
}
