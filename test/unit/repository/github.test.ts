import { existsSync, globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chooserSchema, dependabotSchema, formSchema } from './form-schema.ts';

const ajv = new Ajv({ allErrors: true });
const forms = globSync('.github/ISSUE_TEMPLATE/*.yml')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('/config.yml'))
  .toSorted();

/** What a schema refuses in a document, as `/body/0 message`. */
function problems(schema: object, document: unknown): readonly string[] {
  const validate = ajv.compile(schema);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

interface Form {
  readonly body: readonly { readonly id?: string; readonly attributes: { readonly label?: string } }[];
}

describe('issue forms', () => {
  test('are for bugs, features and probe reports', () => {
    expect(forms.map((file) => file.split('/').at(-1))).toEqual(['bug.yml', 'feature.yml', 'probe.yml']);
  });

  test.each(forms)('%s has the keys that GitHub requires, and no others', (file) => {
    expect(problems(formSchema, parse(read(file)))).toEqual([]);
  });

  test.each(forms)('%s has no ID or label twice', (file) => {
    const { body }: Form = parse(read(file));
    for (const values of [body.map(({ id }) => id), body.map(({ attributes }) => attributes.label)]) {
      const given = values.filter((value) => value !== undefined);
      expect(given).toEqual([...new Set(given)]);
    }
  });

  test('the schema refuses a form without inputs, and an input without a label or with an unknown key', () => {
    const form = { name: 'a', description: 'b' };
    const heading = { type: 'markdown', attributes: { value: 'c' } };
    const input = { type: 'input', id: 'd', attributes: { label: 'e' } };
    expect(problems(formSchema, { ...form, body: [heading, input] })).toEqual([]);
    for (const body of [
      [heading],
      [{ ...input, attributes: {} }],
      [{ ...input, label: 'e' }],
      [{ ...input, type: 'text' }],
    ])
      expect(problems(formSchema, { ...form, body })).not.toEqual([]);
  });

  test('the links beside them are valid', () => {
    expect(problems(chooserSchema, parse(read('.github/ISSUE_TEMPLATE/config.yml')))).toEqual([]);
  });
});

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

describe('dependabot.yml', () => {
  const document = parse(read('.github/dependabot.yml'));
  const [npm] = document.updates;
  const namesIn = (folder: string): readonly string[] => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      read(`.${folder}/package.json`),
    );
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  };

  test('has the keys that GitHub requires, and no others that are unknown here', () => {
    expect(problems(dependabotSchema, document)).toEqual([]);
  });

  test('covers each folder with a lock file, and the workflows', () => {
    const folders = globSync(['package-lock.json', 'packaging/package-lock.json'])
      .map((file) => `/${file.replaceAll('\\', '/').replace(/\/?package-lock\.json$/, '')}`)
      .toSorted();
    expect(npm.directories).toEqual(folders);
    expect(document.updates[1]).toMatchObject({ 'package-ecosystem': 'github-actions', directory: '/' });
  });

  test('updates koffi for both folders together, and leaves the versions of Node to people', () => {
    const all = [...namesIn('/'), ...namesIn('/packaging')];
    const matching = (patterns: readonly string[]) =>
      all.filter((name) => patterns.some((pattern) => matchesGlob(name, pattern))).toSorted();
    expect(matching(npm.groups.koffi.patterns)).toEqual([
      '@koromix/koffi-win32-arm64',
      '@koromix/koffi-win32-x64',
      'koffi',
    ]);
    expect(matching([npm.ignore[0]['dependency-name']])).toEqual(
      all.filter((name) => name.startsWith('node-')).toSorted(),
    );
  });
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
