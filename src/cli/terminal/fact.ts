import { errorMessage } from '../../cni/error.ts';

/** A value read from the node, or the reason why it is not available. */
export type Fact<T> = { readonly value: T } | { readonly error: string };

export async function factFrom<T>(work: Promise<T>): Promise<Fact<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error: errorMessage(error) };
  }
}
