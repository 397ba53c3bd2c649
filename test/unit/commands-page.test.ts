import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandsPage } from '../reference/commands.ts';

test('docs/commands.md matches the help of the commands: run npm run pages after a change', () => {
  expect(readFileSync('docs/commands.md', 'utf8')).toBe(commandsPage());
});
