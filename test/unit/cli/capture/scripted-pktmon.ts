import type { PktmonResult } from '../../../../src/cli/terminal/run-program.ts';

export interface ScriptedOptions {
  /** The text of the log. */
  readonly log?: string;
  /** How many filters others have. */
  readonly filters?: number;
  /** Whether others capture. */
  readonly isRunning?: boolean;
  /** Replaces the result of a call. */
  readonly fault?: (words: string, call: number) => PktmonResult | undefined;
  /** Happens before a call. */
  readonly before?: (words: string, state: PktmonState) => void;
}

export interface PktmonState {
  filters: number;
  isRunning: boolean;
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
  filters = 0,
  isRunning = false,
  fault,
  before,
}: ScriptedOptions = {}): ScriptedPktmon {
  const state: PktmonState = { filters, isRunning };
  const calls: string[] = [];
  const files: Record<string, string> = {};
  const run = (args: readonly string[]): PktmonResult => {
    const words = args.join(' ');
    before?.(words, state);
    calls.push(words);
    return fault?.(words, calls.length) ?? { exitCode: 0, output: act(args, state, files, log) };
  };
  const removeFile = (path: string) => {
    delete files[path];
  };
  return { run, state, calls, files, removeFile };
}

/** Does what a call asks for, and returns what it prints. */
function act(
  [command, option, , fourth = '', ...others]: readonly string[],
  state: PktmonState,
  files: Record<string, string>,
  log: string,
): string {
  switch (command) {
    case 'status':
      return state.isRunning
        ? 'Logger Parameters:\r\n    Logger name:        PktMon\r\n'
        : 'Packet Monitor is not running.\r\n';
    case 'filter':
      if (option === 'list') return filterTable(state.filters);
      state.filters = option === 'remove' ? 0 : state.filters + 1;
      return '';
    case 'start':
      state.isRunning = true;
      files[others.at(-1) ?? ''] = 'log';
      return '';
    case 'stop':
      state.isRunning = false;
      return 'Flushing logs...\r\nMerging metadata...\r\n';
    default:
      files[fourth] = command === 'etl2txt' ? log : 'packets';
      return 'Processing...\r\n';
  }
}

function filterTable(count: number): string {
  if (count === 0) return 'Packet Filters:\r\n    None\r\n';
  const rows = Array.from({ length: count }, (_, index) => `     ${index + 1} win-hcn TCP`);
  return ['Packet Filters:', '     # Name    Protocol', '     - ----    --------', ...rows, ''].join('\r\n');
}
