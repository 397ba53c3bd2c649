/** Makes dist/win-hcn.exe: node.exe for Windows with our bundle and koffi's addon inside, and nothing beside it. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { embedProgram } from './embed-program.mjs';
import { findWindowsBinaries } from './windows-binaries.mjs';

const here = import.meta.dirname;
const work = join(here, '../build/package');
const stamp = join(work, 'stamp.json');

/**
 * Packages a CommonJS bundle, with that of the command line as an asset of its name. Nothing is done when neither the inputs nor
 * the exe changed since the last time.
 * @param {{ bundle: string, commandLine: string, out: string, version: string }} request
 * @returns {Promise<{ out: string, reused: boolean }>}
 */
export async function packageExe({ bundle, commandLine, out, version }) {
  const binaries = findWindowsBinaries();
  const parts = [bundle, commandLine, binaries.node, binaries.koffi];
  const inputs = hashOf(version, ...[...parts, ...recipe()].map(read));
  if (isCurrent(inputs, out)) return { out, reused: true };

  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const blob = makeBlob(resolve(bundle), {
    [`win-hcn-koffi-${hashOf(read(binaries.koffi)).slice(0, 16)}.node`]: binaries.koffi,
    [basename(commandLine)]: resolve(commandLine),
  });
  const exe = embedProgram(read(binaries.node), { blob, version });

  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(`${out}.new`, exe);
  renameSync(`${out}.new`, out);
  writeFileSync(stamp, JSON.stringify({ inputs, exe: hashOf(exe) }));
  return { out, reused: false };
}

/** @returns {Buffer} the SEA blob of a bundle and its assets, readable only by the same version of Node */
function makeBlob(bundle, assets) {
  const job = join(work, 'job.json');
  const blob = join(work, 'program.blob');
  writeFileSync(job, JSON.stringify({ bundle, blob, assets }));
  const env = { ...process.env, NODE_OPTIONS: '' };
  try {
    execFileSync(process.execPath, [join(here, 'make-blob.mjs'), job], {
      env,
      stdio: 'pipe',
      encoding: 'utf8',
    });
  } catch (cause) {
    throw new Error(`pkg failed to generate the SEA blob of ${bundle}: ${cause.stdout}${cause.stderr}`, {
      cause,
    });
  }
  const bytes = read(blob);
  for (const name of readdirSync(work)) rmSync(join(work, name));
  return bytes;
}

function isCurrent(inputs, out) {
  if (!existsSync(stamp) || !existsSync(out)) return false;
  const last = JSON.parse(readFileSync(stamp, 'utf8'));
  return last.inputs === inputs && last.exe === hashOf(read(out));
}

/** What decides the bytes of the exe besides what goes into it. */
function recipe() {
  const ours = readdirSync(here).filter((name) => name.endsWith('.mjs'));
  const tools = ['@yao-pkg/pkg', 'resedit'].map((name) => `../node_modules/${name}/package.json`);
  return [...ours.sort(), ...tools].map((name) => join(here, name));
}

function read(path) {
  return readFileSync(path);
}

/** @param {...(string | Buffer)} parts */
function hashOf(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}
