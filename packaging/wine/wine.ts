/** Finds a Wine that runs Node 26: 9 or newer on PATH, else the Debian root that wine-root.sh creates. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Node 24 and later crash under the Wine 8 of Debian bookworm. */
const OLDEST = 9;
const build = resolve(import.meta.dirname, '../../build');

/** The folder of prefixes, for this process and for Wine. */
export interface Wine {
  readonly version: string;
  readonly home: string;
  readonly homeInside: string;
  /** Returns the command that runs a program of Wine, such as `wine` or `wineserver`, in a folder. */
  readonly argv: (folder: string, program: readonly string[]) => string[];
}

/** Returns the Wine to use, or why it is missing and the remedy. */
export function findWine(): Wine | { readonly missing: string } {
  const home = join(build, 'wine');
  mkdirSync(join(home, 'tmp'), { recursive: true });
  const root = process.env['WIN_HCN_WINE_ROOT'] ?? join(build, 'wine-root');
  const candidates = existsSync(root) ? [onPath(home), inRoot(root, home)] : [onPath(home)];
  const tried: string[] = [];
  for (const candidate of candidates) {
    const version = versionOf(candidate);
    if (Number.parseInt(version, 10) >= OLDEST) return { ...candidate, version };
    tried.push(version);
  }
  return { missing: `no Wine ${OLDEST} (${tried.join('; ')}): as root, run test/windows/wine-root.sh` };
}

type Candidate = Omit<Wine, 'version'>;

function onPath(home: string): Candidate {
  return {
    home,
    homeInside: home,
    argv: (folder, program) => ['env', `--chdir=${folder}`, ...program],
  };
}

/** Shares the network, so that the exe reaches 127.0.0.1, and the prefixes, but no other files. */
function inRoot(root: string, home: string): Candidate {
  const sandbox = ['bwrap', '--die-with-parent', '--ro-bind', root, '/', '--dev', '/dev', '--proc', '/proc'];
  const shared = ['--bind', home, '/mnt', '--bind', join(home, 'tmp'), '/tmp'];
  return {
    home,
    homeInside: '/mnt',
    argv: (folder, program) => [...sandbox, ...shared, '--chdir', folder, ...program],
  };
}

function versionOf({ argv, homeInside }: Candidate): string {
  const [command = '', ...args] = argv(homeInside, ['wine', '--version']);
  try {
    const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: homeInside, WINEDEBUG: '-all' };
    const printed = execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe', env });
    return /^wine-(\S+)/m.exec(printed)?.[1] ?? `it calls itself ${printed.trim()}`;
  } catch (error) {
    return error instanceof Error
      ? (error.message.split('\n').at(-2) ?? error.message).trim()
      : String(error);
  }
}
