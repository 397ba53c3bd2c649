import { resolve } from 'node:path';
import { type FolderFlags, findRuntimeFolders } from '../containerd/runtime-folders.ts';
import type { Session } from '../session.ts';
import type { InstallFiles } from './files.ts';
import { planFolder } from './plan-folder.ts';

/** The folders of an installation. */
export interface InstallFolders {
  readonly bin: string;
  readonly conf: string;
  /** How many configurations containerd uses; 0 for all. */
  readonly maxConfNum: number;
}

/** Both folders without links, for the mutex. Throws CniError if one is not a folder. */
export function pathsOf({ bin, conf }: InstallFolders, files: InstallFiles): readonly string[] {
  return [bin, conf].map((folder) => planFolder(folder, files).path);
}

/** The folders of the runtime with full paths, and what may be wrong with them. Throws as `findRuntimeFolders` does. */
export async function findFolders(
  flags: FolderFlags,
  session: Session,
): Promise<InstallFolders & { readonly warnings: readonly string[] }> {
  const { binDir, confDir, maxConfNum, warnings } = await findRuntimeFolders(flags, session);
  return { bin: fullPath(binDir, session), conf: fullPath(confDir, session), maxConfNum, warnings };
}

/** An absolute path. On other systems than Windows, a path of Windows already is one. */
export function fullPath(path: string, { system }: Session): string {
  return system.windows && process.platform !== 'win32' ? path : resolve(path);
}
