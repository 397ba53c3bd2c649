// Builds single executable applications for Linux, with the same program as win-hcn.exe, injected by postject.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { keepSnapshotHashes } from '../../packaging/snapshot-hashes.mjs';

const require = createRequire(import.meta.url);
const postject = join(dirname(createRequire(require.resolve('@yao-pkg/pkg')).resolve('postject')), 'cli.js');
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The program that an executable contains. */
export interface Program {
  readonly main: string;
  /** Files by the names of the assets. */
  readonly assets?: Readonly<Record<string, string>>;
  /** Options of Node. */
  readonly execArgv?: readonly string[];
  /** Whether V8 keeps the hashes in its snapshots, as in win-hcn.exe. Default: false, as in stock Node. */
  readonly keepsHashes?: boolean;
}

/** Builds an executable of a program unless it is up to date. */
export function buildLinuxExecutable(executable: string, program: Program): void {
  const stamp = `${executable}.inputs`;
  const files = [program.main, ...Object.values(program.assets ?? {})];
  const inputs = hashOf(files, process.version, JSON.stringify([program.execArgv, program.keepsHashes]));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return;
  const blob = buildBlob(`${executable}.blob`, program);
  const injected = `${executable}.injected`;
  const node = readFileSync(process.execPath);
  if (program.keepsHashes) keepSnapshotHashes(node, process.versions.v8);
  writeFileSync(injected, node, { mode: 0o755 });
  const run = [postject, injected, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse];
  execFileSync(process.execPath, run, { stdio: 'pipe' });
  // postject writes the file with one call. Linux then keeps it in larger parts in the page cache, and maps more of it into each process.
  copyFileSync(injected, executable);
  rmSync(injected);
  writeFileSync(stamp, inputs);
}

/** Builds the SEA blob of a program, and returns its path. Without code cache and snapshot, a blob is the same on every platform. */
export function buildBlob(blob: string, { main, assets = {}, execArgv = [] }: Program): string {
  mkdirSync(dirname(blob), { recursive: true });
  const config = `${blob}.json`;
  const options = { disableExperimentalSEAWarning: true, execArgvExtension: 'none' };
  writeFileSync(config, JSON.stringify({ main, output: blob, assets, execArgv, ...options }));
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' });
  return blob;
}

/** Returns a short hash of texts and of the content of files. */
export function hashOf(files: readonly string[], ...texts: readonly (string | undefined)[]): string {
  const hash = createHash('sha256');
  for (const part of [texts.join('\n'), ...files.map((file) => readFileSync(file))]) hash.update(part);
  return hash.digest('hex').slice(0, 16);
}
