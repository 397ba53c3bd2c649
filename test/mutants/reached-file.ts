import { relative } from 'node:path';

/** Returns the name of the file that lists the probes that a test file reached. */
export function reachedFile(test: string, folder: string): string {
  return `${relative(folder, test).replaceAll('/', ' ')}.json`;
}
