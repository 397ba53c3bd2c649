import type { PacketFilter } from './filters.ts';
import { filterOptions } from './filters.ts';

/**
 * A task for pktmon. Builds of Windows have different syntax: https://learn.microsoft.com/windows-server/administration/windows-commands/pktmon
 * and, before 2021, `--etw`, `comp list`, `format` and `pcapng` (docs/notes/capture.md).
 */
export interface PktmonCommand {
  /** As in `pktmon cannot TASK`. */
  readonly task: string;
  /** The arguments in each documented syntax, the newest first. A build that does not know a form fails without an effect. */
  readonly forms: readonly (readonly string[])[];
  /** pktmon is killed after this time. */
  readonly seconds: number;
}

const seconds = 30;
/** `stop` merges metadata into the log, and conversions read all of it. */
const longSeconds = 120;

export const readStatus: PktmonCommand = { task: 'return its status', forms: [['status']], seconds };

export const listFilters: PktmonCommand = { task: 'list its filters', forms: [['filter', 'list']], seconds };

/** Removes all filters: pktmon cannot remove a single one. */
export const removeFilters: PktmonCommand = {
  task: 'remove the filters',
  forms: [['filter', 'remove']],
  seconds,
};

export const stopCapture: PktmonCommand = {
  task: 'stop the capture',
  forms: [['stop']],
  seconds: longSeconds,
};

export const listComponents: PktmonCommand = {
  task: 'list network components',
  forms: [
    ['list', '--json'],
    ['comp', 'list', '--json'],
    ['list', '--all'],
    ['comp', 'list'],
  ],
  seconds,
};

export const readCounters: PktmonCommand = {
  task: 'return packet counters as JSON',
  forms: [['counters', '--json']],
  seconds,
};

/** Adds a filter with a name, by which it is recognized. Early builds may not know `-e`. */
export function addFilter(name: string, filter: PacketFilter): PktmonCommand {
  const { encapsulated: _, ...plain } = filter;
  const forms = filter.encapsulated === true ? [filter, plain] : [filter];
  return {
    task: 'add a filter',
    forms: forms.map((one) => ['filter', 'add', name, ...filterOptions(one)]),
    seconds,
  };
}

/** Starts a capture into a log file. `bytes`: how much of each packet to log; 0 for whole packets. */
export function startCapture(log: string, bytes: number): PktmonCommand {
  const size = String(bytes);
  return {
    task: 'start a capture',
    forms: [
      ['start', '--capture', '--pkt-size', size, '--file-name', log],
      ['start', '--etw', '-p', size, '-f', log],
    ],
    seconds,
  };
}

export function convertToText(log: string, file: string): PktmonCommand {
  return {
    task: 'convert the log to text',
    forms: [
      ['etl2txt', log, '--out', file],
      ['format', log, '-o', file],
    ],
    seconds: longSeconds,
  };
}

export function convertToPcapng(log: string, file: string): PktmonCommand {
  return {
    task: 'convert the log to pcapng',
    forms: [
      ['etl2pcap', log, '--out', file],
      ['pcapng', log, '-o', file],
    ],
    seconds: longSeconds,
  };
}
