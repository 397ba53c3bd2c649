/**
 * npm run release [-- --out DIR] [--sign]: builds the files of a release in dist/release. Two builds of one commit are equal, except for
 * signatures. `--sign` signs the executables and the addons with the settings of packaging/sign.mjs.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { v5 } from 'uuid';
import { authenticodeHash } from '../authenticode.mjs';
import { releaseTime } from '../commit-time.mjs';
import { buildExe, packagedExe } from '../exe.mjs';
import { image } from '../image/image.mjs';
import { imageFiles, imageName } from '../image/main.mjs';
import { signerOf, takeSettings } from '../sign.mjs';
import { architectures, componentsOf, findComponents } from './components.mjs';
import { cyclonedx } from './cyclonedx.mjs';
import { noticesOf } from './notices.mjs';
import { spdx } from './spdx.mjs';
import { zip } from './zip.mjs';

const root = join(import.meta.dirname, '../..');

/**
 * An executable or addon in a zip.
 * @typedef {{ id: string, path: string, sha1: string, sha256: string, contains: readonly string[] }} Shipped
 */

/**
 * Builds both architectures, and replaces the folder's contents. Throws before the first change if a setting is missing or an exe would
 * lack its code cache.
 * @param {readonly string[]} words the options
 * @param {{
 *   version: string,
 *   programs: Readonly<Record<string, import('esbuild').BuildOptions>>,
 *   bundle: () => Promise<void>,
 * }} product
 */
export async function release(words, { version, programs, bundle }) {
  const options = /** @type {const} */ ({ out: { type: 'string' }, sign: { type: 'boolean' } });
  const { out = 'dist/release', sign } = parseArgs({ args: [...words], options }).values;
  const signer = sign ? signerOf(takeSettings(process.env)) : undefined;
  const time = releaseTime();
  const older = olderFiles(resolve(out));
  await bundle();
  const components = await findComponents(programs);
  const bundles = Object.values(programs).map(({ outfile }) => outfile);

  const shared = sharedFiles();
  const files = {};
  const shipped = [];
  for (const [name, arch] of Object.entries(architectures)) {
    const { exe, addon } = await build({ bundles, version, arch, signer });
    const own = componentsOf(name, components);
    const base = `win-hcn-${version}-windows-${name}`;
    const programs = { 'win-hcn.exe': exe, [addon.name]: addon.bytes };
    const notices = Buffer.from(noticesOf(own));
    files[`${base}.zip`] = zip({ ...shared, ...programs, 'NOTICES.txt': notices }, time);
    const content = imageFiles({ exe, addon, notices });
    files[imageName(version, name)] = image(content, { version, architecture: name, time }).archive;
    const ids = own.map(({ id }) => id);
    shipped.push(
      shippedFile(`${base}/win-hcn.exe`, exe, ids),
      shippedFile(
        `${base}/${addon.name}`,
        addon.bytes,
        ids.filter((id) => id.includes('koffi')),
      ),
    );
  }

  const uuid = v5(shipped.map(({ sha256 }) => sha256).join(' '), v5.URL);
  const bill = { version, time, uuid, files: shipped, components };
  files[`win-hcn-${version}.cdx.json`] = jsonFile(cyclonedx(bill));
  files[`win-hcn-${version}.spdx.json`] = jsonFile(spdx(bill));
  writeRelease(resolve(out), older, files);
  process.stdout.write(`${describeHashes(shipped)}\n${resolve(out)}:\n${describeSizes(files)}\n`);
}

/** An executable and its addon. Unsigned executables are those of `npm run package`. */
async function build({ bundles, version, arch, signer }) {
  const built = signer
    ? await buildExe({ bundles, version, arch, sign: signer })
    : await packagedExe({ bundles, version, arch });
  if (arch === 'x64' && built.withoutCodeCache !== undefined)
    throw new Error(`a release of win-hcn requires code caches for x64: ${built.withoutCodeCache}`);
  return built;
}

/** What the zips of both architectures contain: with `docs`, also the pages that README links to. */
function sharedFiles() {
  const folders = ['conflist-examples', 'deploy', 'docs', 'schemas'];
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/')),
  );
  const pages = readdirSync(root).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(
    ['LICENSE', ...pages, ...paths].map((path) => [path, readFileSync(join(root, path))]),
  );
}

function shippedFile(path, bytes, contains) {
  const hash = (algorithm) => createHash(algorithm).update(bytes).digest('hex');
  const authenticode = authenticodeHash(bytes);
  return {
    id: path.replace('/', '-'),
    path,
    sha1: hash('sha1'),
    sha256: hash('sha256'),
    authenticode,
    contains,
  };
}

/** The files of an earlier release in a folder. Throws if it contains others. */
function olderFiles(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const foreign = names.find((name) => !/^(win-hcn-.*\.(zip|json|oci\.tar)|SHA256SUMS)$/.test(name));
  if (foreign === undefined) return names;
  throw new Error(
    `${folder} contains ${foreign}, which is not a release file: choose an empty folder with --out`,
  );
}

function writeRelease(folder, older, files) {
  const sums = Object.keys(files)
    .sort()
    .map((name) => `${createHash('sha256').update(files[name]).digest('hex')}  ${name}\n`);
  mkdirSync(folder, { recursive: true });
  for (const name of older) rmSync(join(folder, name));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

/** For hash rules. App Control and AppLocker use the Authenticode hash, Defender's indicators and Get-FileHash SHA-256. */
function describeHashes(shipped) {
  return shipped
    .map(({ path, sha256, authenticode }) =>
      [path, `  SHA-256              ${sha256}`, `  Authenticode SHA-256 ${authenticode}`].join('\n'),
    )
    .join('\n');
}

function describeSizes(files) {
  return Object.keys(files)
    .sort()
    .map((name) => `  ${(files[name].length / 1e6).toFixed(1).padStart(5)} MB  ${name}`)
    .join('\n');
}

function jsonFile(value) {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
}
