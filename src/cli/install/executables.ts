import { CniError, code } from '../../cni/error.ts';
import { pluginName } from '../../config/open-config.ts';
import { isSamePath, joinPath } from '../terminal/windows-path.ts';
import { deleteFile, type FileChange } from './file-changes.ts';
import type { InstallFiles } from './files.ts';
import { discard } from './in-use.ts';
import { type BinFile, binFileOf, ending, executableName, isReplaceable } from './names.ts';
import { replaceExecutable, restoreExecutable, stageExecutable } from './replace-executable.ts';

/** The file name of a plugin's executable, from the value of `--replace`. Throws CniError if win-hcn cannot replace it. */
export function replacedExecutable(given: string): string {
  const name = `${pluginName(given)}.exe`;
  if (isReplaceable(name)) return name;
  throw new CniError(
    code.invalidEnvironment,
    `win-hcn cannot replace ${given}: it accepts the configurations of win-bridge, win-overlay, sdnbridge, sdnoverlay and nat.`,
  );
}

/** The files of an installation in the plugin folder; `copy`: win-hcn under the name of another plugin. Skips folders and links. */
export function binFilesIn(folder: string, files: InstallFiles): readonly (BinFile & { path: string })[] {
  return files.list(folder).flatMap((name) => {
    const path = joinPath(folder, name);
    if (files.kindOf(path) !== 'file') return [];
    const isCopy = isReplaceable(name) && files.identify(path).isWinHcn;
    const file = isCopy ? { kind: 'copy', target: name } : binFileOf(name);
    return file === undefined ? [] : [{ ...file, path }];
  });
}

/** Which executable to put in force, and where. */
export interface ExecutableRequest {
  readonly source: string;
  readonly folder: string;
  /** The executables of plugins to replace, besides copies of win-hcn. */
  readonly replace: readonly string[];
  /** Paths that accounts other than administrators could have modified. They are replaced or deleted, and not kept. */
  readonly distrusted: readonly string[];
}

/**
 * Puts an executable in force, as win-hcn.exe and in the place of plugins, wherever another one is. All are staged, and so run once, before
 * the first is in force. Throws CniError if a name is taken by a link or a folder.
 */
export function executableChanges(
  { source, folder, replace, distrusted }: ExecutableRequest,
  files: InstallFiles,
): readonly FileChange[] {
  const { sha256 } = files.identify(source);
  const isDistrusted = (path: string) => distrusted.some((one) => isSamePath(one, path));
  const found = binFilesIn(folder, files);
  const copies = [...replace, ...found.filter(({ kind }) => kind === 'copy').map(({ target }) => target)];
  const targets = [executableName, ...new Set(copies.map((name) => name.toLowerCase()))];
  const replacements = targets.flatMap((target) => {
    const path = joinPath(folder, target);
    const installed = identifyFile(path, files);
    if (installed?.sha256 === sha256 && !isDistrusted(path)) return [];
    const isOurs = target === executableName || installed?.isWinHcn === true;
    const isKept = installed !== undefined && !(isOurs && isDistrusted(path));
    const keepAs = isKept ? `${path}${isOurs ? ending.previous : ending.original}` : undefined;
    return {
      stage: stageExecutable(source, path, sha256),
      replace: replaceExecutable(path, installed === undefined, keepAs),
    };
  });
  return [
    ...found
      .filter(({ kind, path }) => kind === 'previous' && isDistrusted(path))
      .map(({ path }) => deleteFile(path)),
    ...replacements.map((one) => one.stage),
    ...replacements.map((one) => one.replace),
  ];
}

function identifyFile(path: string, files: InstallFiles) {
  const kind = files.kindOf(path);
  if (kind === undefined || kind === 'file') return kind && files.identify(path);
  const what = kind === 'link' ? 'a link' : 'not a file';
  throw new CniError(code.ioFailure, `${path} is ${what}. Delete it and run this command again.`);
}

/** Kinds of files in the order of their deletion: no repair restores a version, and no request unpacks an addon, deleted before. */
const order = ['original', 'copy', 'previous', 'staged', 'retired', 'executable', 'unfinished', 'addon'];

/** Puts the executables of other plugins back in force, and deletes ours. A plugin that was installed again over our copy stays. */
export function executableRemovals(
  folder: string,
  files: InstallFiles,
): { readonly restorations: readonly FileChange[]; readonly deletions: readonly FileChange[] } {
  const found = binFilesIn(folder, files);
  const isCopy = (target: string) =>
    found.some((one) => one.kind === 'copy' && isSamePath(one.target, target));
  const restored = found.filter(
    ({ kind, target }) =>
      kind === 'original' && (isCopy(target) || files.kindOf(joinPath(folder, target)) === undefined),
  );
  const isRestored = (path: string) =>
    restored.some((one) => one.path === path || isSamePath(joinPath(folder, one.target), path));
  return {
    restorations: restored.map(({ path, target }) => restoreExecutable(path, joinPath(folder, target))),
    deletions: found
      .filter(({ path }) => !isRestored(path))
      .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
      .map(({ path }) => deleteFile(path)),
  };
}

/** Repairs what an interrupted command left: gives a missing executable its last version, and deletes what is no longer needed. */
export function repairExecutables(folder: string, files: InstallFiles): void {
  for (const kind of ['previous', 'original'])
    for (const file of binFilesIn(folder, files)) {
      const path = joinPath(folder, file.target);
      if (file.kind === kind && files.kindOf(path) === undefined) files.rename(file.path, path);
    }
  removeLeftovers(folder, files);
}

/** Deletes what no installation needs, unless a program runs it. */
export function removeLeftovers(folder: string, files: InstallFiles): void {
  for (const name of files.list(folder))
    if (['staged', 'retired', 'unfinished'].includes(binFileOf(name)?.kind ?? ''))
      discard(joinPath(folder, name), files);
}
