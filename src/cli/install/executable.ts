import { createHash } from 'node:crypto';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { CniError, code, errorMessage } from '../../cni/error.ts';
import { isMissingFile } from '../terminal/files.ts';
import { fileName, isSamePath, joinPath, parentFolder } from '../terminal/windows-path.ts';
import {
  deleteFile,
  deleteOrRename,
  discard,
  type FileChange,
  leftoverPath,
  retryWhileInUse,
  writeFile,
} from './file-changes.ts';
import type { InstallFiles } from './files.ts';

/** The name of the executable that containerd runs for the plugin type `win-hcn`. */
export const executableName = 'win-hcn.exe';

/** The path of the version before, for a rollback. */
export function previousPath(folder: string): string {
  return joinPath(folder, `${executableName}.previous`);
}

/** Which executable to put in force, and where. */
export interface ExecutableRequest {
  readonly source: string;
  readonly folder: string;
  /** Whether other accounts could have modified the files in the folder. They are replaced, and not kept. */
  readonly isOpen: boolean;
}

/**
 * Puts an executable in force, unless it is. It is copied beside the old one and run once before. Throws CniError if its name is taken by a
 * link or a folder.
 */
export function executableChanges(
  { source, folder, isOpen }: ExecutableRequest,
  files: InstallFiles,
): readonly FileChange[] {
  const path = joinPath(folder, executableName);
  const kind = files.kindOf(path);
  if (kind !== undefined && kind !== 'file')
    throw new CniError(code.ioFailure, `${path} is not a file. Delete it and run this command again.`);
  const sha256 = files.sha256(source);
  if (kind === 'file' && files.sha256(path) === sha256 && !isOpen) return [];
  const staged = leftoverPath(path);
  const previous = previousPath(folder);
  return [
    ...(isOpen && files.kindOf(previous) !== undefined ? [deleteFile(previous)] : []),
    stageExecutable(source, staged, sha256),
    kind === undefined ? installExecutable(staged, path) : replaceExecutable(staged, path, previous, isOpen),
  ];
}

/** How long a new version may take to print its version, also while a scanner examines it. */
const firstRunSeconds = 60;

/** Copies a new version, checks its content and runs it once. */
function stageExecutable(source: string, staged: string, sha256: string): FileChange {
  return {
    title: `copy ${source} to ${parentFolder(staged)} and run it once`,
    run: async (files) => {
      try {
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
  const written = await retryWhileInUse(files, () => files.sha256(staged));
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

function installExecutable(staged: string, path: string): FileChange {
  return {
    title: `install ${path}`,
    run: (files) => retryWhileInUse(files, () => files.rename(staged, path)),
    undo: (files) => deleteOrRename(path, files),
  };
}

/**
 * Replaces an executable. Windows renames no file over one that runs, so the old one is renamed first: its name is missing between the two
 * renames. If this process is killed there, the next command ends it.
 */
function replaceExecutable(staged: string, path: string, previous: string, isOpen: boolean): FileChange {
  const kept = isOpen ? leftoverPath(path) : previous;
  const restore = (files: InstallFiles) => retryWhileInUse(files, () => files.rename(kept, path));
  return {
    title: `replace ${path}${isOpen ? '' : ` and keep the old one as ${fileName(previous)}`}`,
    run: async (files) => {
      const keep = () => files.rename(path, kept);
      try {
        keep();
      } catch (error) {
        if (isMissingFile(error)) throw error; // Another command is replacing it: keep its version before.
        if (!isOpen) await deleteOrRename(previous, files);
        await retryWhileInUse(files, keep);
      }
      try {
        await retryWhileInUse(files, () => files.rename(staged, path));
      } catch (error) {
        await restore(files);
        throw error;
      }
    },
    undo: async (files) => {
      await deleteOrRename(path, files);
      await restore(files);
    },
  };
}

/** The addon that an executable contains. */
export interface Addon {
  /** Contains the addon's hash. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An addon, or a part of one that an ADD has not unpacked completely. */
const addonPattern = /^win-hcn-koffi-[0-9a-f]{16}\.node(\.\S+)?$/i;

/** The addon of the running executable; undefined if it is not packaged. */
export function ownAddon(): Addon | undefined {
  const name = isSea() ? getAssetKeys().find((key) => addonPattern.test(key)) : undefined;
  return name === undefined ? undefined : { name, bytes: new Uint8Array(getRawAsset(name)) };
}

/** Writes the addon, unless it is there and other accounts cannot have modified it. */
export function addonChanges(
  addon: Addon | undefined,
  { folder, isOpen }: Pick<ExecutableRequest, 'folder' | 'isOpen'>,
  files: InstallFiles,
): readonly FileChange[] {
  if (addon === undefined) return [];
  const path = joinPath(folder, addon.name);
  const sha256 = createHash('sha256').update(addon.bytes).digest('hex');
  const isEqual = files.kindOf(path) === 'file' && files.sha256(path) === sha256;
  return isEqual && !isOpen ? [] : [writeFile(path, addon.bytes)];
}

/** Whether a path is a link that leads to a file. */
function leadsTo(path: string, file: string, files: InstallFiles): boolean {
  try {
    return files.kindOf(path) === 'link' && isSamePath(files.resolve(path), file);
  } catch {
    return false; // A link to nothing.
  }
}

/** Deletes a link to the executable, and restores the plugin that it replaced, by the name of docs/install.md. */
function removeLink(path: string, executable: string, files: InstallFiles): FileChange {
  const replaced = `${path}.before-win-hcn`;
  const isKept = files.kindOf(replaced) === 'file';
  return {
    title: isKept
      ? `replace link ${path} with ${fileName(replaced)}`
      : `delete link ${path}, because there is no ${fileName(replaced)} to restore`,
    run: (files) =>
      retryWhileInUse(files, () => (isKept ? files.rename(replaced, path) : files.remove(path))),
    undo: (files) => {
      if (isKept) files.rename(path, replaced);
      files.link(executable, path);
    },
  };
}

/** Deletes links to the executable, then it, its previous version and addons. No request unpacks an addon after the executable is gone. */
export function executableRemovals(folder: string, files: InstallFiles): readonly FileChange[] {
  const paths = files.list(folder).map((name) => joinPath(folder, name));
  const executable = joinPath(folder, executableName);
  const addons = paths.filter((path) => addonPattern.test(fileName(path)));
  const own = [executable, previousPath(folder), ...addons].filter((path) => paths.includes(path));
  const links = paths.filter((path) => leadsTo(path, executable, files));
  return [...links.map((path) => removeLink(path, executable, files)), ...own.map(deleteFile)];
}
