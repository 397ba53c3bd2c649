// Builds the Go programs that drive win-hcn: for Linux, and for Windows.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const sources = import.meta.dirname;
const build = resolve(sources, '../../build');
const output = join(build, 'clients');
/** Where Debian's packages put the sources of Go libraries. */
const gocode = '/usr/share/gocode';
const libraries = ['github.com/containernetworking/cni/libcni', 'github.com/containerd/go-cni'];

/** The clients, and a plugin of ours that stands before or behind win-hcn in a list. */
export type Program = 'libcni' | 'gocni' | 'neighbour';
export type Platform = 'linux' | 'windows';

/** Why Go programs cannot be built here, or undefined. */
export function goMissing(): string | undefined {
  if (!goStarts()) return 'no Go compiler';
  const absent = libraries.filter((library) => !existsSync(join(gocode, 'src', library)));
  return absent.length > 0 ? `no ${absent.join(', ')} in ${gocode}` : undefined;
}

/** The path of a program, which may have to be built first. */
export function programPath(program: Program, platform: Platform): string {
  return join(output, `${program}${platform === 'windows' ? '.exe' : ''}`);
}

/** Builds a program unless it is younger than its sources. */
export function buildProgram(program: Program, platform: Platform): string {
  const target = programPath(program, platform);
  if (isCurrent(target, join(sources, program))) return target;
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    GO111MODULE: 'off',
    GOPATH: gocode,
    GOPROXY: 'off',
    GOCACHE: join(build, 'go-cache'),
    GOOS: platform,
    ...(platform === 'windows' && { GOARCH: 'amd64' }),
    CGO_ENABLED: '0',
  };
  execFileSync('go', ['build', '-o', target, `./${program}`], { cwd: sources, env, stdio: 'inherit' });
  return target;
}

function goStarts(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
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
