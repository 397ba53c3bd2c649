import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { page } from '../errors/page.ts';

test('docs/errors.md matches the tables in src: run npm run errors after a change', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(page());
});
