import { nonEmptyLines } from './lines.ts';

/** What `pktmon status` reports. `unknown`: the output has an unknown form. */
export type CaptureStatus =
  | { readonly is: 'idle' }
  | { readonly is: 'unknown' }
  | {
      readonly is: 'running';
      /** The path of the log file; absent if the output names none, as for a capture of counters only. */
      readonly log?: string;
    };

/**
 * Reads the output of `pktmon status`. Windows translates it: a running capture is described by several lines, with the path of its log;
 * that none runs is one line.
 */
export function parseStatus(output: string): CaptureStatus {
  const lines = nonEmptyLines(output);
  if (lines.some((line) => /\bnot running\b/i.test(line))) return { is: 'idle' };
  const log = lines.flatMap((line) => pathIn(line) ?? [])[0];
  if (log !== undefined) return { is: 'running', log };
  if (lines.length > 1 || lines.some((line) => /\brunning\b/i.test(line))) return { is: 'running' };
  return { is: lines.length === 1 ? 'idle' : 'unknown' };
}

/** The path of a log in a line, of a drive or a share. */
function pathIn(line: string): string | undefined {
  const start = line.search(/[A-Za-z]:[\\/]|\\\\/);
  return start < 0 ? undefined : /^.*\.etl\b/i.exec(line.slice(start))?.[0];
}
