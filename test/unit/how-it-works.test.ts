import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { leftoverTexts } from '../../src/model/leftovers.ts';
import { inverseOf } from '../../src/steps/table.ts';
import { table } from '../markdown-table.ts';

const page = readFileSync('docs/how-it-works.md', 'utf8');

describe('docs/how-it-works.md', () => {
  test('lists every step that has an inverse, and its inverse', () => {
    const source = readFileSync('src/steps/table.ts', 'utf8');
    const names = [...source.matchAll(/^ {2}'(.+)': \{$/gm)].map(([, name]) => name);
    expect(names).toContain('enable forwarding');
    const rows = names.flatMap((name) => {
      const inverse = inverseOf(
        JSON.parse(JSON.stringify({ do: name, document: { Name: '' }, previous: {} })),
        'done',
      );
      return inverse === undefined ? [] : [[`\`${name}\``, `\`${inverse.do}\``]];
    });
    expect(page).toContain(table(['step', 'inverse'], rows).join('\n'));
  });

  test.each(Object.values(leftoverTexts))('shows the reason for a leftover: %s', (text) => {
    expect(page).toContain(`["leftover: ${text}"]`);
  });
});
