/** npm run image [arm64]: builds the executable and its container image, dist/win-hcn-VERSION-windows-amd64.oci.tar. */

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { releaseTime } from '../commit-time.mjs';
import { packagedExe } from '../exe.mjs';
import { architectures, componentsOf, findComponents } from '../release/components.mjs';
import { noticesOf } from '../release/notices.mjs';
import { replaceFile } from '../replace-file.mjs';
import { image } from './image.mjs';

const root = join(import.meta.dirname, '../..');

/** @typedef {{ version: string, programs: Readonly<Record<string, import('esbuild').BuildOptions>>, bundle: () => Promise<void> }} Product */

/**
 * @param {readonly string[]} words the architecture, amd64 by default
 * @param {Product} product
 */
export async function buildImage([architecture = 'amd64'], { version, programs, bundle }) {
  const arch = architectures[architecture];
  if (arch === undefined)
    throw new Error(`usage: npm run image [arm64]: unknown architecture ${architecture}`);
  const time = releaseTime();
  await bundle();
  const bundles = Object.values(programs).map(({ outfile }) => outfile);
  const { exe, addon, withoutCodeCache } = await packagedExe({ bundles, version, arch });
  const components = componentsOf(architecture, await findComponents(programs));
  const files = imageFiles({ exe, addon, notices: Buffer.from(noticesOf(components)) });
  const file = join(root, 'dist', imageName(version, architecture));
  const { archive, digest } = image(files, { version, architecture, time });
  replaceFile(file, archive);
  process.stdout.write(`${relative(process.cwd(), file)} ${digest}\n`);
  if (withoutCodeCache !== undefined)
    process.stderr.write(`win-hcn.exe has no code cache and starts more slowly: ${withoutCodeCache}\n`);
}

/** The name of an image's file. */
export function imageName(version, architecture) {
  return `win-hcn-${version}-windows-${architecture}.oci.tar`;
}

/**
 * What an image contains: a zip has the documents.
 * @param {{ exe: Buffer, addon: { name: string, bytes: Buffer }, notices: Buffer }} built
 */
export function imageFiles({ exe, addon, notices }) {
  const license = readFileSync(join(root, 'LICENSE'));
  return { 'win-hcn.exe': exe, [addon.name]: addon.bytes, LICENSE: license, 'NOTICES.txt': notices };
}
