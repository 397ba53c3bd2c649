import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeOf } from '../mutants/change.ts';
import { type Compiler, openCompiler } from '../mutants/compiler.ts';
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
  ["const x = list['c'] ?? d;", ['?? -> &&', "list['c'] ?? d -> list['c']", "'c' -> ''"]],
  ['const x = a === b;', ['=== -> !==']],
  ['const x = c < d;', ['< -> <=', '< -> >=']],
  ['const x = c + d;', ['+ -> -']],
  ['if (a) {}', ['a -> !(a)']],
  ['const x = a ? c : d;', ['a ? c : d -> a ? d : c']],
  ['const x = await f(c);', ['await f(c) -> f(c)']],
  ['f(c);', ['f(c); -> removed']],
  ['const x = f(c, d);', ['f(c, d) -> f(c)', 'c, d -> d, c']],
  ['const x = (): number => c;', ['c -> undefined']],
  ["const x = 'text';", ["'text' -> ''"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
  ['const x = `${c}`;', ['`${c}` -> ``']],
  ['const x = 7;', ['7 -> 8', '7 -> 6']],
  ['const x = true;', ['true -> false']],
  ['const x = [c, d];', ['c -> removed', 'd -> removed']],
  ['switch (x) { case c: case d: break; }', ['case c: -> removed']],
  ['const x = list.some(f);', ['some -> every']],
  ['const x = c.toLowerCase();', ['c.toLowerCase() -> c']],
  ['const x = list.filter(f);', ['list.filter(f) -> list']],
  ['const x = /^a+$/;', ['/^a+$/ -> /a+$/', '/^a+$/ -> /^a*$/', '/^a+$/ -> /^a+/']],
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
    expect(counts).toEqual({ found: 10, run: 8, survived: 3, broken: [] });
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
