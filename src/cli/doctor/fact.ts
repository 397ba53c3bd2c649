/** What a collector found out, or why it could not. */
export type Fact<T> = { readonly known: T } | { readonly unknown: string };

/** What some work that may fail found out. */
export async function factOf<T>(work: Promise<T>): Promise<Fact<T>> {
  try {
    return { known: await work };
  } catch (error) {
    return { unknown: error instanceof Error ? error.message : String(error) };
  }
}
