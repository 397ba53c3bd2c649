import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import { observedNodes } from '../simulator/observed-nodes.ts';

const readme = readFileSync('README.md', 'utf8');

describe('README', () => {
  test('shows a configuration that is accepted', () => {
    const { plugins, ...list } = JSON.parse(/```json\n(.*?)```/s.exec(readme)?.[1] ?? '');
    expect(readNetworkConfig({ ...plugins[0], ...list })).toMatchObject({ networkType: 'L2Bridge' });
  });

  test('lists the nodes that were probed, or states that there are none', () => {
    const nodes = Object.values(observedNodes()).map(({ windows }) => windows);
    expect(readme).toContain(`reports of \`win-hcn debug probe\`: ${nodes.join(', ') || 'none yet'} |\n`);
    const disclaimer = '\nwin-hcn has not yet run on a real Windows node or with a real HNS.\n';
    expect(readme.includes(disclaimer)).toBe(nodes.length === 0);
  });

  test('shows lines that docs/debugging.md has, where they are printed by a test', () => {
    const lines = /```console\n(.*?)```/s.exec(readme)?.[1]?.trimEnd().split('\n') ?? [];
    expect(lines).toContain('PS> win-hcn show web --diff api');
    expect(readFileSync('docs/debugging.md', 'utf8').split('\n')).toEqual(expect.arrayContaining(lines));
  });

  test('installs the zip of the current version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const zips = readme.match(/win-hcn-\S+?\.zip/g);
    expect(zips).toEqual(Array(2).fill(`win-hcn-${version}-windows-amd64.zip`));
  });
});

test('docs/comparison.md has sources for each row of its table', () => {
  const page = readFileSync('docs/comparison.md', 'utf8');
  const headings = page.split('\n').filter((line) => line.startsWith('### '));
  const [head = '', , ...rows] = /^\| \| win-hcn .*?\n\n/ms.exec(page)?.[0].trimEnd().split('\n') ?? [];
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    expect(row.split(' | ')).toHaveLength(head.split(' | ').length);
    const [name = ''] = (row.split(' | ')[0] ?? '').slice(2).split(/ of |,/);
    expect(headings.join('\n')).toContain(name);
  }
});

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

test.each(['win-hcn', 'policies', 'conflist'])('the %s schema describes every key', (name) => {
  const undescribed = (
    { properties = {}, definitions = {}, items }: Schema,
    path: string,
  ): readonly string[] => [
    ...Object.entries(properties).flatMap(([key, member]) => [
      ...(member.description ? [] : [`${path}/${key}`]),
      ...undescribed(member, `${path}/${key}`),
    ]),
    ...Object.entries(definitions).flatMap(([key, member]) => undescribed(member, `#${key}`)),
    ...(items ? undescribed(items, `${path}[]`) : []),
  ];
  const described = JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8'));
  expect(undescribed(described, '')).toEqual([]);
});
