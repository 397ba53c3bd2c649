// Builds the Go clients of win-hcn for Linux and Windows.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const sources = import.meta.dirname;
const build = resolve(sources, '../../build');
const output = join(build, 'clients');

/** A Go compiler and its libraries. */
interface Toolchain {
  readonly go: string;
  /** The folder of Go libraries' sources in Debian's packages. */
  readonly gocode: string;
  readonly libraries: readonly string[];
  /** The build tag of sources for these libraries only. */
  readonly tags?: string;
}

const libcni = 'github.com/containernetworking/cni/libcni';
const installed: Toolchain = {
  go: 'go',
  gocode: '/usr/share/gocode',
  libraries: [libcni, 'github.com/containerd/go-cni'],
};
/** The libraries that newer-libcni.sh unpacks. */
const unpacked: Toolchain = {
  go: join(output, 'debian/usr/lib/go-1.23/bin/go'),
  gocode: join(output, 'debian/usr/share/gocode'),
  libraries: [libcni],
  tags: 'newer',
};

/** The clients, and a test plugin that precedes or follows win-hcn in a list. */
export type Program = 'libcni' | 'newer-libcni' | 'gocni' | 'neighbour';
export type Platform = 'linux' | 'windows';

/** Why Go programs cannot be built here; undefined if they can. */
export const goMissing = () => missingOf(installed);

/** Why the client with a newer libcni cannot be built here; undefined if it can. */
export const newerLibcniMissing = () => missingOf(unpacked);

function missingOf({ go, gocode, libraries }: Toolchain): string | undefined {
  if (!starts(go)) return go === 'go' ? 'no Go compiler' : `no ${go}`;
  const absent = libraries.filter((library) => !existsSync(join(gocode, 'src', library)));
  return absent.length > 0 ? `no ${absent.join(', ')} in ${gocode}` : undefined;
}

/** Returns the path of a program, and builds it if needed. */
export function programPath(program: Program, platform: Platform): string {
  return join(output, `${program}${platform === 'windows' ? '.exe' : ''}`);
}

/** Builds a program unless it is newer than its sources. */
export function buildProgram(program: Program, platform: Platform): string {
  const { go, gocode, tags } = program === 'newer-libcni' ? unpacked : installed;
  const source = program === 'newer-libcni' ? 'libcni' : program;
  const target = programPath(program, platform);
  if (isCurrent(target, join(sources, source))) return target;
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    GO111MODULE: 'off',
    GOPATH: gocode,
    GOPROXY: 'off',
    GOTOOLCHAIN: 'local',
    GOCACHE: join(build, 'go-cache'),
    GOOS: platform,
    ...(platform === 'windows' && { GOARCH: 'amd64' }),
    CGO_ENABLED: '0',
  };
  const args = ['build', ...(tags ? ['-tags', tags] : []), '-o', target, `./${source}`];
  execFileSync(go, args, { cwd: sources, env, stdio: 'inherit' });
  return target;
}

function starts(go: string): boolean {
  try {
    execFileSync(go, ['version'], { env: { ...process.env, GOTOOLCHAIN: 'local' }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function isCurrent(target: string, folder: string): boolean {
  if (!existsSync(target)) return false;
  const built = statSync(target).mtimeMs;
  return readdirSync(folder).every((name) => statSync(join(folder, name)).mtimeMs <= built);
}
