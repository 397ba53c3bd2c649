import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { authenticodeHash } from '../../../packaging/authenticode.mjs';
import { fileVersion } from '../../../packaging/embed-program.mjs';
import { checkImageTags, digestsOf, hashesOf, sectionOf } from '../../../packaging/release-notes.mjs';
import { tinyExecutable, withTable } from './tiny-executable.ts';

const changelog = `# Changelog

## Unreleased

## 1.3.0 (unreleased)

## 1.2.3 (2026-11-23)

New options:

- \`ls --all\`

## 1.2.0 (unreleased)

- Something old.
`;

test('the notes are the section of the tagged version', () => {
  expect(sectionOf({ tag: 'v1.2.3', version: '1.2.3', changelog })).toBe('New options:\n\n- `ls --all`');
});

test.each([
  ['v1.2.4', '1.2.3', 'the tag v1.2.4 is not v1.2.3, the version in package.json: change one of them'],
  ['v1.2', '1.2', 'CHANGELOG.md has no section for 1.2: rename the section "Unreleased"'],
  [
    'v1.2.0',
    '1.2.0',
    'CHANGELOG.md has "1.2.3 (2026-11-23)" above the section for 1.2.0: move its lines into that section',
  ],
  ['v1.3.0', '1.3.0', 'CHANGELOG.md lists 1.3.0 as unreleased: add its date'],
])('the tag %s of version %s is refused', (tag, version, message) => {
  expect(() => sectionOf({ tag, version, changelog })).toThrow(new Error(message));
});

test('a manifest with the image of another version is refused', () => {
  const manifests = {
    'deploy/a.yaml': 'images:\n    newTag: 1.2.3\n',
    'deploy/base.yaml': 'resources: []\n',
  };
  expect(() => checkImageTags('1.2.3', manifests)).not.toThrow();
  expect(() => checkImageTags('1.3.0', manifests)).toThrow(
    new Error('deploy/a.yaml has newTag 1.2.3, not 1.3.0: change it'),
  );
});

test('Windows shows a release candidate as the version that it precedes', () => {
  expect(['1.2.3', '1.2.3-rc.1'].map(fileVersion)).toEqual(['1.2.3', '1.2.3']);
});

test('the notes end with the digests of the images', () => {
  const table = '| file | digest |\n| --- | --- |\n| a.oci.tar | `sha256:12` |';
  expect(digestsOf([{ file: 'a.oci.tar', digest: 'sha256:12' }])).toBe(`## Images\n\n${table}`);
});

test('the hashes of programs follow, and whether the programs are signed', () => {
  const bytes = tinyExecutable(8);
  const signed = withTable(bytes, Buffer.alloc(16, 1));
  const sha256 = (file: Buffer) => createHash('sha256').update(file).digest('hex');
  const notes = (file: Buffer) => hashesOf([{ zip: 'a.zip', name: 'win-hcn.exe', bytes: file }]).split('\n');
  expect(notes(bytes)).toEqual([
    '## Hashes',
    '',
    'The executables and the addons are not signed: see "Antivirus and application control" in docs/install.md.',
    'Hash rules of App Control and AppLocker use the Authenticode hash, which a signature does not change. `Get-FileHash` shows SHA-256.',
    '',
    '| zip | file | Authenticode SHA-256 | SHA-256 |',
    '| --- | --- | --- | --- |',
    `| a.zip | win-hcn.exe | \`${authenticodeHash(bytes)}\` | \`${sha256(bytes)}\` |`,
  ]);
  expect(notes(signed)[2]).toBe(
    'The executables and the addons are signed: `Get-AuthenticodeSignature win-hcn.exe` shows the signer.',
  );
  expect(notes(signed).at(-1)).toBe(
    `| a.zip | win-hcn.exe | \`${authenticodeHash(bytes)}\` | \`${sha256(signed)}\` |`,
  );
});
