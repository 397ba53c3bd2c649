import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Format } from '../output.ts';

/** What a command is told that can be watched. */
export interface WatchFlags {
  readonly output?: Format;
  /** Seconds between two looks; true where nobody says how many. */
  readonly watch?: number | true;
}

const usual = 2;
const longest = 3600;

export function watchOption(): Option {
  return new Option(
    '-w, --watch [seconds]',
    `look again every so many seconds (${usual}) until Ctrl+C`,
  ).argParser(parseSeconds);
}

/** The seconds between two looks; undefined where one is enough. Ends the command where what is watched is for programs. */
export function watchedEvery({ output, watch }: WatchFlags, command: Command): number | undefined {
  if (watch !== undefined && output !== undefined && output !== 'wide')
    command.error(
      `win-hcn: --watch is for people to read: take -o ${output} without it, as often as you need it`,
    );
  return watch === true ? usual : watch;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= longest) return seconds;
  throw new InvalidArgumentError(
    `expected seconds from 1 to ${longest}, such as --watch 5; what else the command is told comes before --watch`,
  );
}
