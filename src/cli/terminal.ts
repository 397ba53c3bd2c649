import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Where a person sits, besides what the system has. */
export interface Terminal {
  /** The columns of stdout's terminal; undefined where stdout is a pipe or a file. */
  readonly width: number | undefined;
  /** Throws as node:fs does. */
  readFile(path: string): Uint8Array;
}

export const terminal: Terminal = {
  // Node throws for a stdout it takes for no console, file or pipe, such as one that Wine passes on.
  width: isatty(1) ? process.stdout.columns : undefined,
  readFile: (path) => readFileSync(path),
};
