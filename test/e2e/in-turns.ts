/** Programs that make their calls one at a time, in an order that the test chooses. */
export interface Turns {
  /** Makes a program wait for its turn before each of these functions. */
  gated<L extends object>(program: number, functions: L): L;
  /** Waits for the turn of a program. */
  wait(program: number): Promise<void>;
  /** Runs the programs to their ends. `next` is called before each turn, with the programs that wait, and returns the one to let go. */
  run(programs: readonly Promise<unknown>[], next: (waiting: readonly number[]) => number): Promise<void>;
}

export function newTurns(): Turns {
  const waiting: { readonly program: number; readonly go: () => void }[] = [];
  let running = 0;
  const wait = (program: number) => new Promise<void>((go) => waiting.push({ program, go }));
  return {
    wait,
    gated: <L extends object>(program: number, functions: L): L => {
      const known = ([name, call]: [string, (...given: unknown[]) => Promise<unknown>]) =>
        [
          name,
          async (...given: unknown[]) => {
            await wait(program);
            running += 1;
            return call(...given).finally(() => {
              running -= 1;
            });
          },
        ] as const;
      return Object.fromEntries(Object.entries(functions).map(known)) as L;
    },
    run: async (programs, next) => {
      let left = programs.length;
      for (const program of programs) void program.finally(() => (left -= 1));
      while (left > 0) {
        // A program that got a result makes its next call, or ends, in microtasks.
        await new Promise((resolve) => setImmediate(resolve));
        if (running > 0 || waiting.length === 0) continue;
        const chosen = next([...new Set(waiting.map(({ program }) => program))]);
        const [turn] = waiting.splice(
          waiting.findIndex(({ program }) => program === chosen),
          1,
        );
        turn?.go();
      }
    },
  };
}
