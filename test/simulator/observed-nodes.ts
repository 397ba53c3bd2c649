// The profiles of observed nodes, which npm run profile adds.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ObservedProfile } from './observed-profile.ts';

export const observedFolder = resolve(import.meta.dirname, 'observed');

/** By name, which is that of the file. */
export function observedNodes(folder = observedFolder): Readonly<Record<string, ObservedProfile>> {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const read = (file: string): ObservedProfile => JSON.parse(readFileSync(resolve(folder, file), 'utf8'));
  return Object.fromEntries(files.map((file) => [file.replace(/\.json$/, ''), read(file)]));
}
