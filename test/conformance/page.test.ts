import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('docs/conformance.md matches the names of the tests', async () => {
  const env = { PATH: process.env['PATH'] };
  const printed = await promisify(execFile)(process.execPath, ['test/conformance/report.ts'], { env });
  expect(readFileSync('docs/conformance.md', 'utf8')).toBe(printed.stdout);
}, 180_000);
