/** What a request has taken and must give back if it fails, last taken first given back. */
export interface Undo {
  /** Answers a function that takes the entry back: what was taken stays. */
  push(doing: string, giveBack: () => Promise<void>): () => void;
  /** The same for what may be given back only after everything taken later has been: the addresses of an endpoint. */
  pushUnderlying(doing: string, giveBack: () => Promise<void>): void;
  /** Gives everything back that can be; returns what could not, one line each. */
  unwind(): Promise<readonly string[]>;
}

interface Entry {
  readonly doing: string;
  readonly giveBack: () => Promise<void>;
  readonly underlying: boolean;
}

export function newUndo(): Undo {
  let taken: readonly Entry[] = [];
  return {
    push: (doing, giveBack) => {
      const entry = { doing, giveBack, underlying: false };
      taken = [...taken, entry];
      return () => {
        taken = taken.filter((other) => other !== entry);
      };
    },
    pushUnderlying: (doing, giveBack) => {
      taken = [...taken, { doing, giveBack, underlying: true }];
    },
    unwind: async () => {
      const failures: string[] = [];
      for (const { doing, giveBack, underlying } of taken.toReversed()) {
        if (underlying && failures.length > 0) {
          failures.push(`"${doing}" is left to the next DEL`);
          continue;
        }
        try {
          await giveBack();
        } catch (error) {
          failures.push(`"${doing}" failed: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      return failures;
    },
  };
}
