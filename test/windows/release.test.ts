import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWindowsBinaries } from '../../packaging/windows-binaries.mjs';
import { readZip } from '../e2e/cli/read-zip.ts';
import { tarEntries } from '../unit/packaging/tar-entries.ts';
import { cyclonedxProblems } from './bill-schemas.ts';
import { importsOf, machineOf } from './executable-imports.ts';
import { copyCheckout, epoch, release } from './release-build.ts';
import { missing } from './suite.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = 'build/release-test';
const zipNames = {
  amd64: `win-hcn-${version}-windows-amd64.zip`,
  arm64: `win-hcn-${version}-windows-arm64.zip`,
};
const images = Object.keys(zipNames).map((name) => `win-hcn-${version}-windows-${name}.oci.tar`);
const bills = { cyclonedx: `win-hcn-${version}.cdx.json`, spdx: `win-hcn-${version}.spdx.json` };

/** Of both executables, koffi's addon excluded. */
const bundled = [
  'ansi-regex',
  'commander',
  'emoji-regex',
  'fflate',
  'is-fullwidth-code-point',
  'jsonc-parser',
  'leven',
  'smol-toml',
  'string-width',
  'strip-ansi',
  'uuid',
];
const addons = { amd64: '@koromix/koffi-win32-x64', arm64: '@koromix/koffi-win32-arm64' };

