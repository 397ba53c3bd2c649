import { withDetails } from '../cni/error.ts';

export type Taken = 'addresses' | 'network' | 'endpoint' | 'load balancer' | 'namespace';

/** What a request has taken and must give back if it fails, last taken first given back. */
export interface Undo {
  /** Answers a function that takes the entry back: what was taken stays. */
  push(taken: Taken, giveBack: () => Promise<void>): () => void;
  /**
   * Gives everything back that can be; returns what could not, one line each. Addresses stay taken while an endpoint may still
   * have them.
   */
  unwind(): Promise<readonly string[]>;
}

export function newUndo(): Undo {
  let entries: readonly { readonly taken: Taken; readonly giveBack: () => Promise<void> }[] = [];
  return {
    push: (taken, giveBack) => {
      const entry = { taken, giveBack };
      entries = [...entries, entry];
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    unwind: async () => {
      const failures: string[] = [];
      let endpointStays = false;
      for (const { taken, giveBack } of entries.toReversed()) {
        if (taken === 'addresses' && endpointStays) {
          failures.push('the addresses stay taken until the next DEL');
          continue;
        }
        try {
          await giveBack();
        } catch (error) {
          endpointStays ||= taken === 'endpoint';
          failures.push(
            `undoing the ${taken} failed: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      }
      return failures;
    },
  };
}

/** Does some work; a failure gives back what it took, and has what could not be given back in its details. */
export async function undoing<T>(work: (undo: Undo) => Promise<T>): Promise<T> {
  const undo = newUndo();
  try {
    return await work(undo);
  } catch (error) {
    throw withDetails(error, ...(await undo.unwind()));
  }
}
