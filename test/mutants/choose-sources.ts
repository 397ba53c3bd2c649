import { globSync } from 'node:fs';
import { scope } from './scope.ts';

/** The source files to mutate, and why these. */
export interface Chosen {
  readonly files: readonly string[];
  readonly reason: string;
}

/** Returns the files that paths name, or, without any, those in scope. */
export function sourcesIn(folder: string, paths: readonly string[]): Chosen {
  const all = sources(folder, paths.length === 0 ? ['src'] : ['src', 'test', 'packaging']);
  const within = paths.length === 0 ? scope : paths;
  const files = all.filter((file) => within.some((path) => file.startsWith(path)));
  if (files.length === 0) throw new Error(`no source file is in ${within.join(', ')}`);
  return { files, reason: paths.length === 0 ? 'all in scope' : paths.join(', ') };
}

function sources(folder: string, within: readonly string[]): string[] {
  const patterns = within.map((name) => `${name}/**/*.ts`);
  const isMutated = (file: string): boolean => !/\.test\.ts$|\.d\.ts$|\/generated\//.test(file);
  return globSync(patterns, { cwd: folder }).filter(isMutated).toSorted();
}
