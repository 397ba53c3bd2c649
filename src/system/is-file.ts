import { statSync } from 'node:fs';

/** False for a path that cannot be read: the next folder may have the file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
