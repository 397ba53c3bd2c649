/** What the executables contain besides our own code: npm packages, koffi's addon, and Node with its parts. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAsSigned } from '../authenticode.mjs';
import { findWindowsBinaries } from '../windows-binaries.mjs';

const root = join(import.meta.dirname, '../..');

/** The architectures in the names of files, and as Node calls them. */
export const architectures = /** @type {const} */ ({ amd64: 'x64', arm64: 'arm64' });

/**
 * @typedef {object} Component
 * @property {string} id unique in the release
 * @property {string} name
 * @property {string} version
 * @property {string} purl
 * @property {string} [license] an SPDX expression
 * @property {string} [cpe]
 * @property {Readonly<Record<string, string>>} [hashes] hexadecimal digits by algorithm, such as `SHA-256`
 * @property {readonly string[]} [texts] its license texts
 * @property {readonly Component[]} [parts]
 * @property {'amd64' | 'arm64'} [only] the architecture whose executable contains it. Default: both
 */

/**
 * The components of an architecture's executable.
 * @param {'amd64' | 'arm64'} architecture
 * @param {readonly Component[]} components
 */
export function componentsOf(architecture, components) {
  return components.filter(({ only = architecture }) => only === architecture);
}

/**
 * All components of both executables.
 * @param {Readonly<Record<string, import('esbuild').BuildOptions>>} programs
 * @returns {Promise<readonly Component[]>}
 */
export async function findComponents(programs) {
  const bundled = await bundledPackages(programs);
  const text = nodeLicense();
  return Object.entries(architectures)
    .flatMap(([name, arch]) => [node(name, arch, text), koffi(name, arch)])
    .concat(bundled);
}

/** The packages of which the bundles contain code, by esbuild's own account. */
async function bundledPackages(programs) {
  const { build } = await import('esbuild');
  const outputs = await Promise.all(
    Object.values(programs).map((program) => build({ ...program, metafile: true, write: false })),
  );
  const paths = outputs.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  );
  const packages = paths.flatMap(
    (path) => /^.*?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  const { packages: locked } = readJson('package-lock.json');
  return [...new Set(packages)].sort().map((path) => npmPackage(path, locked[path], textsIn(path)));
}

function npmPackage(path, { version, license, integrity }, texts) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  if (texts.length === 0) throw new Error(`${name} (${license}) has no license file`);
  return {
    id: `${name.replace(/^@/, '').replace('/', '-')}-${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    license,
    hashes: { 'SHA-512': Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') },
    texts,
  };
}

function textsIn(path) {
  const isLicense = (file) => /^(licen[cs]e|copying|notice)/i.test(file);
  return readdirSync(join(root, path))
    .filter(isLicense)
    .sort()
    .map((file) => readFileSync(join(root, path, file), 'utf8'));
}

/** koffi's addon, with the headers that it was compiled with. */
function koffi(name, arch) {
  const path = `node_modules/@koromix/koffi-win32-${arch}`;
  const { packages } = readJson('packaging/package-lock.json');
  const folders = ['', '/vendor/node-addon-api', '/vendor/node-api-headers'];
  const texts = folders.flatMap((folder) => textsIn(`node_modules/koffi${folder}`));
  return { ...npmPackage(path, { license: 'MIT', ...packages[path] }, texts), only: name };
}

/** Its bytes are those of an npm package, which the Node project does not publish. Throws if they changed after they were signed. */
function node(name, arch, text) {
  const { node: path, nodeVersion: version } = findWindowsBinaries(arch);
  const bytes = readFileSync(path);
  if (!isAsSigned(bytes)) throw new Error(`${path} is not as it was signed: do not release it`);
  return {
    id: `nodejs-${arch}-${version}`,
    name: 'nodejs',
    version,
    purl: `pkg:npm/node-win-${arch}@${version}`,
    license: 'MIT',
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    hashes: { 'SHA-256': createHash('sha256').update(bytes).digest('hex') },
    texts: [text],
    parts: nodeParts(arch),
    only: name,
  };
}

/** The version of Node, and numbers of interfaces. */
const notParts = ['node', 'modules', 'napi'];

/** The libraries in Node, by process.versions of this Node, which has the version of the exe's. A test compares both. */
function nodeParts(arch) {
  return Object.entries(process.versions)
    .filter(([name, version]) => !notParts.includes(name) && version !== '')
    .map(([name, version]) => ({
      id: `nodejs-${arch}-${name}-${version}`,
      name,
      version,
      purl: `pkg:generic/${name}@${version}`,
      ...(name === 'openssl' && { cpe: `cpe:2.3:a:openssl:openssl:${version}:*:*:*:*:*:*:*` }),
    }));
}

/** Node's LICENSE, which covers all it contains. npm's packages for Windows omit it. */
function nodeLicense() {
  const path = join(dirname(realpathSync(process.execPath)), '../LICENSE');
  if (!existsSync(path))
    throw new Error(`${path} is missing: build the release on Linux with the Node that npm ci installs`);
  return readFileSync(path, 'utf8');
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
