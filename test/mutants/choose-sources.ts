import { globSync } from 'node:fs';

/**
 * The sources of mutants by default: the core, and the parts of the command-line tool that decide. The rest of the tool
 * prints, installs, captures and collects.
 */
const scope: readonly string[] = [
  ...['cni', 'config', 'model', 'net', 'plan', 'steps', 'commands', 'hcn', 'ipam', 'iphlpapi', 'json'],
  ...['gc', 'explain', 'conflist', 'config', 'network'].map(inTool),
  ...['traffic', 'trace', 'probe'].map(inTool),
].map((folder) => `src/${folder}/`);

function inTool(folder: string): string {
  return `cli/${folder}`;
}

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
