import type { PktmonResult } from '../../../../src/cli/terminal/run-program.ts';

export interface ScriptedOptions {
  /** The text of the log. */
  readonly log?: string;
  /** Filters of others, by name. */
  readonly filters?: readonly string[];
  /** The log of a capture that runs. */
  readonly running?: string;
  /** Replaces the result of a call. */
  readonly fault?: (words: string, call: number) => PktmonResult | undefined;
  /** Happens before a call. */
  readonly before?: (words: string, state: PktmonState) => void;
}

export interface PktmonState {
  filters: string[];
  running: string | undefined;
}

/** What a scripted pktmon did, and what is left. */
export interface ScriptedPktmon {
  readonly run: (args: readonly string[]) => PktmonResult;
  readonly state: PktmonState;
  readonly calls: string[];
  /** The files that it wrote; give them to the command. */
  readonly files: Record<string, string>;
  readonly removeFile: (path: string) => void;
}

/**
 * Behaves as pktmon.exe is documented to: it keeps filters and a capture, and prints the forms in recorded.ts. Not
 * run on Windows.
 */
export function scriptedPktmon({
  log = '',
  filters = [],
  running,
  fault,
  before,
}: ScriptedOptions = {}): ScriptedPktmon {
  const state: PktmonState = { filters: [...filters], running };
  const calls: string[] = [];
  const files: Record<string, string> = {};
  const done = (output = '') => ({ exitCode: 0, output });
  const refused = (word: string) => ({ exitCode: 87, output: `Unknown parameter '${word}'.\r\n` });

  const run = (args: readonly string[]): PktmonResult => {
    const words = args.join(' ');
    before?.(words, state);
    calls.push(words);
    const failed = fault?.(words, calls.length);
    if (failed !== undefined) return failed;
    const [command, option, third, fourth] = args;
    switch (command) {
      case 'status':
        return done(statusText(state.running));
      case 'filter':
        if (option === 'list') return done(filterTable(state.filters));
        if (option === 'remove') state.filters = [];
        else state.filters.push(third ?? '');
        return done(option === 'remove' ? 'Removed all filters.\r\n' : 'Filter added.\r\n');
      case 'start':
        state.running = args.at(-1);
        files[state.running ?? ''] = 'log';
        return done(statusText(state.running));
      case 'stop':
        state.running = undefined;
        return done('Flushing logs...\r\nMerging metadata...\r\n');
      case 'etl2txt':
      case 'etl2pcap':
        files[fourth ?? ''] = command === 'etl2txt' ? log : 'packets';
        return done('Processing...\r\n');
      default:
        return refused(command ?? '');
    }
  };
  const removeFile = (path: string) => {
    delete files[path];
  };
  return { run, state, calls, files, removeFile };
}

function statusText(running: string | undefined): string {
  if (running === undefined) return 'Packet Monitor is not running.\r\n';
  return `Logger Parameters:\r\n    Logger name:        PktMon\r\n    Log file:           ${running}\r\n`;
}

function filterTable(names: readonly string[]): string {
  if (names.length === 0) return 'Packet Filters:\r\n    None\r\n';
  const width = Math.max(4, ...names.map(({ length }) => length));
  const rows = names.map((name, index) => `${String(index + 1).padStart(6)} ${name.padEnd(width)} TCP`);
  return [
    'Packet Filters:',
    `     # ${'Name'.padEnd(width)} Protocol`,
    `     - ${'----'.padEnd(width)} --------`,
    ...rows,
    '',
  ].join('\r\n');
}
