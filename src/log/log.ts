/** A line of the log, without its time and request. Entries have no other data from stdin or the environment. */
export type Entry =
  | {
      readonly event: 'request';
      readonly version: string;
      readonly command: string;
      readonly containerId: string | undefined;
      readonly ifname: string | undefined;
      readonly netns: string | undefined;
      readonly pod: string | undefined;
    }
  | {
      readonly event: 'configuration';
      readonly name: string | undefined;
      readonly type: string | undefined;
      readonly cniVersion: string | undefined;
    }
  | ({ readonly event: 'call'; readonly call: string; readonly id?: string } & CallOutcome)
  | ({ readonly event: 'run'; readonly plugin: string; readonly command: string } & CallOutcome)
  | { readonly event: 'notice'; readonly text: string }
  | {
      readonly event: 'answer';
      readonly milliseconds: number;
      /** 0 is success. */
      readonly code: number;
      readonly msg?: string | undefined;
      readonly details?: string | undefined;
      /** Of an internal error: its stack, without the message, which may quote input. */
      readonly stack?: string | undefined;
    };

/** The result of a call or a program. */
export interface CallOutcome {
  readonly milliseconds: number;
  /** Why there is no result. */
  readonly error?: string;
  readonly hresult?: string;
  /** For a call that HCN refused: its error record and the document sent. */
  readonly errorRecord?: string;
  readonly document?: string;
  /** Null if the program was killed. */
  readonly exitCode?: number | null;
}

/** The log of one request. */
export interface Log {
  write(entry: Entry): void;
  /** Writes the buffered lines, and from now on every line immediately. Returns whether the lines were written. */
  release(append: (lines: string) => boolean): boolean;
}

/** Milliseconds since `started`, to one decimal. */
export function elapsedSince(started: number, now: () => number): number {
  return Math.round((now() - started) * 10) / 10;
}

/**
 * A log whose lines are JSON objects with time (ISO 8601, UTC) and request. Entries are buffered until `release`, and become text only
 * then: those of a successful STATUS never do.
 */
export function newLog(request: string, clock: () => Date): Log {
  let buffered: object[] = [];
  let append: ((lines: string) => boolean) | undefined;
  return {
    write: (entry) => {
      const line = { time: clock(), request, ...entry };
      if (append === undefined) buffered.push(line);
      else append(lineOf(line));
    },
    release: (to) => {
      append ??= to;
      const lines = buffered.map(lineOf).join('');
      buffered = [];
      return append(lines);
    },
  };
}

function lineOf(line: object): string {
  return `${JSON.stringify(line)}\n`;
}
