/**
 * A container image for HostProcess containers, as an OCI archive: one layer, which needs no other and no Windows to build. It names no
 * version of Windows, so that each version runs it.
 */

import { createHash } from 'node:crypto';
import { gzipSync } from 'fflate';
import { emptyHive } from './hive.mjs';
import { descriptor } from './security.mjs';
import { tar } from './tar.mjs';

const FULL_CONTROL_OF_FILES = 0x1f01ff;
const CONTENTS_INHERIT = 3;
const hives = ['DEFAULT', 'SAM', 'SECURITY', 'SOFTWARE', 'SYSTEM'];
const type = (name) => `application/vnd.oci.image.${name}`;

/**
 * The archive, and the digest of the image in it, by which a registry knows it.
 * @param {Readonly<Record<string, Uint8Array>>} files in the image's root folder
 * @param {{ version: string, architecture: 'amd64' | 'arm64', time: Date }} release
 */
export function image(files, { version, architecture, time }) {
  const created = time.toISOString();
  const annotations = {
    'org.opencontainers.image.created': created,
    'org.opencontainers.image.licenses': 'MIT',
    'org.opencontainers.image.title': 'win-hcn',
    'org.opencontainers.image.version': version,
  };
  const layer = windowsLayer(files, time);
  const blobs = {};
  const blob = (mediaType, bytes) => {
    const digest = digestOf(bytes);
    blobs[`blobs/sha256/${digest.slice('sha256:'.length)}`] = bytes;
    return { mediaType, digest, size: bytes.length };
  };
  const config = {
    created,
    architecture,
    os: 'windows',
    config: {
      Env: ['PATH=C:\\Windows\\system32;C:\\Windows;C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\'],
      Entrypoint: ['win-hcn.exe'],
    },
    rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
    history: [{ created, created_by: `win-hcn ${version}` }],
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: type('manifest.v1+json'),
    config: blob(type('config.v1+json'), json(config)),
    layers: [blob(type('layer.v1.tar+gzip'), Buffer.from(gzipSync(layer, { level: 6, mtime: 0 })))],
    annotations,
  };
  const named = { 'org.opencontainers.image.ref.name': version };
  const described = blob(manifest.mediaType, json(manifest));
  const index = {
    schemaVersion: 2,
    mediaType: type('index.v1+json'),
    manifests: [{ ...described, annotations: named }],
  };
  const others = { 'index.json': json(index), 'oci-layout': json({ imageLayoutVersion: '1.0.0' }) };
  const entries = Object.entries({ ...blobs, ...others }).map(([path, bytes]) => ({ path, bytes }));
  return { archive: tar(entries.sort(byPath), time), digest: described.digest };
}

/** The digest of the image in an archive of `image`. */
export function digestIn(/** @type {Buffer} */ archive) {
  const index = archive.toString('latin1', archive.lastIndexOf('"manifests"'));
  const digest = /"digest":"(sha256:[0-9a-f]{64})"/.exec(index)?.[1];
  if (digest === undefined) throw new Error('the archive contains no image');
  return digest;
}

/** The layer as Windows imports a base layer: files below Files/ with their security, and the hives that it requires. */
function windowsLayer(files, time) {
  const config = 'Files/Windows/System32/config/';
  const folders = ['Files/', 'Files/Windows/', 'Files/Windows/System32/', config];
  const hive = emptyHive(time);
  const entries = [
    ...folders.map((path) => ({ path, records: records(16, CONTENTS_INHERIT, time) })),
    ...hives.map((name) => [`${config}${name}`, hive]).map(file),
    ...Object.entries(files).map(([name, bytes]) => file([`Files/${name}`, bytes])),
  ];
  return tar(entries.sort(byPath), time);

  function file([path, bytes]) {
    return { path, bytes, records: records(32, 0, time) };
  }
}

/** What tar has no fields for: attributes of the file, its security, and when it was created. */
function records(attributes, inheritance, time) {
  return {
    'LIBARCHIVE.creationtime': `${Math.floor(time.getTime() / 1000)}`,
    'MSWINDOWS.fileattr': `${attributes}`,
    'MSWINDOWS.rawsd': descriptor(FULL_CONTROL_OF_FILES, inheritance).toString('base64'),
  };
}

/** A folder precedes what it contains. */
function byPath({ path: one }, { path: other }) {
  return one < other ? -1 : 1;
}

function digestOf(bytes) {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function json(value) {
  return Buffer.from(JSON.stringify(value));
}
