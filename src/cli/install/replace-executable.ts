import { joinPath, parentFolder } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { installError, isInUse, linkOrCopy, retryWhileInUse } from './in-use.ts';
import { retiredName } from './layout.ts';
import { retiredPaths } from './repair.ts';

/** A program to put in place of another. */
export interface Replacement {
  readonly folder: string;
  /** The name in force: `win-hcn.exe`, or that of a peer. */
  readonly target: string;
  /** The name of the staged file. */
  readonly staged: string;
  /** The name under which the file in force is kept; undefined if it is not. */
  readonly keepAs: string | undefined;
}

/** How often, every 25 ms, to try to rename over a program before its name is given up for a moment: 2 s. */
const overAttempts = { most: 80, milliseconds: 25 };

/** How often, every 10 ms, to try to end the moment without a program: 5 s. */
const gapAttempts = { most: 500, milliseconds: 10 };

/**
 * Puts a staged program in force and keeps the one before. The program that had the name `keepAs` is retired, not deleted, until
 * `removeLeftovers`. Throws CniError; the folder is then as before.
 */
export async function replaceExecutable(
  { folder, target, staged, keepAs }: Replacement,
  files: InstallFiles,
): Promise<void> {
  const path = joinPath(folder, target);
  try {
    if (keepAs === undefined || files.status(path) === undefined)
      return await putInForce(joinPath(folder, staged), path, files);
    const kept = joinPath(folder, keepAs);
    const before = await keep(path, kept, files);
    try {
      await putInForce(joinPath(folder, staged), path, files);
    } catch (error) {
      files.rename(kept, retiredName(path, files.unique()));
      if (before !== undefined) files.rename(before, kept);
      throw error;
    }
  } catch (cause) {
    throw installError('replace', path, cause);
  }
}

/**
 * Gives a program a second name, which always is that of a complete program. Returns the new path of the one that had it; undefined if
 * none had.
 */
async function keep(path: string, kept: string, files: InstallFiles): Promise<string | undefined> {
  const copy = retiredName(path, files.unique());
  linkOrCopy(path, copy, files);
  const before = files.status(kept) === undefined ? undefined : retiredName(path, files.unique());
  if (before !== undefined) await retryWhileInUse(files, () => files.rename(kept, before));
  try {
    await retryWhileInUse(files, () => files.rename(copy, kept));
  } catch (error) {
    if (before !== undefined) files.rename(before, kept);
    throw error;
  }
  return before;
}

/** Undoes a replacement: the program that was kept is in force, and the one that was kept before it is kept again. */
export async function undoReplacement(
  { folder, target, keepAs }: Replacement,
  files: InstallFiles,
): Promise<void> {
  const path = joinPath(folder, target);
  if (keepAs === undefined) return;
  const kept = joinPath(folder, keepAs);
  const { sha256 } = files.identify(kept);
  const before = retiredPaths(target, folder, files).find((one) => files.identify(one).sha256 !== sha256);
  await putInForce(kept, path, files);
  if (before !== undefined) files.rename(before, kept);
}

/**
 * Renames a program over another. Windows refuses that while the other runs. After 2 s, or at once if it is this process that runs from
 * it, the other is renamed first: no program has the name between the two renames. A guard ends this gap if this process dies in it.
 */
export async function putInForce(from: string, path: string, files: InstallFiles): Promise<void> {
  const attempts = files.isOwnProgram(path) ? { most: 1, milliseconds: 0 } : overAttempts;
  try {
    await retryWhileInUse(files, () => files.rename(from, path), attempts);
  } catch (error) {
    if (!isInUse(error) || files.status(path) === undefined) throw error;
    const guard = await files.guard(parentFolder(path));
    try {
      await renameAround(from, path, files);
    } finally {
      await guard.end();
    }
  }
}

async function renameAround(from: string, path: string, files: InstallFiles): Promise<void> {
  const aside = retiredName(path, files.unique());
  await retryWhileInUse(files, () => files.rename(path, aside));
  try {
    await retryWhileInUse(files, () => files.rename(from, path), gapAttempts);
  } catch (error) {
    await retryWhileInUse(files, () => files.rename(aside, path), gapAttempts);
    throw error;
  }
}
