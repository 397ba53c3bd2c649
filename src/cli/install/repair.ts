import { fileName, isSamePath, joinPath } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { discard } from './in-use.ts';
import { type BinFile, binFileOf, executableName, keptName, previousName, retiredName } from './layout.ts';

/**
 * Repairs what an interrupted install, upgrade, rollback or uninstall left, and deletes what is no longer needed, unless a program still
 * runs it. The version in force before is in force afterwards, or the new one if it already was.
 */
export function repairExecutables(folder: string, files: InstallFiles): void {
  restorePrograms(folder, files);
  for (const target of targetsIn(folder, files)) restorePrevious(target, folder, files);
  removeLeftovers(folder, files);
}

/** Gives each missing program its previous version, that of the peer, or its staged version. */
export function restorePrograms(folder: string, files: InstallFiles): void {
  for (const target of targetsIn(folder, files)) restoreMissing(target, folder, files);
}

/** The names of the files in a folder. A folder or a link that has the name of a version is none. */
function filesIn(folder: string, files: InstallFiles): readonly string[] {
  return files.list(folder).filter((name) => files.status(joinPath(folder, name))?.kind === 'file');
}

/** Deletes what no installation needs, unless a program runs it. */
export function removeLeftovers(folder: string, files: InstallFiles): void {
  for (const name of filesIn(folder, files)) {
    const kind = binFileOf(name)?.kind;
    if (kind === 'staged' || kind === 'retired' || kind === 'unfinished addon')
      discard(joinPath(folder, name), files);
  }
}

/** The paths of the retired versions of a program, the last one first. */
export function retiredPaths(target: string, folder: string, files: InstallFiles): readonly string[] {
  return filesOf('retired', target, folder, files).toReversed();
}

function filesOf(
  kind: BinFile['kind'],
  target: string,
  folder: string,
  files: InstallFiles,
): readonly string[] {
  return filesIn(folder, files)
    .toSorted()
    .filter((name) => {
      const file = binFileOf(name);
      return file !== undefined && 'target' in file && file.kind === kind && isSamePath(file.target, target);
    })
    .map((name) => joinPath(folder, name));
}

/** win-hcn.exe, and the programs of peers that have one. */
function targetsIn(folder: string, files: InstallFiles): readonly string[] {
  const others = filesIn(folder, files).flatMap((name) => {
    const file = binFileOf(name);
    return file?.kind === 'kept' || file?.kind === 'previous' ? [file.target] : [];
  });
  return [...new Set([executableName, ...others])];
}

function restoreMissing(target: string, folder: string, files: InstallFiles): void {
  const path = joinPath(folder, target);
  if (files.status(path) !== undefined) return;
  const staged = filesOf('staged', target, folder, files).filter((one) => isComplete(one, files));
  const previous = joinPath(folder, previousName(target));
  const found = [previous, joinPath(folder, keptName(target)), ...staged].find(
    (one) => files.status(one)?.kind === 'file',
  );
  if (found === undefined) return;
  // An interrupted upgrade: the previous version stays as well, until `restorePrevious` finds the one before it.
  if (found === previous && staged.length > 0) linkOrRename(found, path, files);
  else files.rename(found, path);
}

/** A link is not created if another process restored the program meanwhile. */
function linkOrRename(from: string, path: string, files: InstallFiles): void {
  try {
    files.link(from, path);
  } catch {
    if (files.status(path) !== undefined) return;
    files.rename(from, path);
  }
}

/**
 * After an upgrade or a rollback that was interrupted before the staged version was in force, the kept version is the one in force, or
 * missing: the one that was kept before is the last one that was retired.
 */
function restorePrevious(target: string, folder: string, files: InstallFiles): void {
  const path = joinPath(folder, target);
  if (filesOf('staged', target, folder, files).length === 0 || files.status(path)?.kind !== 'file') return;
  const { sha256 } = files.identify(path);
  const isOther = (one: string) => files.identify(one).sha256 !== sha256;
  for (const name of [previousName(target), keptName(target)]) {
    const kept = joinPath(folder, name);
    if (files.status(kept)?.kind !== 'file') continue;
    if (isOther(kept)) return;
    files.rename(kept, retiredName(path, files.unique()));
  }
  const before = retiredPaths(target, folder, files).find(isOther);
  if (before !== undefined) files.rename(before, joinPath(folder, previousName(target)));
}

/** Whether a staged version was written completely. */
function isComplete(path: string, files: InstallFiles): boolean {
  const file = binFileOf(fileName(path));
  return file?.kind === 'staged' && files.identify(path).sha256.startsWith(file.hash.toLowerCase());
}
