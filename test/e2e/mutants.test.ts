import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourcesChanged } from '../mutants/choose-sources.ts';
import { type Compiler, openCompiler } from '../mutants/compiler.ts';
import { equivalents } from '../mutants/equivalent.ts';
import { changeOf, withoutEquivalents } from '../mutants/equivalents.ts';
import { mutantsOf } from '../mutants/mutate.ts';
import { type Options, runMutants } from '../mutants/run-mutants.ts';

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'mutants-'));
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'), 'dir');
  write('package.json', '{ "type": "module" }');
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [], "noEmit": true } }',
  );
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

const isAdult = 'export const isAdult = (age: number): boolean => age >= 18;\n';
const testOf = (file: string, ...ages: number[]): string => `
  import { expect, test } from 'vitest';
  import { isAdult } from '../../src/${file}';
  test.each(${JSON.stringify(ages)})('%d', (age) => expect(isAdult(age)).toBe(age > 17));
`;

const mutantsOfTexts: readonly (readonly [text: string, changes: readonly string[]])[] = [
  ['const x = a && b;', ['&& -> ||', 'a && b -> a', 'a && b -> b']],
  ['const x = list[c] ?? d;', []],
  ['const [x = 7] = list;', []],
  ["const x = list['c'] ?? d;", ['?? -> &&', "list['c'] ?? d -> list['c']", "'c' -> ''"]],
  ["const x = a ?? '';", ['?? -> &&', "a ?? '' -> a"]],
  ["const x = '';", ["'' -> 'mutant'"]],
  ['const x = a ?? b;', ['?? -> &&', 'a ?? b -> a']],
  ['const x = a === b;', ['=== -> !==']],
  ['const x = c < d;', ['< -> <=', '< -> >=']],
  ['const x = c + d;', ['+ -> -']],
  ['const x = c >>> 0;', ['>>> -> <<', '>>> -> >>', 'c >>> 0 -> c', '0 -> 1']],
  ['x += c;', ['x += c; -> removed', '+= -> -=']],
  ['x++;', ['x++; -> removed', 'x++ -> x--']],
  ['if (a) {}', ['a -> !(a)']],
  ['if (a === b) {}', ['=== -> !==']],
  ['const x = a ? c : d;', ['a ? c : d -> a ? d : c']],
  ['const x = a < b ? c : d;', ['< -> <=', '< -> >=']],
  ['const x = !a;', ['!a -> a']],
  ['const x = await f(c);', ['await f(c) -> f(c)']],
  ['f(c);', ['f(c); -> removed']],
  ['for (;;) { continue; }', ['continue; -> removed']],
  ['function x() { return; }', ['return; -> removed']],
  ['const x = f(c, d);', ['f(c, d) -> f(c)', 'c, d -> d, c']],
  ['const x = isSame(c, d);', ['isSame(c, d) -> isSame(c)']],
  ['const x = (): number => c;', ['c -> undefined']],
  ['function x() { return c; }', ['c -> undefined']],
  ["const x = 'text';", ["'text' -> ''"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
  ['const x = `${c}`;', ['`${c}` -> ``']],
  ['const x = 7;', ['7 -> 8', '7 -> 6']],
  ['const x = 0;', ['0 -> 1']],
  ['const x = 30_000;', ['30_000 -> 60000']],
  ['const x = 8n;', ['8n -> 9n']],
  ['const x = true;', ['true -> false']],
  ['const x = [c, d];', ['c -> removed', 'd -> removed']],
  ['const x = { c, d };', ['c -> removed', 'd -> removed']],
  ['switch (x) { case c: case d: break; }', ['case c: -> removed']],
  ['switch (x) { default: case d: break; }', ['case d: break; -> removed']],
  ['const x = list.some(f);', ['some -> every']],
  ['const x = Math.max(c);', ['max -> min']],
  ['const x = c.toLowerCase();', ['c.toLowerCase() -> c']],
  ['const x = c.trim();', ['c.trim() -> c']],
  ['const x = list.filter(f);', ['list.filter(f) -> list']],
  ['const x = list.toSorted();', ['list.toSorted() -> list']],
  [
    'const x = c.slice(1, 2);',
    [
      'c.slice(1, 2) -> c.slice(1)',
      '1, 2 -> 2, 1',
      'c.slice(1, 2) -> c',
      '1 -> 2',
      '1 -> 0',
      '2 -> 3',
      '2 -> 1',
    ],
  ],
  ['const x = /^a+$/;', ['/^a+$/ -> /a+$/', '/^a+$/ -> /^a*$/', '/^a+$/ -> /^a+/']],
  ['const x = /[a]?/i;', ['/[a]?/i -> /[^a]?/i', '/[a]?/i -> /[a]/i', '/[a]?/i -> /[a]?/']],
  [
    'const x = /a{1,3}\\d/;',
    ['/a{1,3}\\d/ -> /a{1,4}\\d/', '/a{1,3}\\d/ -> /a{2,3}\\d/', '/a{1,3}\\d/ -> /a{1,3}\\D/'],
  ],
  ["import x from 'x'; type Y = 'y'; interface Z { z: 'z' }", []],
];
const texts = mutantsOfTexts.map(([text]) => text);

/** Runs all mutants of files and returns how each ended. */
async function runAll(files: readonly string[], options: Partial<Options> = {}) {
  const reported: string[] = [];
  const counts = await runMutants({
    project,
    files,
    seed: 1,
    sample: Number.POSITIVE_INFINITY,
    seconds: 60,
    measure: false,
    workers: 1,
    report: (mutant, { killedBy, tests }) =>
      reported.push(
        `${mutant.file}:${mutant.line} ${changeOf(mutant)}: ${killedBy ?? 'survived'} (${tests})`,
      ),
    ...options,
  });
  return { reported: reported.toSorted(), counts };
}

describe('mutants', () => {
  test('survive a weak test and are killed by a strong one', async () => {
    write('src/weak.ts', isAdult);
    write('src/strong.ts', isAdult);
    write('test/unit/weak.test.ts', testOf('weak.ts', 3, 50));
    write('test/unit/strong.test.ts', testOf('strong.ts', 16, 17, 18, 19));
    const { reported, counts } = await runAll(['src/weak.ts', 'src/strong.ts']);
    expect(reported).toEqual([
      'src/strong.ts:1 18 -> 17: test/unit/strong.test.ts: 17 (1)',
      'src/strong.ts:1 18 -> 19: test/unit/strong.test.ts: 18 (1)',
      'src/strong.ts:1 >= -> <: test/unit/strong.test.ts: 16 (1)',
      'src/strong.ts:1 >= -> >: test/unit/strong.test.ts: 18 (1)',
      'src/weak.ts:1 18 -> 17: survived (1)',
      'src/weak.ts:1 18 -> 19: survived (1)',
      'src/weak.ts:1 >= -> <: test/unit/weak.test.ts: 3 (1)',
      'src/weak.ts:1 >= -> >: survived (1)',
    ]);
    // The compiler refuses to return undefined.
    expect(counts).toEqual({ found: 10, equivalent: 0, run: 8, survived: 3, broken: [] });
  });

  test('that loop forever are killed, because the test is much quicker without them', async () => {
    write(
      'src/endless.ts',
      `let i = 0;
      const count = (): void => { i += 1; };
      export const wait = (): void => {
        while (i < 3)
          count();
      };`,
    );
    write(
      'test/unit/endless.test.ts',
      "import { test } from 'vitest'; import { wait } from '../../src/endless.ts'; test('ends', () => wait());",
    );
    const { reported } = await runAll(['src/endless.ts'], { only: ['src/endless.ts:5'], leastSeconds: 2 });
    expect(reported).toEqual(['src/endless.ts:5 count(); -> removed: test/unit/endless.test.ts: hangs (1)']);
  });

  test('survive a test that takes longer than its limit with and without them', async () => {
    write('src/slow.ts', 'export const isSlow = (): boolean => true;\n');
    write(
      'test/unit/slow.test.ts',
      `import { expect, test } from 'vitest'; import { isSlow } from '../../src/slow.ts';
      test('waits', async () => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        expect(isSlow()).toBeTypeOf('boolean');
      });`,
    );
    const { reported } = await runAll(['src/slow.ts'], { leastSeconds: 1 });
    expect(reported).toEqual(['src/slow.ts:1 true -> false: survived (1)']);
  });

  test('are not killed by a test that fails without them, which is left out', async () => {
    write('src/broken.ts', isAdult);
    write('test/unit/broken.test.ts', testOf('broken.ts', 17).replace('age > 17', 'true'));
    const { reported, counts } = await runAll(['src/broken.ts'], { sample: 1 });
    expect(reported).toEqual([expect.stringContaining('survived')]);
    expect(counts).toMatchObject({ run: 1, survived: 1, broken: ['test/unit/broken.test.ts'] });
  });

  test('are not killed by a test that only sometimes fails', async () => {
    write('src/flaky.ts', isAdult);
    write(
      'test/e2e/flaky.test.ts',
      `import { existsSync, writeFileSync } from 'node:fs';
      import { expect, test } from 'vitest'; import { isAdult } from '../../src/flaky.ts';
      test('fails the first time', () => {
        expect(isAdult(18)).toBeTypeOf('boolean');
        if (existsSync('failed')) return;
        writeFileSync('failed', '');
        expect.fail();
      });`,
    );
    const { reported, counts } = await runAll(['src/flaky.ts'], { sample: 1 });
    expect(reported).toEqual([expect.stringContaining('survived')]);
    expect(counts.broken).toEqual([]);
  });

  test('run only the tests that run their code, if that is measured', async () => {
    write('src/two.ts', 'export const one = (): number => 1;\nexport const two = (): number => 2;\n');
    for (const name of ['one', 'two'])
      write(
        `test/unit/${name}.test.ts`,
        `import { expect, test } from 'vitest'; import { ${name} } from '../../src/two.ts';
        test('${name}', () => expect(${name}()).toBeTypeOf('number'));`,
      );
    write('src/four.ts', "import { two } from './two.ts';\nexport const four = two() * 2;\n");
    write(
      'test/unit/four.test.ts',
      "import { expect, test } from 'vitest'; import { four } from '../../src/four.ts'; test('four', () => expect(four).toBe(4));",
    );
    const { reported } = await runAll(['src/two.ts'], { measure: true });
    expect(reported).toEqual([
      'src/two.ts:1 1 -> 0: survived (1)',
      'src/two.ts:1 1 -> 2: survived (1)',
      // The module of four.ts computes with it when it is loaded, once for all tests.
      expect.stringContaining('src/two.ts:2 2 -> 1: test/unit/four.test.ts: four'),
      expect.stringContaining('src/two.ts:2 2 -> 3: test/unit/four.test.ts: four'),
    ]);
  });

  test('run all tests that use a value that a function computes only once', async () => {
    write(
      'src/once.ts',
      'let table: number | undefined;\nexport const once = (): number => (table ??= list()); const list = () => 9;\n',
    );
    for (const [name, check] of [
      ['first', "toBeTypeOf('number')"],
      ['second', 'toBe(9)'],
    ])
      write(
        `test/unit/${name}.test.ts`,
        `import { expect, test } from 'vitest'; import { once } from '../../src/once.ts';
        test('once', () => expect(once()).${check});`,
      );
    const { reported } = await runAll(['src/once.ts'], { measure: true, only: ['src/once.ts:2'] });
    expect(reported).toContainEqual(expect.stringContaining('9 -> 10: test/unit/second.test.ts: once'));
  });

  test('can be limited to a line, and leave out equivalents', async () => {
    write('src/lines.ts', 'export const one = (): number => 1;\nexport const two = (): number => 2;\n');
    const { counts } = await runAll(['src/lines.ts'], {
      only: ['src/lines.ts:2'],
      equivalents: [
        { file: 'src/lines.ts', line: 'export const two = (): number => 2;', change: '2 -> 3', reason: 'so' },
      ],
    });
    expect(counts).toEqual({ found: 2, equivalent: 1, run: 1, survived: 1, broken: [] });
  });
});

describe('every operator makes the mutants', () => {
  let compiler: Compiler;
  const fileOf = (text: string): string => `src/operators/${texts.indexOf(text)}.ts`;
  beforeAll(() => {
    for (const text of texts) write(fileOf(text), text);
    compiler = openCompiler(project);
  });
  afterAll(() => compiler.close());

  test.each(mutantsOfTexts)('%s', (text, expected) => {
    const file = fileOf(text);
    expect(mutantsOf(file, compiler.parse(file)).map(changeOf)).toEqual(expected);
  });
});

describe('the list of equivalents', () => {
  const mutant = {
    file: 'src/a.ts',
    line: 1,
    lineText: 'const x = 7;',
    before: '7',
    after: '8',
    start: 10,
    text: () => 'const x = 8;',
  };
  const entry = { file: 'src/a.ts', line: 'const x = 7;', change: '7 -> 8', reason: 'nothing reads it' };

  test('leaves out what it lists', () => {
    expect(withoutEquivalents([mutant], ['src/a.ts'], [entry])).toEqual([]);
    expect(withoutEquivalents([mutant], ['src/a.ts'], [])).toEqual([mutant]);
  });

  test.each([
    { ...entry, line: 'const x = 8;' },
    { ...entry, change: '7 -> 9' },
  ])('is refused if an entry is no mutant', (stale) => {
    expect(() => withoutEquivalents([mutant], ['src/a.ts'], [stale])).toThrow(
      `equivalent.ts lists unknown mutants:\nsrc/a.ts: ${stale.line}: ${stale.change}`,
    );
    expect(withoutEquivalents([mutant], ['src/b.ts'], [stale])).toEqual([mutant]);
  });

  test('of this repository lists only mutants, each with a reason', () => {
    const files = [...new Set(equivalents.map(({ file }) => file))];
    const own = openCompiler('.');
    try {
      const mutants = files.flatMap((file) => mutantsOf(file, own.parse(file)));
      expect(() => withoutEquivalents(mutants, files, equivalents)).not.toThrow();
    } finally {
      own.close();
    }
    expect(equivalents.filter(({ reason }) => !reason.includes(' '))).toEqual([]);
  });
});

describe('the sources in scope that changed since a commit', () => {
  const git = (...words: string[]): void => {
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid'];
    execFileSync('git', [...author, ...words], { cwd: project, stdio: 'ignore' });
  };

  test('are those of the change, or all in scope if the commit is missing or changed no source', () => {
    write('src/net/one.ts', '');
    write('src/net/two.ts', '');
    git('init');
    git('add', 'src');
    git('commit', '-m', 'first');
    write('src/log/three.ts', '');
    const all = sourcesChanged(project, 'HEAD~1');
    expect(all.files).toEqual(['src/net/one.ts', 'src/net/two.ts']);
    expect(all.reason).toBe('all in scope: this clone has no commit HEAD~1');
    write('src/net/one.ts', 'export {};');
    git('commit', '-am', 'second');
    expect(sourcesChanged(project, 'HEAD~1')).toEqual({
      files: ['src/net/one.ts'],
      reason: 'what changed in scope since HEAD~1',
    });
    git('commit', '--allow-empty', '-m', 'third');
    expect(sourcesChanged(project, 'HEAD~1')).toEqual({
      files: all.files,
      reason: 'all in scope: none of it changed since HEAD~1',
    });
  });
});
