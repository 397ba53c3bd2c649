/**
 * Prints the notes of a release: node packaging/release-notes.mjs TAG [FOLDER]. They are the changelog's section, and the hashes of the
 * programs and images in a folder. Fails if the tag does not fit package.json, the changelog or the manifests of deploy/.
 */

import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { authenticodeHash, signatureOf } from './authenticode.mjs';
import { digestIn } from './image/image.mjs';

/**
 * The changelog's section of a tag.
 * @param {{ tag: string, version: string, changelog: string }} release the version is that of package.json
 */
export function sectionOf({ tag, version, changelog }) {
  if (tag !== `v${version}`)
    throw new Error(`the tag ${tag} is not v${version}, the version in package.json: change one of them`);
  const sections = changelog.split(/^## /m).slice(1);
  const at = sections.findIndex((text) => /^\S*/.exec(text)?.[0] === version);
  const section = sections[at];
  if (section === undefined)
    throw new Error(`CHANGELOG.md has no section for ${version}: rename the section "Unreleased"`);
  const newer = sections.slice(0, at).find((text) => /\n\s*\S/.test(text));
  if (newer !== undefined)
    throw new Error(
      `CHANGELOG.md has "${newer.split('\n')[0]}" above the section for ${version}: move its lines into that section`,
    );
  const [title = '', ...lines] = section.split('\n');
  if (title.includes('unreleased'))
    throw new Error(`CHANGELOG.md lists ${version} as unreleased: add its date`);
  return lines.join('\n').trim();
}

/**
 * A table of programs, and what their signatures mean.
 * @param {readonly { zip: string, name: string, bytes: Buffer }[]} programs
 */
export function hashesOf(programs) {
  const signed = programs.every(({ bytes }) => signatureOf(bytes) !== 'none');
  return [
    '## Hashes',
    '',
    signed
      ? 'The executables and the addons are signed: `Get-AuthenticodeSignature win-hcn.exe` shows the signer.'
      : 'The executables and the addons are not signed: see "Antivirus and application control" in docs/install.md.',
    'Hash rules of App Control and AppLocker use the Authenticode hash, which a signature does not change. `Get-FileHash` shows SHA-256.',
    '',
    '| zip | file | Authenticode SHA-256 | SHA-256 |',
    '| --- | --- | --- | --- |',
    ...programs.map(({ zip, name, bytes }) => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      return `| ${zip} | ${name} | \`${authenticodeHash(bytes)}\` | \`${hash}\` |`;
    }),
  ].join('\n');
}

/**
 * A table of images, with the digests by which a registry knows them.
 * @param {readonly { file: string, digest: string }[]} images
 */
export function digestsOf(images) {
  const rows = images.map(({ file, digest }) => `| ${file} | \`${digest}\` |`);
  return ['## Images', '', '| file | digest |', '| --- | --- |', ...rows].join('\n');
}

/**
 * Throws if a manifest has the image of another version.
 * @param {string} version
 * @param {Readonly<Record<string, string>>} manifests texts by path
 */
export function checkImageTags(version, manifests) {
  for (const [path, text] of Object.entries(manifests)) {
    const tag = /^ *newTag: (\S+)$/m.exec(text)?.[1] ?? version;
    if (tag !== version) throw new Error(`${path} has newTag ${tag}, not ${version}: change it`);
  }
}

function imagesIn(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.oci.tar'));
  return files.sort().map((file) => ({ file, digest: digestIn(readFileSync(join(folder, file))) }));
}

function programsIn(folder) {
  const zips = readdirSync(folder).filter((name) => name.endsWith('.zip'));
  if (zips.length === 0) throw new Error(`${folder} contains no zip files: run npm run release`);
  return zips.sort().flatMap((zip) => {
    const filter = ({ name }) => /\.(exe|node)$/.test(name);
    const files = unzipSync(readFileSync(join(folder, zip)), { filter });
    return Object.entries(files).map(([name, bytes]) => ({ zip, name, bytes: Buffer.from(bytes) }));
  });
}

function main([tag, folder]) {
  if (tag === undefined) throw new Error('usage: node packaging/release-notes.mjs TAG [FOLDER]');
  const cwd = join(import.meta.dirname, '..');
  const read = (name) => readFileSync(join(cwd, name), 'utf8');
  const { version } = JSON.parse(read('package.json'));
  const section = sectionOf({ tag, version, changelog: read('CHANGELOG.md') });
  const manifests = globSync('deploy/*/kustomization.yaml', { cwd }).map((path) => [path, read(path)]);
  checkImageTags(version, Object.fromEntries(manifests));
  const hashes = folder === undefined ? [] : [hashesOf(programsIn(folder)), digestsOf(imagesIn(folder))];
  const parts = [section, ...hashes];
  process.stdout.write(`${parts.join('\n\n')}\n`);
}

if (import.meta.main) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
