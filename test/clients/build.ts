// Builds the Go programs that drive win-hcn: for Linux, and for Windows.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const sources = import.meta.dirname;
const build = resolve(sources, '../../build');
const output = join(build, 'clients');

/** A Go compiler, and the libraries it finds. */
interface Toolchain {
  readonly go: string;
  /** Where Debian's packages put the sources of Go libraries. */
  readonly gocode: string;
  readonly libraries: readonly string[];
  /** What of our sources is only for these libraries. */
  readonly tags?: string;
}

const libcni = 'github.com/containernetworking/cni/libcni';
const installed: Toolchain = {
  go: 'go',
  gocode: '/usr/share/gocode',
  libraries: [libcni, 'github.com/containerd/go-cni'],
};
/** What newer-libcni.sh unpacks. */
const unpacked: Toolchain = {
  go: join(output, 'debian/usr/lib/go-1.23/bin/go'),
  gocode: join(output, 'debian/usr/share/gocode'),
  libraries: [libcni],
  tags: 'newer',
};

/** The clients, and a plugin of ours that stands before or behind win-hcn in a list. */
export type Program = 'libcni' | 'newer-libcni' | 'gocni' | 'neighbour';
export type Platform = 'linux' | 'windows';

/** Why Go programs cannot be built here, or undefined. */
export const goMissing = () => missingOf(installed);

/** Why the client with a newer libcni cannot be built here, or undefined. */
export const newerLibcniMissing = () => missingOf(unpacked);

function missingOf({ go, gocode, libraries }: Toolchain): string | undefined {
  if (!starts(go)) return go === 'go' ? 'no Go compiler' : `no ${go}`;
  const absent = libraries.filter((library) => !existsSync(join(gocode, 'src', library)));
  return absent.length > 0 ? `no ${absent.join(', ')} in ${gocode}` : undefined;
}

/** The path of a program, which may have to be built first. */
export function programPath(program: Program, platform: Platform): string {
  return join(output, `${program}${platform === 'windows' ? '.exe' : ''}`);
}

/** Builds a program unless it is younger than its sources. */
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
