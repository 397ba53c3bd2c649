import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { dated, firstFailure, planOf } from '../../../packaging/release/dry-run.mjs';

const workflow = parse(readFileSync('.github/workflows/release.yml', 'utf8'));

test('a dry run runs these steps of the release workflow, and skips the others with a reason', () => {
  const run = planOf(workflow).filter(({ skipped }) => skipped === undefined);
  expect(run.map(({ name, folder }) => [folder, name])).toEqual([
    ['.', 'npm ci'],
    ['.', 'Compare the tag with package.json, the changelog and deploy'],
    ['.', 'Build, and sign if there is a certificate'],
    ['.', 'Write the release notes'],
    ['dist', 'Verify the checksums, and list the digests of the images'],
  ]);
  expect(Object.keys(workflow.jobs)).toEqual(['test', 'build', 'start', 'publish']);
});

test('a dry run stops at the first step that fails', () => {
  const run: string[] = [];
  const failed = firstFailure(['npm ci', 'build', 'notes'], (step) => run.push(step) < 2);
  expect({ failed, run }).toEqual({ failed: 'build', run: ['npm ci', 'build'] });
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
