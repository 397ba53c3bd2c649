/** Makes win-hcn.exe: node.exe for Windows with our bundles, their code caches and koffi's addon inside, and nothing beside it. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addCodeCaches, neverHasCodeCache } from './code-cache.mjs';
import { embedProgram } from './embed-program.mjs';
import { replaceFile } from './replace-file.mjs';
import { assetsIn, writeScripts } from './scripts.mjs';
import { findWindowsBinaries } from './windows-binaries.mjs';

const here = import.meta.dirname;
const work = join(here, '../build/package');

/** @typedef {import('./windows-binaries.mjs').Arch} Arch */
/** @typedef {import('./sign.mjs').Sign} Sign */
/** @typedef {{ bundles: readonly string[], version: string, arch?: Arch }} Program `arch` is x64 by default */

/**
 * Packages the bundles, of which start.cjs runs the first. Nothing is done when neither the inputs nor the exe changed since the last
 * time. `withoutCodeCache` says why the exe has no code cache; undefined if it has one.
 * @param {Program & { out: string }} request
 * @returns {Promise<{ out: string, reused: boolean, withoutCodeCache: string | undefined }>}
 */
export async function packageExe({ bundles, out, version, arch = 'x64' }) {
  const binaries = findWindowsBinaries(arch);
  const parts = [...bundles, binaries.node, binaries.koffi];
  const inputs = hashOf(version, ...[...parts, ...recipe()].map(read));
  const never = neverHasCodeCache(arch);
  const stamp = join(work, `${arch}.json`);
  if (isCurrent(stamp, inputs, out)) return { out, reused: true, withoutCodeCache: never };

  const { exe, withoutCodeCache } = await buildExe({ bundles, version, arch });
  mkdirSync(dirname(out), { recursive: true });
  replaceFile(out, exe);
  // An exe without a code cache is made again: the reason may be gone.
  if (withoutCodeCache === never) writeFileSync(stamp, JSON.stringify({ inputs, exe: hashOf(exe) }));
  return { out, reused: false, withoutCodeCache };
}

/**
 * The executable in dist, packaged again unless it is current, and its addon. For the others see `packageExe`.
 * @param {{ bundles: readonly string[], version: string, arch: 'x64' | 'arm64' }} options
 * @returns {Promise<{ exe: Buffer, addon: { name: string, bytes: Buffer }, withoutCodeCache: string | undefined }>}
 */
export async function packagedExe(options) {
  const name = options.arch === 'x64' ? 'dist/win-hcn.exe' : 'dist/arm64/win-hcn.exe';
  const { out, withoutCodeCache } = await packageExe({ ...options, out: join(here, '..', name) });
  const addon = addonOf(read(findWindowsBinaries(options.arch).koffi));
  return { exe: read(out), addon, withoutCodeCache };
}

/**
 * Builds the exe. The addon is signed before it is embedded, because the exe compares its copy with the file beside it.
 * @param {Program & { sign?: Sign }} program
 * @returns {Promise<{ exe: Buffer, addon: { name: string, bytes: Buffer }, withoutCodeCache: string | undefined }>}
 */
export async function buildExe({ bundles, version, arch = 'x64', sign }) {
  const binaries = findWindowsBinaries(arch);
  const folder = join(work, arch);
  rmSync(folder, { recursive: true, force: true });
  const scripts = join(folder, 'scripts');
  writeScripts(bundles, scripts);
  const withoutCodeCache = neverHasCodeCache(arch) ?? (await addCodeCaches(scripts, binaries.node));
  const assembled = await assembleExe(folder, { binaries, version, sign });
  rmSync(folder, { recursive: true });
  return { ...assembled, withoutCodeCache };
}

/**
 * The exe: node.exe with the scripts in `folder/scripts` and the addon. Writes other files into the folder.
 * @param {string} folder
 * @param {{ binaries: { node: string, koffi: string }, version: string, sign?: Sign }} parts `sign`: by default, both stay unsigned
 * @returns {Promise<{ exe: Buffer, addon: { name: string, bytes: Buffer } }>}
 */
export async function assembleExe(folder, { binaries, version, sign = async (bytes) => bytes }) {
  const addon = addonOf(await sign(read(binaries.koffi), 'koffi.node'));
  const file = join(folder, addon.name);
  writeFileSync(file, addon.bytes);
  const blob = makeBlob(folder, { ...assetsIn(join(folder, 'scripts')), [addon.name]: file });
  return { exe: await sign(embedProgram(read(binaries.node), { blob, version }), 'win-hcn.exe'), addon };
}

/**
 * An addon with its name at run time, which contains the first 16 digits of its SHA-256.
 * @param {Buffer} bytes
 */
export function addonOf(bytes) {
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { name: `win-hcn-koffi-${hash.slice(0, 16)}.node`, bytes };
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

function isCurrent(stamp, inputs, out) {
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
