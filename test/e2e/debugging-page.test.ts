import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withOutputs } from '../debugging/page.ts';
import { scenes } from '../debugging/scenes.ts';

test('docs/debugging.md shows the output of its commands: run npm run pages after a change', async () => {
  const page = readFileSync('docs/debugging.md', 'utf8');
  expect(await withOutputs(page, scenes)).toBe(page);
});
