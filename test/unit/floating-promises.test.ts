import { resolve } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { afterAll, describe, expect, test } from 'vitest';
import { lostPromises } from './unawaited-promises.ts';

/** As the compiler writes it, also on Windows. */
const planted = resolve('src/version.ts').replaceAll('\\', '/');
let plantedText: string | undefined;
const api = new API({ fs: { readFile: (name) => (name === planted ? plantedText : undefined) } });
let [project] = api.updateSnapshot({ openProject: resolve('tsconfig.json') }).getProjects();
afterAll(() => api.close());

test('every promise is awaited, returned, kept, marked with void or has a handler for its rejection', () => {
  const files = project?.program.getSourceFileNames() ?? [];
  const ours = files.filter((file) => /^(src|test)\//.test(file.slice(resolve().length + 1)));
  expect(ours.length).toBeGreaterThan(500);
  expect(ours.flatMap(lostIn)).toEqual([]);
}, 300_000);

/** Returns what a function does with promises that it loses. */
function lossesIn(statement: string): readonly string[] {
  plantedText = `
    import { readFile } from 'node:fs/promises';
    interface Changes {
      apply(step: string): Promise<boolean>;
      find(): Promise<string | undefined>;
    }
    let kept: Promise<void> | undefined;
    function log(): void {}
    async function f(): Promise<void> {}
    export const version = readFile;
    export declare const observe: (on: { readonly end: () => void }) => void;
    export async function g({ apply, find }: Changes, failed: boolean): Promise<unknown> {
      ${statement}
      return [kept, apply, find, failed, log];
    }
  `;
  [project] = api.updateSnapshot({ fileChanges: { changed: [planted] } }).getProjects();
  return lostIn(planted);
}

describe('a promise is lost', () => {
  test.each([
    ['f();', 'dropped: f()'],
    ["readFile('x');", "dropped: readFile('x')"],
    ['f().then(f);', 'dropped: f().then(f)'],
    ['f().finally(log);', 'dropped: f().finally(log)'],
    ['Promise.all([f()]);', 'dropped: Promise.all([f()])'],
    ['[1].map(f);', 'dropped: [1].map(f)'],
    ['kept && f();', 'dropped: kept && f()'],
    ['kept?.finally(log);', 'dropped: kept?.finally(log)'],
    ["if (failed) apply('roll back');", "dropped: apply('roll back')"],
    ['try { return f(); } finally { failed = true; }', 'returned in try: f()'],
    ['try { if (failed) return f(); } catch { return 1; }', 'returned in try: f()'],
    ['try { await f(); } catch { return f(); } finally { failed = true; }', 'returned in try: f()'],
    ["if (apply('x')) return 1;", "used as a value: apply('x')"],
    ["if (!apply('x')) return 1;", "used as a value: apply('x')"],
    ["while (apply('x')) return 1;", "used as a value: apply('x')"],
    ["return apply('x') ? 1 : 2;", "used as a value: apply('x')"],
    ["return apply('x') && 1;", "used as a value: apply('x')"],
    ['return find() ?? 1;', 'used as a value: find()'],
    ['if (find() !== undefined) return 1;', 'used as a value: find()'],
    ['return String(`${' + 'find()}`);', 'used as a value: find()'],
    ['return { ...find() };', 'used as a value: find()'],
    ['[1].forEach(async () => f());', 'returned to a caller of void: async () => f()'],
    ['[1].forEach(() => f());', 'returned to a caller of void: () => f()'],
    ['[1].forEach(f);', 'returned to a caller of void: f'],
    [
      'setTimeout(async () => { await f(); }, 1);',
      'returned to a caller of void: async () => { await f(); }',
    ],
    ['observe({ end: f });', 'returned to a caller of void: f'],
    ['observe({ end: async () => f() });', 'returned to a caller of void: async () => f()'],
  ])('%s', (statement, loss) => {
    expect(lossesIn(statement)).toEqual([`src/version.ts: ${loss}`]);
  });
});

describe('a promise is not lost', () => {
  test.each([
    'await f();',
    'void f();',
    'kept = f();',
    'kept ??= f();',
    'f().catch(f);',
    'f().then(f, f).finally(log);',
    'return f();',
    'try { return await f(); } finally { failed = true; }',
    'try { await f(); } catch { return f(); }',
    'try { failed = true; } finally { const g = async () => { return f(); }; await g(); }',
    "if (await apply('x')) return 1;",
    'if (kept !== undefined) return 1;',
    'if (kept) return 1;',
    'await Promise.all([1].map(f));',
    'setTimeout(() => void f(), 1);',
    'await f().finally(f);',
    "process.once('SIGINT', f);",
  ])('%s', (statement) => {
    expect(lossesIn(statement)).toEqual([]);
  });
});

/** Returns the promises that a file loses, and how. */
function lostIn(file: string): readonly string[] {
  const source = project?.program.getSourceFile(file);
  if (project === undefined || source === undefined) throw new Error(`${file} is not part of the project`);
  const name = file.slice(resolve().length + 1);
  return lostPromises(source, project.checker).map(
    ({ node, loss }) => `${name}: ${loss}: ${source.text.slice(node.getStart(source), node.end)}`,
  );
}
