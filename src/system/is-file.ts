import { statSync } from 'node:fs';

/** A path that cannot even be looked at is none: the next folder may have the file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
