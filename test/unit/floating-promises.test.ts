import { resolve } from 'node:path';
import {
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isPropertyAccessExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API, type Type, type TypeReference } from 'typescript/unstable/sync';
import { afterAll, expect, test } from 'vitest';

// typescript-eslint has such a rule but excludes TypeScript 7; Biome's misses promises of Node's own functions.

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
  expect(ours.flatMap(floatingPromises)).toEqual([]);
});

test.each([
  ['f();', true],
  ["readFile('x');", true],
  ['f().then(f);', true],
  ['f().finally(f);', true],
  ['Promise.all([f()]);', true],
  ['[1].map(f);', true],
  ['kept && f();', true],
  ['kept?.finally(f);', true],
  ['await f();', false],
  ['void f();', false],
  ['kept = f();', false],
  ['kept ??= f();', false],
  ['f().catch(f);', false],
  ['f().then(f, f).finally(f);', false],
])('%s floats: %s', (statement, expected) => {
  plantedText = `
    import { readFile } from 'node:fs/promises';
    let kept: Promise<void> | undefined;
    async function f(): Promise<void> {}
    export const version = readFile;
    export async function g(): Promise<typeof kept> {
      ${statement}
    }
  `;
  [project] = api.updateSnapshot({ fileChanges: { changed: [planted] } }).getProjects();
  expect(floatingPromises(planted)).toEqual(expected ? [`src/version.ts: ${statement.slice(0, -1)}`] : []);
});

/** Returns the statements of a file that drop a promise, or a list of promises, without a handler. */
function floatingPromises(file: string): string[] {
  const source = project?.program.getSourceFile(file);
  const dropped: Node[] = [];
  const visit = (node: Node): void => {
    if (isExpressionStatement(node) && !isHandled(node.expression)) dropped.push(node.expression);
    node.forEachChild(visit);
  };
  source?.forEachChild(visit);
  const types = dropped.length === 0 ? [] : (project?.checker.getTypeAtLocation(dropped) ?? []);
  return dropped
    .filter((_, index) => isPromise(types[index]))
    .map(
      (node) => `${file.slice(resolve().length + 1)}: ${source?.text.slice(node.getStart(source), node.end)}`,
    );
}

function isPromise(type: Type | undefined): boolean {
  if (type === undefined || project === undefined) return false;
  const { checker } = project;
  if (type.isUnionType()) return type.getTypes().some(isPromise);
  if (!checker.isArrayType(type)) return checker.getPropertyOfType(type, 'then') !== undefined;
  return checker.getTypeArguments(type as TypeReference).some(isPromise);
}

const assignments: readonly SyntaxKind[] = [
  SyntaxKind.EqualsToken,
  SyntaxKind.QuestionQuestionEqualsToken,
  SyntaxKind.BarBarEqualsToken,
];

/** An assignment keeps the promise; `.catch` and `.then` with two functions handle its rejection. */
function isHandled(node: Node): boolean {
  if (isBinaryExpression(node)) return assignments.includes(node.operatorToken.kind);
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return false;
  const { name, expression: promise } = node.expression;
  if (name.text === 'finally') return isHandled(promise);
  return name.text === 'catch' || (name.text === 'then' && node.arguments.length === 2);
}
