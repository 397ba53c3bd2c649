/** Makes dist/win-hcn.exe: node.exe for Windows with our bundles, their code caches and koffi's addon inside, and nothing beside it. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { addCodeCaches } from './code-cache.mjs';
import { embedProgram } from './embed-program.mjs';
import { assetsIn, writeScripts } from './scripts.mjs';
import { findWindowsBinaries } from './windows-binaries.mjs';

const here = import.meta.dirname;
const work = join(here, '../build/package');
const stamp = join(work, 'stamp.json');

/**
 * Packages the bundles, of which start.cjs runs the first. Nothing is done when neither the inputs nor the exe changed since the last
 * time. `withoutCodeCache` says why the exe has no code cache; undefined if it has one.
 * `sign` signs the addon before it is embedded, and the exe (sign.mjs). Default: both stay unsigned.
 * @param {{ bundles: readonly string[], out: string, version: string, sign?: import('./sign.mjs').Sign }} request
 * @returns {Promise<{ out: string, reused: boolean, withoutCodeCache: string | undefined }>}
 */
export async function packageExe({ bundles, out, version, sign }) {
  const binaries = findWindowsBinaries();
  const parts = [...bundles, binaries.node, binaries.koffi];
  const inputs = hashOf(version, ...[...parts, ...recipe()].map(read));
  if (sign === undefined && isCurrent(inputs, out)) return { out, reused: true, withoutCodeCache: undefined };

  rmSync(work, { recursive: true, force: true });
  const scripts = join(work, 'scripts');
  writeScripts(bundles, scripts);
  const withoutCodeCache = await addCodeCaches(scripts, binaries.node);
  const exe = await assembleExe(work, { binaries, version, sign });
  rmSync(work, { recursive: true });
  mkdirSync(work, { recursive: true });

  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(`${out}.new`, exe);
  renameSync(`${out}.new`, out);
  // An exe without a code cache is made again: the reason may be gone. A signed one is, because its timestamp differs.
  if (withoutCodeCache === undefined && sign === undefined)
    writeFileSync(stamp, JSON.stringify({ inputs, exe: hashOf(exe) }));
  return { out, reused: false, withoutCodeCache };
}

/**
 * The bytes of the exe: node.exe with the scripts in `folder/scripts` and the addon. The addon's name contains the first 16 digits of the
 * SHA-256 of its bytes, which are signed first. Writes other files into the folder.
 * @param {string} folder
 * @param {{ binaries: { node: string, koffi: string }, version: string, sign?: import('./sign.mjs').Sign }} parts
 * @returns {Promise<Buffer>}
 */
export async function assembleExe(folder, { binaries, version, sign = async (bytes) => bytes }) {
  const koffi = await sign(read(binaries.koffi), 'koffi.node');
  const hash = createHash('sha256').update(koffi).digest('hex');
  const addon = join(folder, `win-hcn-koffi-${hash.slice(0, 16)}.node`);
  writeFileSync(addon, koffi);
  const blob = makeBlob(folder, { ...assetsIn(join(folder, 'scripts')), [basename(addon)]: addon });
  return sign(embedProgram(read(binaries.node), { blob, version }), 'win-hcn.exe');
}

/** @returns {Buffer} the SEA blob of start.cjs and its assets, readable only by the same version of Node */
function makeBlob(folder, assets) {
  const job = join(folder, 'job.json');
  const blob = join(folder, 'program.blob');
  writeFileSync(job, JSON.stringify({ main: join(here, 'start.cjs'), blob, assets }));
  const env = { ...process.env, NODE_OPTIONS: '' };
  try {
    execFileSync(process.execPath, [join(here, 'make-blob.mjs'), job], {
      env,
      stdio: 'pipe',
      encoding: 'utf8',
    });
  } catch (cause) {
    throw new Error(`pkg failed to generate the SEA blob: ${cause.stdout}${cause.stderr}`, { cause });
  }
  return read(blob);
}

function isCurrent(inputs, out) {
  if (!existsSync(stamp) || !existsSync(out)) return false;
  const last = JSON.parse(readFileSync(stamp, 'utf8'));
  return last.inputs === inputs && last.exe === hashOf(read(out));
}

/** What decides the bytes of the exe besides what goes into it. */
function recipe() {
  const ours = readdirSync(here).filter((name) => /\.[cm]js$/.test(name));
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
