import { createHash } from 'node:crypto';
import { CniError, code, errorMessage } from '../../cni/error.ts';
import { pluginName } from '../../config/open-config.ts';
import { fileName, isSamePath, joinPath } from '../terminal/windows-path.ts';
import {
  deleteFile,
  deleteOrRetire,
  discard,
  type FileChange,
  isInUse,
  retiredPath,
  retryWhileInUse,
  writeFile,
} from './file-changes.ts';
import type { InstallFiles } from './files.ts';
import { type Addon, type BinFile, binFileOf, ending, executableName, isReplaceable } from './names.ts';

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

/** How long a new version may take to print its version, also while a scanner examines it. */
const firstRunSeconds = 60;

/** Copies a new version beside the path that it will have, checks its content and runs it once. */
function stageExecutable(source: string, path: string, sha256: string): FileChange {
  const staged = `${path}${ending.staged}`;
  return {
    title: `copy ${source} to ${staged} and run it once`,
    run: async (files) => {
      try {
        await deleteOrRetire(staged, files);
        files.copyNew(source, staged);
        await check(source, staged, sha256, files);
      } catch (error) {
        discard(staged, files);
        throw error;
      }
    },
    undo: (files) => discard(staged, files),
  };
}

async function check(source: string, staged: string, sha256: string, files: InstallFiles): Promise<void> {
  const { sha256: written } = await retryWhileInUse(files, () => files.identify(staged));
  const problem =
    written === sha256
      ? await retryWhileInUse(files, () => files.run(staged, ['version'], firstRunSeconds)).then(
          ({ exitCode }) => exitCode !== 0 && `exits with code ${exitCode}`,
          (error: unknown) => `does not start (${errorMessage(error)})`,
        )
      : 'differs from it';
  if (problem)
    throw new CniError(
      code.ioFailure,
      `${source} cannot be installed: its copy ${problem}. Download win-hcn again, or allow it in your security software.`,
    );
}

/** Puts a staged version in force. `isNew`: there is none yet. `keepAs`: the path that the version before gets, if any. */
function replaceExecutable(path: string, isNew: boolean, keepAs: string | undefined): FileChange {
  const staged = `${path}${ending.staged}`;
  return {
    title: isNew
      ? `rename ${fileName(staged)} to ${path}`
      : `replace ${path}${keepAs === undefined ? '' : ` and keep the old one as ${fileName(keepAs)}`}`,
    run: async (files) => {
      if (keepAs !== undefined) await keepVersion(path, keepAs, files);
      await putInForce(staged, path, files);
    },
    undo: async (files) => {
      if (isNew) await deleteOrRetire(path, files);
      else if (keepAs !== undefined) await putInForce(keepAs, path, files);
    },
  };
}

/** Puts another plugin's own executable back in place of the copy of win-hcn. */
function restoreExecutable(original: string, path: string): FileChange {
  return {
    title: `restore ${path} from ${fileName(original)}`,
    run: (files) => putInForce(original, path, files),
  };
}

/** Gives the executable in force a second name, which always is that of a complete executable. */
async function keepVersion(path: string, keepAs: string, files: InstallFiles): Promise<void> {
  const copy = retiredPath(path);
  try {
    files.link(path, copy);
  } catch {
    // The file system has no hard links.
    files.copyNew(path, copy);
  }
  await putInForce(copy, keepAs, files);
}

/**
 * Renames an executable over another. Windows refuses that while the other runs: after 2 s, the other is renamed first, and its name is
 * missing between the two renames. If this process dies in this gap, the next install or upgrade ends it.
 */
async function putInForce(from: string, path: string, files: InstallFiles): Promise<void> {
  try {
    await retryWhileInUse(files, () => files.rename(from, path), 2);
  } catch (error) {
    if (!isInUse(error) || files.kindOf(path) === undefined) throw error;
    const aside = retiredPath(path);
    await retryWhileInUse(files, () => files.rename(path, aside));
    try {
      await retryWhileInUse(files, () => files.rename(from, path));
    } catch (again) {
      await retryWhileInUse(files, () => files.rename(aside, path));
      throw again;
    }
  }
}

/** Writes the addon, unless it is there and only administrators could have modified it. */
export function addonChanges(
  addon: Addon | undefined,
  { folder, distrusted }: { readonly folder: string; readonly distrusted: readonly string[] },
  files: InstallFiles,
): readonly FileChange[] {
  if (addon === undefined) return [];
  const path = joinPath(folder, addon.name);
  const sha256 = createHash('sha256').update(addon.bytes).digest('hex');
  const isEqual = files.kindOf(path) === 'file' && files.identify(path).sha256 === sha256;
  return isEqual && !distrusted.includes(path) ? [] : [writeFile(path, addon.bytes, undefined)];
}
