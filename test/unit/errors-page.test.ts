import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';

test('docs/errors.md matches the tables in src: run npm run pages after a change', async () => {
  // The texts of HRESULTs are created once, perhaps by an earlier test file.
  vi.resetModules();
  const { page } = await import('../errors/page.ts');
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(page());
});
