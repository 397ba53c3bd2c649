import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { authenticodeHash } from '../../../packaging/authenticode.mjs';
import { hashesOf, sectionOf } from '../../../packaging/release-notes.mjs';
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
