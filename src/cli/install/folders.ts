import { resolve } from 'node:path';
import { type FolderFlags, findRuntimeFolders } from '../containerd/runtime-folders.ts';
import type { Session } from '../session.ts';

/** The folders of an installation. */
export interface InstallFolders {
  readonly bin: string;
  readonly conf: string;
  /** How many configurations containerd uses; 0 for all. */
  readonly maxConfNum: number;
}

/** The folders of the runtime with full paths, and what may be wrong with them. Throws as `findRuntimeFolders` does. */
export async function findFolders(
  flags: FolderFlags,
  session: Session,
): Promise<InstallFolders & { readonly warnings: readonly string[] }> {
  const { binDir, confDir, maxConfNum, warnings } = await findRuntimeFolders(flags, session);
  return { bin: fullPath(binDir, session), conf: fullPath(confDir, session), maxConfNum, warnings };
}

function fullPath(path: string, { system }: Session): string {
  return system.windows && process.platform !== 'win32' ? path : resolve(path);
}
