import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { withOutputs } from '../debugging/page.ts';
import type { Scene } from '../debugging/scene.ts';
import { scenes } from '../debugging/scenes.ts';

test('docs/debugging.md shows the output of its commands: run npm run debugging after a change', async () => {
  const page = readFileSync('docs/debugging.md', 'utf8');
  expect(await withOutputs(page, scenes)).toBe(page);
});

describe('a page', () => {
  const scene = (printed: string): (() => Promise<Scene>) => {
    return async () => ({
      run: async (command) => `${printed} ${command}`.trim(),
      close: async () => undefined,
    });
  };
  const block = (...lines: readonly string[]) => ['```console', ...lines, '```', ''].join('\n');

  test('gets the output of each command in the scene of its section', async () => {
    const page = `# Page\n\n## One\n\n${block('PS> a', 'old', 'PS> b')}\nprose\n\n## Two\n\n${block('PS> c')}`;
    expect(await withOutputs(page, { One: scene('1'), Two: scene('2') })).toBe(
      `# Page\n\n## One\n\n${block('PS> a', '1 a', 'PS> b', '1 b')}\nprose\n\n## Two\n\n${block('PS> c', '2 c')}`,
    );
  });

  test('has a scene for each section with commands', async () => {
    await expect(withOutputs(`# Page\n\n## One\n\n${block('PS> a')}`, {})).rejects.toThrow(
      'there is no scene for ## One',
    );
  });

  test('has a section for each scene', async () => {
    await expect(withOutputs('# Page\n', { One: scene('1') })).rejects.toThrow(
      'the page has no section "One"',
    );
  });
});
