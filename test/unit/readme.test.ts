import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultFolders } from '../../src/cli/containerd/config.ts';
import { meanings } from '../../src/cli/explain/code-meanings.ts';
import { code } from '../../src/cni/error.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { observedNodes } from '../simulator/observed-nodes.ts';

const readme = readFileSync('README.md', 'utf8');

describe('README', () => {
  test('shows a configuration that is accepted', () => {
    const { plugins, ...list } = JSON.parse(/```json\n(.*?)```/s.exec(readme)?.[1] ?? '');
    expect(readNetworkConfig({ ...plugins[0], ...list })).toMatchObject({ networkType: 'L2Bridge' });
  });

  test('names the same default folders of containerd as doctor', () => {
    const { binDirs, confDir } = defaultFolders;
    const [plugins, conflists] = [...binDirs, confDir].map((folder) =>
      folder.replace('C:\\Program Files', '%ProgramFiles%'),
    );
    expect(readme).toContain(`| containerd and nerdctl, by default | \`${plugins}\` | \`${conflists}\` |`);
  });

  test('lists the nodes that were probed, or states that there are none', () => {
    const nodes = Object.values(observedNodes()).map(({ windows }) => windows);
    expect(readme).toContain(`reports of \`win-hcn probe\`: ${nodes.join(', ') || 'none yet'} |\n`);
    const disclaimer = '\nwin-hcn has not yet run on a real Windows node or with a real HNS.\n';
    expect(readme.includes(disclaimer)).toBe(nodes.length === 0);
  });

  test('explains every error code of ours as docs/errors.md does', () => {
    const own = Object.entries(code).filter(([, value]) => value >= 100 && value !== code.internal);
    const rows = own.map(([name, value]) => `| ${value} | ${meanings[name as keyof typeof code].means} |`);
    expect(readme).toContain(['| code | meaning |', '| --- | --- |', ...rows, ''].join('\n'));
  });

  test('names the commands as their help does', async () => {
    const { stdout } = await runCli(['--help']);
    const commands = stdout.slice(stdout.indexOf('show this help'), stdout.indexOf('\n  help '));
    const rows = [...commands.matchAll(/^ {2}(\S+) +(.+)$/gm)];
    const table = rows.map(([, name, summary]) => `| \`${name}\` | ${summary} |`).join('\n');
    expect(rows).not.toEqual([]);
    expect(readme).toContain(`| command | what it does |\n| --- | --- |\n${table}\n\n`);
  });

  test('shows lines that docs/debugging.md has, where they are printed by a test', () => {
    const lines = /```console\n(.*?)```/s.exec(readme)?.[1]?.trimEnd().split('\n') ?? [];
    expect(lines).toContain('PS> win-hcn diff web api');
    expect(readFileSync('docs/debugging.md', 'utf8').split('\n')).toEqual(expect.arrayContaining(lines));
  });

  test('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

test.each(['win-hcn', 'policies', 'load-balancer', 'conflist'])(
  'the %s schema describes every key',
  (name) => {
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
  },
);
