/** Makes dist/win-hcn.exe: node.exe for Windows with our bundle and koffi's addon inside, and nothing beside it. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { writeChecksum } from './pe-checksum.mjs';
import { brandNode } from './stock-node.mjs';
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
  fillCache(binaries, version);
  const made = join(work, 'win-hcn.exe');
  inject({
    bundle: resolve(bundle),
    output: made,
    nodeVersion: binaries.nodeVersion,
    assets: {
      [`win-hcn-koffi-${hashOf(read(binaries.koffi)).slice(0, 16)}.node`]: binaries.koffi,
      [basename(commandLine)]: resolve(commandLine),
    },
  });

  const exe = read(made);
  writeChecksum(exe);
  writeFileSync(made, exe);
  mkdirSync(dirname(out), { recursive: true });
  cpSync(made, `${out}.new`);
  renameSync(`${out}.new`, out);
  rmSync(work, { recursive: true });
  mkdirSync(work);
  writeFileSync(stamp, JSON.stringify({ inputs, exe: hashOf(exe) }));
  return { out, reused: false };
}

/** pkg downloads the node it injects into, unless its cache holds an archive and an executable it has marked good. */
function fillCache({ node, nodeVersion }, version) {
  const cache = join(work, '.pkg-cache/sea');
  mkdirSync(cache, { recursive: true });
  const name = `node-v${nodeVersion}-win-x64`;
  writeFileSync(join(cache, `${name}.exe`), brandNode(read(node), version));
  for (const other of [`${name}.zip`, `${name}.zip.ok`, `${name}.exe.ok`])
    writeFileSync(join(cache, other), '');
}

function inject(job) {
  const file = join(work, 'job.json');
  writeFileSync(file, JSON.stringify(job));
  const env = { ...process.env, HOME: work, USERPROFILE: work, NODE_OPTIONS: '' };
  try {
    execFileSync(process.execPath, [join(here, 'inject.mjs'), file], {
      env,
      stdio: 'pipe',
      encoding: 'utf8',
    });
  } catch (cause) {
    throw new Error(`pkg could not inject the program into node.exe: ${cause.stdout}${cause.stderr}`, {
      cause,
    });
  }
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
