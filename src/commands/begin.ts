/**
 * Marks a read that runs in parallel with others. Its failure counts only where it is awaited, so that the order in which a command awaits
 * its reads decides which failure it reports. Not for changes: a command that fails must not leave one running.
 */
export function begin<T>(read: Promise<T>): Promise<T> {
  read.catch(() => undefined);
  return read;
}
