import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { dated, planOf } from '../../../packaging/release/dry-run.mjs';

const workflow = parse(readFileSync('.github/workflows/release.yml', 'utf8'));

test('a dry run has the steps of the release workflow, except those that install programs or need GitHub', () => {
  const plan = planOf(workflow).map(({ name, folder, run, skipped }) => [
    folder,
    name,
    skipped ?? typeof run,
  ]);
  expect(plan).toEqual([
    ['.', 'Install git and certificates', 'installs programs'],
    ['.', 'actions/checkout', 'needs GitHub'],
    ['.', 'actions/setup-node', 'needs GitHub'],
    ['.', 'Let root read the checkout', 'changes the configuration of git'],
    ['.', 'npm ci', 'string'],
    ['.', 'Compare the tag with package.json and the changelog', 'string'],
    ['.', 'Install Wine, for the code caches, and osslsigncode', 'installs programs'],
    ['.', 'Build, and sign if there is a certificate', 'string'],
    ['.', 'Write the release notes', 'string'],
    ['.', 'actions/upload-artifact', 'needs GitHub'],
    ['dist', 'actions/download-artifact', 'needs GitHub'],
    ['dist', 'Verify the checksums', 'string'],
    ['dist', 'Attest the origin of all files', 'needs GitHub'],
    ['dist', 'Attest the contents of the zip files', 'needs GitHub'],
    ['dist', 'Create a draft release', 'needs GitHub'],
  ]);
  expect(Object.keys(workflow.jobs)).toEqual(['test', 'build', 'start', 'publish']);
});

test.each([
  [
    'the section of the version',
    '# C\n\n## 1.2.3 (unreleased)\n\n- a',
    '# C\n\n## 1.2.3 (2026-11-28)\n\n- a',
  ],
  ['or else the section Unreleased', '# C\n\n## Unreleased\n\n- a', '# C\n\n## 1.2.3 (2026-11-28)\n\n- a'],
  ['no section that has a date', '# C\n\n## 1.2.3 (2026-11-01)', '# C\n\n## 1.2.3 (2026-11-01)'],
])('the dry run dates %s', (_, changelog, expected) => {
  expect(dated(changelog, '1.2.3', '2026-11-28')).toBe(expected);
});
