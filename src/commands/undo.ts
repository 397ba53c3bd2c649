/** What a request has taken and must give back if it fails, last taken first given back. */
export interface Undo {
  push(doing: string, giveBack: () => Promise<void>): void;
  /** Gives everything back, whatever fails on the way; returns what failed, one line each. */
  unwind(): Promise<readonly string[]>;
}

export function newUndo(): Undo {
  const taken: { doing: string; giveBack: () => Promise<void> }[] = [];
  return {
    push: (doing, giveBack) => taken.push({ doing, giveBack }),
    unwind: async () => {
      const failures: string[] = [];
      for (const { doing, giveBack } of taken.splice(0).reverse()) {
        try {
          await giveBack();
        } catch (error) {
          failures.push(`${doing} failed too: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      return failures;
    },
  };
}
