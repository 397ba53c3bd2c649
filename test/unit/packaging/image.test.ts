import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { emptyHive } from '../../../packaging/image/hive.mjs';
import { digestIn, image } from '../../../packaging/image/image.mjs';
import { tarEntries } from './tar-entries.ts';

const time = new Date('2026-11-28T12:00:00Z');
const files = { 'win-hcn.exe': Buffer.from('exe'), LICENSE: Buffer.from('MIT') };
const build = (architecture: 'amd64' | 'arm64') => image(files, { version: '1.2.3', architecture, time });
const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

/** The archive's parts, each found by its digest. */
function read(archive: Buffer) {
  const entries = tarEntries(archive);
  const bytesOf = (path: string) => entries.find((entry) => entry.path === path)?.bytes ?? Buffer.alloc(0);
  const blob = ({ digest, size }: Descriptor) => {
    const bytes = bytesOf(`blobs/${digest.replace(':', '/')}`);
    expect({ digest: digestOf(bytes), size: bytes.length }).toEqual({ digest, size });
    return bytes;
  };
  const index = JSON.parse(String(bytesOf('index.json')));
  const manifest = JSON.parse(String(blob(index.manifests[0])));
  const config = JSON.parse(String(blob(manifest.config)));
  const layer = gunzipSync(blob(manifest.layers[0]));
  return { paths: entries.map(({ path }) => path), index, manifest, config, layer };
}

describe('an image', () => {
  const { paths, index, manifest, config, layer } = read(build('amd64').archive);

  test('is an OCI archive with one manifest, which is in no list of manifests and names no platform', () => {
    const blobs = [...index.manifests, manifest.config, ...manifest.layers];
    const blobPaths = blobs.map(({ digest }) => `blobs/${digest.replace(':', '/')}`);
    expect(paths).toEqual([...blobPaths.toSorted(), 'index.json', 'oci-layout']);
    expect(blobs.map(({ mediaType }) => mediaType.replace('application/vnd.oci.image.', ''))).toEqual([
      'manifest.v1+json',
      'config.v1+json',
      'layer.v1.tar+gzip',
    ]);
    const annotations = { 'org.opencontainers.image.ref.name': '1.2.3' };
    const { mediaType, digest, size } = index.manifests[0];
    expect(index.manifests).toEqual([{ mediaType, digest, size, annotations }]);
    const { archive, digest: returned } = build('amd64');
    expect([returned, digestIn(archive)]).toEqual([digest, digest]);
    expect(manifest.annotations['org.opencontainers.image.version']).toBe('1.2.3');
  });

  test('runs win-hcn.exe on every version of Windows', () => {
    expect(config).toEqual({
      created: '2026-11-28T12:00:00.000Z',
      architecture: 'amd64',
      os: 'windows',
      config: {
        Env: ['PATH=C:\\Windows\\system32;C:\\Windows;C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\'],
        Entrypoint: ['win-hcn.exe'],
      },
      rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
      history: [{ created: '2026-11-28T12:00:00.000Z', created_by: 'win-hcn 1.2.3' }],
    });
    expect(read(build('arm64').archive).config.architecture).toBe('arm64');
  });

  test('has a layer that Windows imports as base layer, which only administrators and SYSTEM may read', () => {
    const [administrators, system] = ['01020000000000052000000020020000', '010100000000000512000000'];
    const access = (flags: string) =>
      `00${flags}1800ff011f00${administrators}00${flags}1400ff011f00${system}`;
    const descriptor = (flags: string) =>
      `0100049014000000240000000000000030000000${administrators}${system}0200340002000000${access(flags)}`;
    const described = tarEntries(layer).map(({ path, records }) => [
      path,
      records['MSWINDOWS.fileattr'],
      Buffer.from(records['MSWINDOWS.rawsd'] ?? '', 'base64').toString('hex'),
      records['LIBARCHIVE.creationtime'],
    ]);
    const folder = (path: string) => [path, '16', descriptor('03'), '1795867200'];
    const file = (path: string) => [path, '32', descriptor('00'), '1795867200'];
    expect(described).toEqual([
      folder('Files/'),
      file('Files/LICENSE'),
      folder('Files/Windows/'),
      folder('Files/Windows/System32/'),
      folder('Files/Windows/System32/config/'),
      ...['DEFAULT', 'SAM', 'SECURITY', 'SOFTWARE', 'SYSTEM'].map((hive) =>
        file(`Files/Windows/System32/config/${hive}`),
      ),
      file('Files/win-hcn.exe'),
    ]);
    expect(tarEntries(layer).at(-1)?.bytes).toEqual(files['win-hcn.exe']);
    expect(tarEntries(layer)[5]?.bytes).toEqual(emptyHive(time));
  });

  test('has the same bytes whatever the order of its files', () => {
    const reversed = Object.fromEntries(Object.entries(files).toReversed());
    expect(image(reversed, { version: '1.2.3', architecture: 'amd64', time })).toEqual(build('amd64'));
  });
});

test('a hive is complete, and has a root key with its security and nothing else', () => {
  const hive = emptyHive(time);
  const word = (at: number) => hive.readUInt32LE(at);
  expect([hive.toString('latin1', 0, 4), hive.toString('latin1', 0x1000, 0x1004)]).toEqual(['regf', 'hbin']);
  const header = {
    sequences: [word(4), word(8)],
    version: [word(20), word(24)],
    root: word(36),
    size: word(40),
  };
  expect(header).toEqual({ sequences: [1, 1], version: [1, 5], root: 0x20, size: 0x1000 });
  const sum = Array.from({ length: 128 }, (_, index) => word(4 * index)).reduce((one, other) => one ^ other);
  expect(sum).toBe(0);
  const cells = [];
  for (let at = 0x1020; at < hive.length; at += Math.abs(hive.readInt32LE(at)))
    cells.push([at - 0x1000, hive.readInt32LE(at), hive.toString('latin1', at + 4, at + 6)]);
  expect(cells).toEqual([
    [0x20, -88, 'nk'],
    [0x78, -128, 'sk'],
    [0xf8, 3848, '\0\0'],
  ]);
  const [key, security] = [0x1024, 0x107c];
  expect([hive.readUInt16LE(key + 2), word(key + 0x14), word(key + 0x24)]).toEqual([0x2c, 0, 0]);
  expect([word(key + 0x2c), word(security + 4), word(security + 8)]).toEqual([0x78, 0x78, 0x78]);
});