describe.skipIf(missing !== undefined)('npm run release', () => {
  const zips: Record<string, Readonly<Record<string, Buffer>>> = {};

  beforeAll(() => {
    release(process.cwd(), ['--out', folder]);
    for (const [arch, name] of Object.entries(zipNames)) zips[arch] = readZip(read(name));
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function read(name: string): Buffer {
    return readFileSync(join(folder, name));
  }

  function fileIn(arch: string, pattern: RegExp): Buffer {
    const [[, bytes] = [], ...others] = Object.entries(zips[arch] ?? {}).filter(([name]) =>
      pattern.test(name),
    );
    if (bytes === undefined || others.length > 0) throw new Error(`not one ${pattern} for ${arch}`);
    return bytes;
  }

  test('creates a zip and an image for each architecture, bills of materials, and checksums', () => {
    expect(readdirSync(folder).toSorted()).toEqual(
      ['SHA256SUMS', ...Object.values(zipNames), ...images, ...Object.values(bills)].toSorted(),
    );
  });

  test.each(Object.keys(zipNames))(
    'packs executable, addon, examples, manifests, schemas, documents and licenses for %s',
    (arch) => {
      const listed = (of: string) => globSync(`${of}/**/*`).filter((path) => statSync(path).isFile());
      const expected = [
        'ARCHITECTURE.md',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'LICENSE',
        'NOTICES.txt',
        'README.md',
        'SECURITY.md',
        ...['conflist-examples', 'deploy', 'docs', 'schemas'].flatMap(listed),
      ];
      const names = Object.keys(zips[arch] ?? {});
      expect(names.filter((name) => !isProgram(name))).toEqual(expected.toSorted());
      const hash = sha256(fileIn(arch, /\.node$/)).slice(0, 16);
      expect(names.filter(isProgram)).toEqual(['win-hcn.exe', `win-hcn-koffi-${hash}.node`].toSorted());
      for (const name of expected.filter((path) => path !== 'NOTICES.txt'))
        expect(zips[arch]?.[name]).toEqual(readFileSync(name));
    },
  );

  test('packs the executable of npm run package', () => {
    expect(sha256(fileIn('amd64', /\.exe$/))).toBe(sha256(readFileSync('dist/win-hcn.exe')));
  });

  test('writes the executable, the addon and their licenses of each zip into an image', () => {
    for (const [index, arch] of Object.keys(zipNames).entries()) {
      const archive = tarEntries(read(images[index] ?? ''));
      const layer = archive.toSorted((one, other) => other.bytes.length - one.bytes.length)[0]?.bytes;
      const entries = tarEntries(gunzipSync(layer ?? Buffer.alloc(0)));
      const files = entries.filter(({ path }) => /^Files\/[^/]+$/.test(path));
      const shipped = ['LICENSE', 'NOTICES.txt', ...Object.keys(zips[arch] ?? {}).filter(isProgram)];
      expect(files.map(({ path }) => path)).toEqual(shipped.map((name) => `Files/${name}`).toSorted());
      for (const { path, bytes } of files)
        expect(sha256(bytes)).toBe(sha256(zips[arch]?.[path.slice('Files/'.length)] ?? Buffer.alloc(0)));
    }
  });

  test('writes the hashes of all other files into SHA256SUMS', () => {
    const names = [...Object.values(zipNames), ...images, ...Object.values(bills)].toSorted();
    expect(String(read('SHA256SUMS'))).toBe(names.map((name) => `${sha256(read(name))}  ${name}\n`).join(''));
  });

  test.each(Object.entries(addons))(
    'NOTICES.txt has the license of every component for %s',
    (arch, addon) => {
      const [, list = '', ...sections] =
        /^win-hcn is[\s\S]*?contains:\n\n((?:- .*\n)+)\n([\s\S]*)$/
          .exec(String(zips[arch]?.['NOTICES.txt']))
          ?.map(String) ?? [];
      const titles = list
        .trim()
        .split('\n')
        .map((line) => line.replace('- ', ''));
      const names = titles.map((title) => title.replace(/ \S+ \(.*\)$/, ''));
      expect(names).toEqual([addon, ...bundled, 'nodejs']);
      const [, ...parts] = (sections[0] ?? '').split(/^={80}\n/m);
      expect(parts.filter((_, index) => index % 2 === 0)).toEqual(titles.map((title) => `${title}\n`));
      const texts = parts.filter((_, index) => index % 2 === 1);
      for (const text of texts) expect(text).toMatch(/permission|redistribution|warrant/i);
      expect(texts[0]).toMatch(/Koromix|Niels Martignène/);
      const license = readFileSync(join(realpathSync(process.execPath), '../../LICENSE'), 'utf8');
      expect(texts.at(-1)?.trim()).toBe(license.trim());
    },
  );

  test('the CycloneDX bill is valid, and lists both executables with what they contain', () => {
    const bill = JSON.parse(String(read(bills.cyclonedx)));
    expect(cyclonedxProblems(bill)).toEqual([]);
    expect(cyclonedxProblems({ ...bill, components: [{ name: 'no type' }] })).toEqual([
      "/components/0: must have required property 'type'",
    ]);

    expect(bill.metadata.timestamp).toBe(new Date(Number(epoch) * 1000).toISOString());
    const { components } = bill;
    const named = (type: string) =>
      components.filter((found: { type: string }) => found.type === type).map(nameOf);
    expect(named('library').toSorted()).toEqual([...Object.values(addons), ...bundled].toSorted());
    expect(named('platform')).toEqual(['nodejs', 'nodejs']);
    const hashes = Object.keys(zipNames).flatMap((arch) =>
      [/\.exe$/, /\.node$/].map((pattern) => sha256(fileIn(arch, pattern))),
    );
    const files = components.filter((found: { type: string }) => found.type === 'file');
    expect(files.map((file: { hashes: readonly { content: string }[] }) => file.hashes[0]?.content)).toEqual(
      hashes,
    );
    const stock = (['x64', 'arm64'] as const).map((arch) =>
      sha256(readFileSync(findWindowsBinaries(arch).node)),
    );
    const nodes = components.filter(({ name }: { name: string }) => name === 'nodejs');
    expect(nodes.map((node: { hashes: readonly { content: string }[] }) => node.hashes[0]?.content)).toEqual(
      stock,
    );
    expect(nodes.map(({ purl }: { purl: string }) => purl)).toEqual(
      ['x64', 'arm64'].map((arch) => `pkg:npm/node-win-${arch}@${process.versions.node}`),
    );
    expect(nodes[0].cpe).toBe(`cpe:2.3:a:nodejs:node.js:${process.versions.node}:*:*:*:*:*:*:*`);
  });

  test('the SPDX bill lists the same components, each with an id of its own', () => {
    const bill = JSON.parse(String(read(bills.spdx)));
    const elements = [bill, ...bill.packages, ...bill.files];
    const ids = elements.map(({ SPDXID }: { SPDXID: string }) => SPDXID);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { spdxElementId, relatedSpdxElement } of bill.relationships)
      expect(ids).toEqual(expect.arrayContaining([spdxElementId, relatedSpdxElement]));
    const { components } = JSON.parse(String(read(bills.cyclonedx)));
    const others = components.filter((found: { type: string }) => found.type !== 'file');
    const parts = others.flatMap((found: { components?: readonly object[] }) => [
      found,
      ...(found.components ?? []),
    ]);
    expect(bill.packages.slice(1).map(({ name }: { name: string }) => name)).toEqual(parts.map(nameOf));
  });

  test.each([
    ['amd64', 'x64', 0x8664],
    ['arm64', 'arm64', 0xaa64],
  ] as const)(
    'the files for %s have its machine type, and the imports of the npm packages',
    (arch, name, machine) => {
      const stock = findWindowsBinaries(name);
      for (const [ours, theirs] of [
        [fileIn(arch, /\.exe$/), readFileSync(stock.node)],
        [fileIn(arch, /\.node$/), readFileSync(stock.koffi)],
      ] as const) {
        expect(machineOf(ours)).toBe(machine);
        expect(importsOf(ours)).toEqual(importsOf(theirs));
        expect(importsOf(ours).map((library) => library.toLowerCase())).toContain('kernel32.dll');
      }
    },
  );

  test('creates the same bytes in a folder with a space and a percent sign, and in another time zone', () => {
    const checkout = mkdtempSync(join(tmpdir(), 'win hcn 100%25 '));
    try {
      copyCheckout(checkout);
      release(checkout, [], { TZ: 'Asia/Kolkata' });
      const hashes = (of: string) =>
        readdirSync(of).map((name) => [name, sha256(readFileSync(join(of, name)))]);
      expect(hashes(join(checkout, 'dist/release'))).toEqual(hashes(folder));
    } finally {
      rmSync(checkout, { recursive: true, force: true });
    }
  }, 600_000);
});

function isProgram(name: string): boolean {
  return /\.(exe|node)$/.test(name);
}

function nameOf({ group, name }: { readonly group?: string; readonly name: string }): string {
  return group === undefined ? name : `${group}/${name}`;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
