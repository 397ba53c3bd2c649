/** One line of the log, but for its time and its request. Nothing of stdin or the environment is in it that is not named here. */
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
    };

/** How a call or a program ended. */
export interface CallOutcome {
  readonly milliseconds: number;
  /** Of what did not end with an answer. */
  readonly error?: string;
  readonly hresult?: string;
  /** What HCN returned about a call it refused, and the document it refused. */
  readonly errorRecord?: string;
  readonly document?: string;
  /** Null when the program was killed. */
  readonly exitCode?: number | null;
}

export interface Log {
  write(entry: Entry): void;
  /** Writes what was kept back, and everything from now on at once; answers whether it could. */
  release(append: (lines: string) => boolean): boolean;
}

/** Milliseconds since then, to one decimal. */
export function elapsedSince(started: number, now: () => number): number {
  return Math.round((now() - started) * 10) / 10;
}

/** A log whose lines are JSON objects with the time (ISO 8601, UTC) and the request they are of, kept back until it is released. */
export function newLog(request: string, clock: () => Date): Log {
  let kept = '';
  let append: ((lines: string) => boolean) | undefined;
  return {
    write: (entry) => {
      const line = `${JSON.stringify({ time: clock(), request, ...entry })}\n`;
      if (append === undefined) kept += line;
      else append(line);
    },
    release: (to) => {
      append ??= to;
      const lines = kept;
      kept = '';
      return append(lines);
    },
  };
}
