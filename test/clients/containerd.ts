// containerd 1.6 with ctr, if this machine can run it.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { installBundle } from './hosts.ts';

const script = resolve(import.meta.dirname, 'containerd.sh');
const ownNamespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const programs = ['unshare', 'containerd', 'ctr', 'runc', 'busybox'];

/** Why containerd cannot run here; undefined if it can. */
export function containerdMissing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const folders = (process.env['PATH'] ?? '').split(':');
  const absent = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  if (absent.length > 0) return `no ${absent.join(', ')}`;
  try {
    execFileSync('unshare', [...ownNamespaces, 'true'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `needs namespaces of its own: ${error instanceof Error ? error.message.trim() : error}`;
  }
}

/** Imports an image for Windows by its file, and returns a line about it and the paths of its files. */
export function importImage(archive: string, name: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-image-'));
  const run = ['sh', resolve(import.meta.dirname, 'import-image.sh'), folder, resolve(archive), name];
  try {
    return execFileSync('unshare', [...ownNamespaces, ...run], { encoding: 'utf8', stdio: 'pipe' })
      .trim()
      .split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface CtrRun {
  /** Resolves when the container prints something or ctr ends. */
  readonly running: Promise<unknown>;
  /** Closes the container's stdin and returns the outcome of ctr. */
  finish(): Promise<{ readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }>;
}

/**
 * Runs `ctr run --cni` for a conflist. On Linux ctr names the container's network namespace as /proc/<pid>/ns/net: a line
 * in front of win-hcn replaces it with the HCN namespace that containerd creates on Windows.
 */
export function ctrRun(
  conflist: object,
  netns: string,
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
): CtrRun {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-containerd-'));
  installBundle(join(folder, 'bin'), `[ -z "$CNI_NETNS" ] || export CNI_NETNS=${netns}\n`);
  mkdirSync(join(folder, 'net.d'));
  writeFileSync(join(folder, 'net.d', '10-pods.conflist'), JSON.stringify(conflist));
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn('unshare', [...ownNamespaces, 'sh', script, folder, ...command], { env });
  const ended = once(child, 'exit');
  const stdout = text(child.stdout);
  const stderr = text(child.stderr);
  return {
    running: Promise.race([once(child.stdout, 'data'), ended]),
    finish: async () => {
      child.stdin.end();
      const [exitCode] = await ended;
      rmSync(folder, { recursive: true });
      return { exitCode, stdout: await stdout, stderr: await stderr };
    },
  };
}
