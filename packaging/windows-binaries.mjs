/** Node and koffi for Windows, from npm at the versions of packaging/package-lock.json. */

import { execSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;

/** @typedef {'x64' | 'arm64'} Arch an architecture, as Node calls it */

/**
 * Installs what the lock pins if it is missing, for both architectures. Throws for versions that would not start together.
 * @param {Arch} arch default: x64
 * @returns {{ node: string, nodeVersion: string, koffi: string }} paths of node.exe and koffi.node
 */
export function findWindowsBinaries(arch = 'x64') {
  const { packages } = readJson(join(here, 'package-lock.json'));
  const pinned = Object.keys(packages).filter((path) => path !== '');
  const missing = () => pinned.filter((path) => versionIn(join(here, path)) !== packages[path].version);
  if (missing().length > 0) install();
  const [path] = missing();
  if (path !== undefined)
    throw new Error(
      `npm did not install ${path} ${packages[path].version} in packaging/: check npm's settings "omit" and "registry"`,
    );

  const node = join(here, `node_modules/node-win-${arch}`);
  const koffi = join(here, `node_modules/@koromix/koffi-win32-${arch}`);
  const nodeVersion = versionIn(node);
  if (process.versions.node !== nodeVersion)
    throw new Error(
      `packaging requires Node ${nodeVersion}, as in the exe, but runs on ${process.versions.node}: run npm ci, then npm run package`,
    );
  const developed = versionIn(join(here, '../node_modules/koffi'));
  if (developed !== versionIn(koffi))
    throw new Error(
      `koffi is ${developed} in package.json and ${versionIn(koffi)} in packaging/package.json: change one of them`,
    );
  return { node: join(node, 'bin/node.exe'), nodeVersion, koffi: join(koffi, `win32_${arch}/koffi.node`) };
}

/** Each package is restricted to Windows and one architecture; --force installs it elsewhere. npm ignores --force for optional packages. */
function install() {
  execSync('npm ci --force --ignore-scripts --no-audit --loglevel=error', { cwd: here, stdio: 'inherit' });
}

function versionIn(/** @type {string} */ folder) {
  const path = join(folder, 'package.json');
  return existsSync(path) ? readJson(path).version : undefined;
}

function readJson(/** @type {string} */ path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
