import { resolve } from 'node:path';
import { CniError, code } from '../../cni/error.ts';
import { type FolderFlags, findRuntimeFolders } from '../containerd/runtime-folders.ts';
import type { Session } from '../terminal/session.ts';
import type { InstallFiles } from './files.ts';

/** A folder that an installation writes to. */
export interface Folder {
  /** As given: it can lead to another folder. */
  readonly given: string;
  /** Without links. */
  readonly path: string;
  readonly isMissing: boolean;
}

/** The folders of an installation. */
export interface InstallFolders {
  readonly bin: Folder;
  readonly conf: Folder;
  /** How many configurations containerd uses; 0 for all. */
  readonly maxConfNum: number;
}

/**
 * Finds the folders of the runtime. Throws CniError as `findRuntimeFolders` does, and if a path is not that of a folder.
 * `options`: those that the command has.
 */
export async function findFolders(
  flags: FolderFlags,
  session: Session,
  files: InstallFiles,
  options?: readonly (keyof FolderFlags)[],
): Promise<InstallFolders> {
  const { binDir, confDir, maxConfNum } = await findRuntimeFolders(flags, session, options);
  // On other systems than Windows, a path of Windows already is absolute.
  const isForeign = session.system.windows && process.platform !== 'win32';
  const found = (path: string) => resolveFolder(isForeign ? path : resolve(path), files);
  return { bin: found(binDir), conf: found(confDir), maxConfNum };
}

/** Follows links to a folder, which may be missing. Throws CniError if the path is not that of a folder. */
export function resolveFolder(given: string, files: InstallFiles): Folder {
  if (files.kindOf(given) === undefined) return { given, path: given, isMissing: true };
  try {
    const path = files.resolve(given);
    if (files.kindOf(path) === 'folder') return { given, path, isMissing: false };
  } catch {
    // A link to nothing.
  }
  throw new CniError(
    code.ioFailure,
    `${given} does not lead to a folder. Rename it, or specify another folder with --bin-dir or --conf-dir.`,
  );
}
