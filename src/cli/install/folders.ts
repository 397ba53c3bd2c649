import { resolve } from 'node:path';
import { type FolderFlags, findRuntimeFolders, type RuntimeFolders } from '../containerd/runtime-folders.ts';
import type { Session } from '../terminal/session.ts';
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

/** The folders of the runtime with full paths. Prints warnings, and throws as `findRuntimeFolders` does. */
export async function findFolders(flags: FolderFlags, session: Session): Promise<InstallFolders> {
  const { binDir, confDir, maxConfNum } = await readFolders(flags, session);
  return { bin: fullPath(binDir, session), conf: fullPath(confDir, session), maxConfNum };
}

/** The given folder, else that of the runtime, as `findFolders` finds it, for a command that has only this option. */
export async function findFolder(
  option: keyof FolderFlags,
  given: string | undefined,
  session: Session,
): Promise<string> {
  return fullPath(given ?? (await readFolders({}, session, [option]))[option], session);
}

async function readFolders(
  flags: FolderFlags,
  session: Session,
  options?: readonly (keyof FolderFlags)[],
): Promise<RuntimeFolders> {
  const found = await findRuntimeFolders(flags, session, options);
  for (const warning of found.warnings) session.printStderr(`win-hcn: ${warning}`);
  return found;
}

/** An absolute path. On other systems than Windows, a path of Windows already is one. */
function fullPath(path: string, { system }: Session): string {
  return system.windows && process.platform !== 'win32' ? path : resolve(path);
}
