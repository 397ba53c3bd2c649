// Finds promises that lack an `await`. typescript-eslint has such rules but excludes TypeScript 7; Biome's miss promises of Node's own
// functions, `return` in `try`, negation, comparison, and functions given to setTimeout or as a member.

import {
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isDoStatement,
  isExpression,
  isExpressionStatement,
  isForStatement,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isIfStatement,
  isMethodDeclaration,
  isNewExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSpreadAssignment,
  isTemplateSpan,
  isTryStatement,
  isWhileStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { type Checker, SignatureKind, type Type, type TypeReference } from 'typescript/unstable/sync';

/** How a promise is lost. */
export type Loss = 'dropped' | 'returned in try' | 'used as a value' | 'returned to a caller of void';

export interface Lost {
  readonly node: Node;
  readonly loss: Loss;
}

/** Returns the promises of a file that lack an `await`. */
export function lostPromises(source: SourceFile, checker: Checker): readonly Lost[] {
  const suspects: Lost[] = [];
  const suspect = (loss: Loss, node: Node | undefined) => node && suspects.push({ node, loss });
  const visit = (node: Node): void => {
    if (isExpressionStatement(node) && !isHandled(node.expression)) suspect('dropped', node.expression);
    if (isReturnStatement(node) && isInTry(node)) suspect('returned in try', node.expression);
    for (const operand of operandsOf(node)) suspect('used as a value', operand);
    for (const passed of functionsIn(node)) suspect('returned to a caller of void', passed);
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  const types = typesOf(
    suspects.map(({ node }) => node),
    checker,
  );
  return suspects.filter((one, index) => isLost(one, types[index], checker));
}

function isLost({ loss, node }: Lost, type: Type | undefined, checker: Checker): boolean {
  switch (loss) {
    case 'dropped':
      return mayBePromise(type, checker);
    case 'returned in try':
    case 'used as a value':
      return isPromise(type, checker);
    case 'returned to a caller of void':
      return returnsPromise(type, checker) && expectsVoid(node, checker);
  }
}

/** Asks for all types at once. The compiler fails for some tuples, which are no promises; it is asked again without them. */
function typesOf(nodes: readonly Node[], checker: Checker): readonly (Type | undefined)[] {
  if (nodes.length === 0) return [];
  try {
    return checker.getTypeAtLocation(nodes);
  } catch {
    const half = Math.floor(nodes.length / 2);
    return half === 0
      ? [undefined]
      : [nodes.slice(0, half), nodes.slice(half)].flatMap((part) => typesOf(part, checker));
  }
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

const isFunction = (node: Node) =>
  isArrowFunction(node) ||
  isFunctionExpression(node) ||
  isFunctionDeclaration(node) ||
  isMethodDeclaration(node);

/** Whether the function's own `catch` or `finally` should follow. */
function isInTry(node: Node): boolean {
  for (let inner = node; inner.parent !== undefined && !isFunction(inner); inner = inner.parent) {
    const { parent } = inner;
    if (!isTryStatement(parent) || inner === parent.finallyBlock) continue;
    if (inner === parent.tryBlock || parent.finallyBlock !== undefined) return true;
  }
  return false;
}

const tests: readonly SyntaxKind[] = [
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
];
const comparisons: readonly SyntaxKind[] = [
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.EqualsEqualsToken,
  SyntaxKind.ExclamationEqualsToken,
];

/** The expressions whose value a node tests, compares, prints or copies. */
function operandsOf(node: Node): readonly (Node | undefined)[] {
  if (isIfStatement(node) || isWhileStatement(node) || isDoStatement(node)) return [node.expression];
  if (isForStatement(node) || isConditionalExpression(node)) return [node.condition];
  if (isPrefixUnaryExpression(node)) return [node.operand];
  if (isTemplateSpan(node) || isSpreadAssignment(node)) return [node.expression];
  if (!isBinaryExpression(node)) return [];
  const { left, operatorToken, right } = node;
  if (tests.includes(operatorToken.kind)) return [left];
  return comparisons.includes(operatorToken.kind) ? [left, right] : [];
}

/** The functions that a node passes on: as an argument, as a member, or as a result. */
function functionsIn(node: Node): readonly Node[] {
  return passedIn(node).filter(
    (passed) => isFunction(passed) || isIdentifier(passed) || isPropertyAccessExpression(passed),
  );
}

/** `finally` waits for its function. Where Node calls a listener, a rejection ends the process. */
const waiting = /\b(finally|on|once|createServer|request)$/;

function passedIn(node: Node): readonly Node[] {
  if (isCallExpression(node) || isNewExpression(node))
    return waiting.test(node.expression.getText()) ? [] : [...(node.arguments ?? [])];
  if (isPropertyAssignment(node)) return [node.initializer];
  if (isReturnStatement(node)) return node.expression === undefined ? [] : [node.expression];
  return isArrowFunction(node) && !isBlock(node.body) ? [node.body] : [];
}

function isPromise(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined || type.isUnionType()) return false;
  // A JSON schema may have `then` too.
  return ['then', 'catch'].every((name) => checker.getPropertyOfType(type, name) !== undefined);
}

/** A promise, a list of promises, or a union with one. */
function mayBePromise(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().some((one) => mayBePromise(one, checker));
  if (!checker.isArrayType(type)) return isPromise(type, checker);
  return checker.getTypeArguments(type as TypeReference).some((one) => mayBePromise(one, checker));
}

const resultsOf = (type: Type, checker: Checker): readonly (Type | undefined)[] =>
  checker
    .getSignaturesOfType(type, SignatureKind.Call)
    .map((signature) => checker.getReturnTypeOfSignature(signature));

function returnsPromise(type: Type | undefined, checker: Checker): boolean {
  return type !== undefined && resultsOf(type, checker).some((result) => isPromise(result, checker));
}

/** Whether a function's place in the code ignores what it returns. */
function expectsVoid(node: Node, checker: Checker): boolean {
  const expected = isExpression(node) ? checker.getContextualType(node) : undefined;
  if (expected === undefined) return false;
  const kinds = expected.isUnionType() ? expected.getTypes() : [expected];
  const results = kinds.flatMap((kind) => resultsOf(kind, checker));
  return results.length > 0 && results.every((result) => result === checker.getVoidType());
}
