import {
  type BinaryExpression,
  isArrayLiteralExpression,
  isBinaryExpression,
  isBindingElement,
  isElementAccessExpression,
  isExportDeclaration,
  isImportDeclaration,
  isInterfaceDeclaration,
  isObjectLiteralExpression,
  isStringLiteral,
  isTypeAliasDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { operators } from './operators.ts';

/** One small fault in a source file. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The text of that line, without the spaces around it. */
  readonly lineText: string;
  readonly before: string;
  /** Empty when the mutant removes something. */
  readonly after: string;
  /** The place of `before` in the file. */
  readonly start: number;
  /** Returns the text of the whole file with the fault in it. */
  readonly text: () => string;
}

/** Returns every mutant of a file, each once, in the order of its lines. */
export function mutantsOf(file: string, source: SourceFile): readonly Mutant[] {
  const whole = source.text;
  const text = (node: Node): string => whole.slice(node.getStart(source), node.end);
  const mutants = new Map<string, Mutant>();
  const add = (first: Node, last: Node, after: string, siblings: readonly Node[]): void => {
    const start = first.getStart(source);
    const before = whole.slice(start, last.end);
    const [from, to] = after === '' ? withComma(source, first, siblings) : [start, last.end];
    const changed = (): string => whole.slice(0, from) + after + whole.slice(to);
    const line = whole.slice(0, start).split('\n').length;
    const lineText = whole.split('\n')[line - 1]?.trim() ?? '';
    const key = `${from} ${to} ${after}`;
    if (!mutants.has(key)) mutants.set(key, { file, line, lineText, before, after, start, text: changed });
  };
  const visit = (node: Node, parents: readonly Node[]): void => {
    if (isNotRun(node) || isOnlyForCompiler(node, parents)) return;
    const applied = isIndexWithDefault(node) ? [] : operators;
    for (const [replaced, after] of applied.flatMap((operator) => operator(node, text, parents))) {
      const [first, last] = 'kind' in replaced ? [replaced, replaced] : replaced;
      add(first, last, after, elementsOf(node));
    }
    node.forEachChild((child) => visit(child, [...parents, node]));
  };
  visit(source, []);
  return [...mutants.values()].toSorted((one, other) => one.line - other.line);
}

/** Types are erased, and every test notices a missing import. */
function isNotRun(node: Node): boolean {
  return (
    (node.kind >= SyntaxKind.TypePredicate && node.kind <= SyntaxKind.ImportType) ||
    isInterfaceDeclaration(node) ||
    isTypeAliasDeclaration(node) ||
    isImportDeclaration(node) ||
    isExportDeclaration(node)
  );
}

/** A default of an element at an index, or the `??` before it: the compiler asks for one where the element always exists. */
function isOnlyForCompiler(node: Node, parents: readonly Node[]): boolean {
  const parent = parents.at(-1);
  if (parent === undefined) return false;
  if (isBindingElement(parent))
    return parents.at(-2)?.kind === SyntaxKind.ArrayBindingPattern && node === parent.initializer;
  return isIndexWithDefault(parent) && node === parent.right;
}

function isIndexWithDefault(node: Node): node is BinaryExpression {
  if (!isBinaryExpression(node) || node.operatorToken.kind !== SyntaxKind.QuestionQuestionToken) return false;
  return isElementAccessExpression(node.left) && !isStringLiteral(node.left.argumentExpression);
}

function elementsOf(node: Node): readonly Node[] {
  if (isArrayLiteralExpression(node)) return node.elements;
  return isObjectLiteralExpression(node) ? node.properties : [];
}

/** Returns the range of an element with the comma that separates it from a neighbor. */
function withComma(source: SourceFile, element: Node, siblings: readonly Node[]): readonly [number, number] {
  const place = siblings.indexOf(element);
  const next = siblings[place + 1];
  const previous = siblings[place - 1];
  if (place !== -1 && next !== undefined) return [element.getStart(source), next.getStart(source)];
  return [place !== -1 && previous !== undefined ? previous.end : element.getStart(source), element.end];
}
