import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const forms = globSync('.github/ISSUE_TEMPLATE/*.yml').toSorted();

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

describe('what forms and the pull request template name exists:', () => {
  const texts = [...forms, '.github/pull_request_template.md'].map(read).join('\n');
  const named = (pattern: RegExp) =>
    [...new Set([...texts.matchAll(pattern)].map(([, name = '']) => name))].toSorted();
  const help = read('test/e2e/cli/help.txt');
  const { scripts } = JSON.parse(read('package.json'));

  test('commands', () => {
    const commands = named(/`win-hcn ([a-z]+)/g);
    expect(commands).toEqual(['collect', 'doctor', 'explain', 'probe', 'version']);
    for (const command of commands) expect(help).toContain(`\n  ${command} `);
  });

  test('scripts of package.json', () => {
    const names = named(/`npm (?:run )?([a-z]+)/g);
    expect(names).toEqual(['knip', 'lint', 'test', 'types']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...names]));
  });

  test('files', () => {
    const files = named(/((?:docs\/[\w/-]*|[A-Z]+)(?:\.md|\/))/g);
    expect(files).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'docs/debugging.md',
      'docs/notes/',
      'docs/notes/uncertain-hns.md',
    ]);
    for (const file of files) expect(existsSync(file), file).toBe(true);
  });
});

test('dependabot.yml covers each folder with a lock file', () => {
  const folders = globSync(['package-lock.json', 'packaging/package-lock.json'])
    .map((file) => `/${file.replaceAll('\\', '/').replace(/\/?package-lock\.json$/, '')}`)
    .toSorted();
  expect(parse(read('.github/dependabot.yml')).updates[0].directories).toEqual(folders);
});

describe('.editorconfig', () => {
  const sections = read('.editorconfig').split(/^\[/m);
  const settings = Object.fromEntries(
    [...(sections[1] ?? '').matchAll(/^(\w+) = (\S+)$/gm)].map(([, key, value]) => [key, value]),
  );

  test("agrees with biome.json and git's line ends", () => {
    const { formatter } = JSON.parse(read('biome.json'));
    expect(settings).toEqual({
      charset: 'utf-8',
      end_of_line: 'lf',
      insert_final_newline: 'true',
      trim_trailing_whitespace: 'true',
      indent_style: formatter.indentStyle,
      indent_size: `${formatter.indentWidth}`,
      max_line_length: `${formatter.lineWidth}`,
    });
    expect(read('.gitattributes')).toContain('* text=auto eol=lf');
  });
});
