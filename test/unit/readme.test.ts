import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { observedNodes } from '../simulator/observed-nodes.ts';

const readme = readFileSync('README.md', 'utf8');

describe('README', () => {
  test('has at most 110 lines, and at most six commands for each way to try it', () => {
    expect(readme.split('\n').length - 1).toBeLessThanOrEqual(110);
    const [, tryIt = ''] = readme.split('\n## Try it\n');
    const [, ...ways] = tryIt.split('\n## ')[0]?.split('\n### ') ?? [];
    expect(ways.map((way) => way.split('\n')[0])).toEqual([
      'No Windows',
      'One node',
      'One labelled node of a cluster',
      'nerdctl',
    ]);
    for (const way of ways) {
      const blocks = [...way.matchAll(/^```(?:sh|powershell)\n(.*?)^```$/gms)];
      const commands = blocks.flatMap(([, text = '']) => text.trimEnd().split('\n'));
      expect([1, 2, 3, 4, 5, 6]).toContain(commands.length);
    }
  });

  test('generates the conflist that docs/install.md shows', () => {
    const [, options = ''] = /\.exe config generate (.*) --file /.exec(readme) ?? [];
    expect(readFileSync('docs/install.md', 'utf8')).toContain(`\nwin-hcn config generate ${options} --file `);
  });

  test('lists the nodes that were probed, or states that there are none', () => {
    const nodes = Object.values(observedNodes()).map(({ windows }) => windows);
    expect(readme).toContain(` Reports so far: ${nodes.join(', ') || 'none yet'}.\n`);
    expect(readme.includes('; not yet run on a real Windows node')).toBe(nodes.length === 0);
  });

  test('uses, with docs/install.md, the zip and the image of the current version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const text = `${readme}${readFileSync('docs/install.md', 'utf8')}`;
    const files = new Set(text.match(/win-hcn-\d\S+?\.(?:zip|tar)/g));
    expect([...files]).toEqual(['zip', 'oci.tar'].map((end) => `win-hcn-${version}-windows-amd64.${end}`));
  });
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
