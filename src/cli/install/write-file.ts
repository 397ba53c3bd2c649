import type { InstallFiles } from './files.ts';
import { installError, removeIfPresent, retryWhileInUse } from './in-use.ts';
import { unfinishedName } from './layout.ts';

/**
 * Writes a configuration so that containerd never reads half of it and reloads it: it ignores the creation of a file, and reacts to
 * renames and writes.
 */
export async function writeConfiguration(
  path: string,
  bytes: Uint8Array,
  files: InstallFiles,
): Promise<void> {
  await writeOver(path, unfinishedName(path), bytes, files);
  try {
    files.setTime(path);
  } catch {
    // The rename alone makes containerd reload; the new time only repeats that.
  }
}

/** Writes a whole file beside its final path, flushes it and renames it. Throws CniError; the file is as it was then. */
export async function writeOver(
  path: string,
  temporary: string,
  bytes: Uint8Array,
  files: InstallFiles,
): Promise<void> {
  try {
    removeIfPresent(temporary, files);
    files.writeNew(temporary, bytes);
    await retryWhileInUse(files, () => files.rename(temporary, path));
  } catch (cause) {
    try {
      removeIfPresent(temporary, files);
    } catch {
      // The first failure is the one that matters.
    }
    throw installError('write', path, cause);
  }
}
