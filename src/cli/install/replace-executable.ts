import { CniError, code } from '../../cni/error.ts';
import { joinPath } from '../doctor/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { installError, removeIfPresent, removeOrRetire, retryWhileInUse } from './in-use.ts';
import { binFileOf, executableName, keptName, previousName, retiredName, stagedName } from './layout.ts';

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

/** How long a new version may take to print its version, also while a scanner examines it. */
const firstRunSeconds = 60;

/** Writes a new version beside the one in force, checks its content and runs it once. Throws CniError, and leaves nothing then. */
export async function stageExecutable(
  { source, folder, target, sha256 }: { source: string; folder: string; target: string; sha256: string },
  files: InstallFiles,
): Promise<void> {
  const path = joinPath(folder, stagedName(target, sha256));
  try {
    removeIfPresent(path, files);
    files.copyNew(source, path);
  } catch (cause) {
    discard(path, files);
    throw installError('write', path, cause);
  }
  const problem = await problemOf(path, sha256, files);
  if (problem === undefined) return;
  discard(path, files);
  throw new CniError(
    code.ioFailure,
    `${source} cannot be installed: its copy ${problem}. Download win-hcn again, or allow it in your security software.`,
  );
}

async function problemOf(path: string, sha256: string, files: InstallFiles): Promise<string | undefined> {
  if (files.identify(path).sha256 !== sha256) return 'has other bytes than it';
  const result = await files.run(path, ['version'], firstRunSeconds);
  if ('problem' in result) return `does not start (${result.problem})`;
  return result.exitCode === 0 ? undefined : `ends with exit code ${result.exitCode}`;
}

/** Removes part of a file. What cannot be removed is left for the next repair. */
function discard(path: string, files: InstallFiles): void {
  try {
    removeIfPresent(path, files);
  } catch {
    // The error that follows is the one that matters.
  }
}

/** Puts a staged program in force and keeps the one before. Throws CniError; the one before is then in force. */
export async function replaceExecutable(
  { folder, target, staged, keepAs }: Replacement,
  files: InstallFiles,
): Promise<void> {
  const path = joinPath(folder, target);
  try {
    if (keepAs !== undefined && files.status(path) !== undefined)
      await keep(path, joinPath(folder, keepAs), files);
    await putInForce(joinPath(folder, staged), path, files);
  } catch (cause) {
    throw installError('replace', path, cause);
  }
}

/** Gives a program a second name, which may belong to an older one. */
async function keep(path: string, kept: string, files: InstallFiles): Promise<void> {
  await removeOrRetire(kept, files);
  try {
    files.link(path, kept);
  } catch {
    files.copyNew(path, kept);
  }
}

/** Renames a program over another. While Windows refuses that because the other runs, moves the other aside first. */
export async function putInForce(from: string, path: string, files: InstallFiles): Promise<void> {
  try {
    await retryWhileInUse(files, () => files.rename(from, path));
  } catch (error) {
    if (files.status(path) === undefined) throw error;
    const aside = retiredName(path, files.unique());
    files.rename(path, aside);
    try {
      files.rename(from, path);
    } catch (cause) {
      files.rename(aside, path);
      throw cause;
    }
  }
}

/**
 * Repairs what an interrupted install, upgrade or uninstall left: a missing program gets its previous or its staged version, and what
 * is no longer needed is deleted, unless a program still runs it.
 */
export function repairExecutables(folder: string, files: InstallFiles): void {
  const names = files.list(folder);
  const kept = names.flatMap((name) => {
    const file = binFileOf(name);
    return file?.kind === 'kept' ? [file.target] : [];
  });
  for (const target of new Set([executableName, ...kept])) restoreMissing(target, folder, files);
  for (const name of files.list(folder)) {
    const kind = binFileOf(name)?.kind;
    if (kind === 'staged' || kind === 'retired' || kind === 'unfinished addon')
      discard(joinPath(folder, name), files);
  }
}

function restoreMissing(target: string, folder: string, files: InstallFiles): void {
  const path = joinPath(folder, target);
  if (files.status(path) !== undefined) return;
  const staged = files.list(folder).filter((name) => isComplete(name, target, folder, files));
  const found = [keptName(target), previousName(target), ...staged].find(
    (name) => files.status(joinPath(folder, name)) !== undefined,
  );
  if (found !== undefined) files.rename(joinPath(folder, found), path);
}

/** Whether a name is that of a staged version of the target that was written completely. */
function isComplete(name: string, target: string, folder: string, files: InstallFiles): boolean {
  const file = binFileOf(name);
  if (file?.kind !== 'staged' || file.target.toLowerCase() !== target.toLowerCase()) return false;
  return files.identify(joinPath(folder, name)).sha256.startsWith(file.hash.toLowerCase());
}
