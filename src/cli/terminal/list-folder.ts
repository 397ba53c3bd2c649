import { isMissingFile } from './file-error.ts';
import type { Terminal } from './terminal.ts';

/** The sorted names in a folder; undefined if the folder does not exist. Throws other errors as node:fs does. */
export function listFolderIfExists(folder: string, { listFolder }: Terminal): readonly string[] | undefined {
  try {
    return listFolder(folder).toSorted();
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
