import { execFileSync } from 'node:child_process';
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

/** Returns the files in scope that changed since a commit. Falls back to all in scope where git cannot tell, or none changed. */
export function sourcesChanged(folder: string, since: string): Chosen {
  const { files: all } = sourcesIn(folder, []);
  const isKnown = git(folder, 'rev-parse', '--verify', '--quiet', `${since}^{commit}`) !== undefined;
  const changed = isKnown ? git(folder, 'diff', '--name-only', since, '--', 'src') : undefined;
  if (changed === undefined) return { files: all, reason: `all in scope: this clone has no commit ${since}` };
  const names = changed.split('\n');
  const files = all.filter((file) => names.includes(file));
  if (files.length === 0) return { files: all, reason: `all in scope: none of it changed since ${since}` };
  return { files, reason: `what changed in scope since ${since}` };
}

function sources(folder: string, within: readonly string[]): string[] {
  const patterns = within.map((name) => `${name}/**/*.ts`);
  const isMutated = (file: string): boolean => !/\.test\.ts$|\.d\.ts$|\/generated\//.test(file);
  return globSync(patterns, { cwd: folder }).filter(isMutated).toSorted();
}

function git(folder: string, ...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
