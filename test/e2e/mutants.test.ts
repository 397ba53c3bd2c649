import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourcesChanged } from '../mutants/choose-sources.ts';
import { openCompiler } from '../mutants/compiler.ts';
import { mutantsOf } from '../mutants/mutate.ts';
import { runMutants } from '../mutants/run-mutants.ts';

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

describe('mutants', () => {
  test('survive a weak test and are killed by a strong one', async () => {
    write('src/weak.ts', isAdult);
    write('src/strong.ts', isAdult);
    write('test/unit/weak.test.ts', testOf('weak.ts', 3, 50));
    write('test/unit/strong.test.ts', testOf('strong.ts', 17, 18, 19));
    const reported: string[] = [];
    const counts = await runMutants({
      project,
      files: ['src/weak.ts', 'src/strong.ts'],
      seed: 1,
      sample: Number.POSITIVE_INFINITY,
      seconds: 60,
      workers: 1,
      report: ({ file, line, before, after }, killedBy) =>
        reported.push(`${file}:${line} ${before} -> ${after}: ${killedBy ?? 'survived'}`),
    });
    expect(reported.toSorted()).toEqual([
      'src/strong.ts:1 18 -> 19: test/unit/strong.test.ts: 18',
      'src/strong.ts:1 >= -> >: test/unit/strong.test.ts: 18',
      'src/weak.ts:1 18 -> 19: survived',
      'src/weak.ts:1 >= -> >: survived',
    ]);
    // The compiler refuses to return undefined.
    expect(counts).toEqual({ found: 6, run: 4, survived: 2 });
  });

  test('that loop forever are killed by the time limit', async () => {
    write('src/endless.ts', 'export const wait = (): void => {\n  let i = 0;\n  while (i < 3) i += 1;\n};\n');
    write(
      'test/unit/endless.test.ts',
      "import { test } from 'vitest'; import { wait } from '../../src/endless.ts'; test('ends', () => wait());",
    );
    const killed: string[] = [];
    await runMutants({
      project,
      files: ['src/endless.ts'],
      seed: 1,
      sample: Number.POSITIVE_INFINITY,
      seconds: 60,
      limitSeconds: 3,
      workers: 1,
      report: ({ before }, killedBy) => killedBy && killed.push(`${before}: ${killedBy}`),
    });
    expect(killed).toEqual(['i += 1;: the time limit of 3 s']);
  });

  test('stop the run when a test fails without them', async () => {
    write('src/broken.ts', isAdult);
    write('test/unit/broken.test.ts', testOf('broken.ts', 17).replace('age > 17', 'true'));
    await expect(
      runMutants({
        project,
        files: ['src/broken.ts'],
        seed: 1,
        sample: 1,
        seconds: 60,
        workers: 1,
        report: () => {},
      }),
    ).rejects.toThrow('a test fails without a mutant: test/unit/broken.test.ts: 17');
  });

  test.each([
    ['const x = a && b;', ['&& -> ||']],
    ['const x = a ?? b;', ['?? -> &&']],
    ['const x = a === b;', ['=== -> !==']],
    ['const x = c < d;', ['< -> <=']],
    ['const x = c + d;', ['+ -> -']],
    ['if (a) {}', ['a -> !(a)']],
    ['const x = a ? c : d;', ['a ? c : d -> a ? d : c']],
    ['const x = !a;', ['!a -> a']],
    ['const x = await f(c);', ['await f(c) -> f(c)']],
    ['f(c);', ['f(c); -> ;']],
    ['const x = f(c, d);', ['f(c, d) -> f(c)']],
    ['const x = (): number => c;', ['c -> undefined']],
    ['function x() { return c; }', ['c -> undefined']],
    ["const x = 'text';", ["'text' -> ''"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
    ['const x = `${c}`;', ['`${c}` -> ``']],
    ['const x = 7;', ['7 -> 8']],
    ['const x = true;', ['true -> false']],
    ['const x = [c, d];', ['[c, d] -> [d]', '[c, d] -> [c]']],
    ['const x = { c, d };', ['{ c, d } -> { d }', '{ c, d } -> { c }']],
    ['const x = list.some(f);', ['list.some -> list.every']],
    ["import x from 'x'; type Y = 'y'; interface Z { z: 'z' }", []],
  ])('of %s', (text, expected) => {
    write('src/operators.ts', text);
    const compiler = openCompiler(project);
    try {
      const mutants = mutantsOf('src/operators.ts', compiler.parse('src/operators.ts'));
      expect(mutants.map(({ before, after }) => `${before} -> ${after}`)).toEqual(expected);
    } finally {
      compiler.close();
    }
  });
});

describe('the sources that changed since a commit', () => {
  const git = (...words: string[]): void => {
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid'];
    execFileSync('git', [...author, ...words], { cwd: project, stdio: 'ignore' });
  };

  test('are those of the change, or all of src if the commit is missing or changed no source', () => {
    write('src/one.ts', '');
    write('src/two.ts', '');
    git('init');
    git('add', 'src');
    git('commit', '-m', 'first');
    const all = sourcesChanged(project, 'HEAD~1');
    expect(all.files).toEqual(expect.arrayContaining(['src/one.ts', 'src/two.ts']));
    expect(all.reason).toBe('all of src: this clone has no commit HEAD~1');
    write('src/one.ts', 'export {};');
    git('commit', '-am', 'second');
    expect(sourcesChanged(project, 'HEAD~1')).toEqual({
      files: ['src/one.ts'],
      reason: 'what changed in src since HEAD~1',
    });
    git('commit', '--allow-empty', '-m', 'third');
    expect(sourcesChanged(project, 'HEAD~1')).toEqual({
      files: all.files,
      reason: 'all of src: none of it changed since HEAD~1',
    });
  });
});
