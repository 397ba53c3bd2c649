import {
  type CaseClause,
  isArrayLiteralExpression,
  isArrowFunction,
  isAwaitExpression,
  isBigIntLiteral,
  isBinaryExpression,
  isBlock,
  isBreakStatement,
  isCallExpression,
  isCaseBlock,
  isCaseClause,
  isConditionalExpression,
  isContinueStatement,
  isExpressionStatement,
  isIfStatement,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isSpreadAssignment,
  isStringLiteral,
  isSwitchStatement,
  isThrowStatement,
  isWhileStatement,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';

export type TextOf = (node: Node) => string;
/** A replacement of one node, or of the text from the start of one node to the end of another. */
export type Change = readonly [replaced: Node | readonly [first: Node, last: Node], after: string];
/** Returns the changes of a node; empty where the operator does not apply. */
export type Operator = (node: Node, text: TextOf, parents: readonly Node[]) => readonly Change[];

const comparisons: { readonly [kind in SyntaxKind]?: readonly string[] } = {
  [SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [SyntaxKind.LessThanToken]: ['<=', '>='],
  [SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [SyntaxKind.GreaterThanToken]: ['>=', '<='],
  [SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
};

const otherOperators: { readonly [kind in SyntaxKind]?: readonly string[] } = {
  ...comparisons,
  [SyntaxKind.AmpersandAmpersandToken]: ['||'],
  [SyntaxKind.BarBarToken]: ['&&'],
  [SyntaxKind.QuestionQuestionToken]: ['&&'],
  [SyntaxKind.PlusToken]: ['-'],
  [SyntaxKind.MinusToken]: ['+'],
  [SyntaxKind.AsteriskToken]: ['/'],
  [SyntaxKind.SlashToken]: ['*'],
  [SyntaxKind.PercentToken]: ['*'],
  [SyntaxKind.PlusEqualsToken]: ['-='],
  [SyntaxKind.MinusEqualsToken]: ['+='],
};

/** Methods that return a changed version of their object: without the call, the program often still compiles. */
const chained =
  /^(at|catch|concat|filter|finally|flat|map|normalize|pad(End|Start)|replace(All)?|(to)?(Reversed|Sorted|Spliced)|reverse|slice|sort|to(Lower|Upper)Case|toString|trim(End|Start)?)$/;

/** Functions whose arguments have no order. */
const symmetric = /\b(isSame\w*|equal\w*|max|min|overlaps?|isNested)$/;

/** Operators by the name of what they do. The compiler refuses what makes no sense. */
const operatorsByName = {
  replaceOperator: (node) => {
    if (!isBinaryExpression(node)) return [];
    const { operatorToken } = node;
    return (otherOperators[operatorToken.kind] ?? []).map((other) => [operatorToken, other]);
  },
  /** Not where a spread adds a key or nothing: JSON omits a key without a value too. */
  removeOperand: (node, text, parents) => {
    if (!isBinaryExpression(node)) return [];
    const { kind } = node.operatorToken;
    const isLogical = kind === SyntaxKind.AmpersandAmpersandToken || kind === SyntaxKind.BarBarToken;
    if (isLogical && !parents.slice(-2).some(isSpreadAssignment))
      return [
        [node, text(node.left)],
        [node, text(node.right)],
      ];
    return kind === SyntaxKind.QuestionQuestionToken ? [[node, text(node.left)]] : [];
  },
  negateCondition: (node, text) =>
    (isIfStatement(node) || isWhileStatement(node)) && !isNegatedOtherwise(node.expression)
      ? [[node.expression, `!(${text(node.expression)})`]]
      : [],
  swapBranches: (node, text) =>
    isConditionalExpression(node) && !isNegatedOtherwise(node.condition)
      ? [[node, `${text(node.condition)} ? ${text(node.whenFalse)} : ${text(node.whenTrue)}`]]
      : [],
  removeNegation: (node, text) =>
    isPrefixUnaryExpression(node) &&
    (node.operator === SyntaxKind.ExclamationToken || node.operator === SyntaxKind.MinusToken)
      ? [[node, text(node.operand)]]
      : [],
  removeAwait: (node, text) => (isAwaitExpression(node) ? [[node, text(node.expression)]] : []),
  removeStatement: (node, _, parents) => {
    const isJump =
      isContinueStatement(node) ||
      (isBreakStatement(node) && !isSwitchStatement(parents.at(-3) ?? node)) ||
      (isReturnStatement(node) && node.expression === undefined);
    return isJump || isExpressionStatement(node) || isThrowStatement(node) ? [[node, ';']] : [];
  },
  removeCase: (node, _, parents) =>
    isCaseClause(node) && !endsSwitch(node, parents.at(-1)) ? [[node, '']] : [],
  returnUndefined: (node, text) => {
    const returned = isReturnStatement(node)
      ? node.expression
      : isArrowFunction(node)
        ? node.body
        : undefined;
    const isOther = returned !== undefined && !isBlock(returned) && text(returned) !== 'undefined';
    return isOther ? [[returned, 'undefined']] : [];
  },
  /** Does not replace an empty fallback: the removal of its `??` is a mutant. */
  replaceLiteral: (node, text, parents) => {
    if (node.kind === SyntaxKind.TrueKeyword) return [[node, 'false']];
    if (node.kind === SyntaxKind.FalseKeyword) return [[node, 'true']];
    if (isBigIntLiteral(node)) return [[node, `${BigInt(text(node).replaceAll(/[_n]/g, '')) + 1n}n`]];
    if (isNumericLiteral(node))
      return near(Number(text(node).replaceAll('_', ''))).map((n) => [node, `${n}`]);
    if (isStringLiteral(node) && text(node).length === 2)
      return isFallback(node, parents.at(-1)) ? [] : [[node, "'mutant'"]];
    if (isStringLiteral(node)) return [[node, "''"]];
    return literalTemplates.includes(node.kind) ? [[node, '``']] : [];
  },
  removeElement: (node) => {
    if (isArrayLiteralExpression(node)) return withoutEach(node.elements);
    return isObjectLiteralExpression(node) ? withoutEach(node.properties) : [];
  },
  removeLastArgument: (node, text) => {
    if (!isCallExpression(node) || node.arguments.length < 2) return [];
    return [[node, `${text(node.expression)}(${node.arguments.slice(0, -1).map(text).join(', ')})`]];
  },
  swapArguments: (node, text) => {
    if (!isCallExpression(node) || symmetric.test(text(node.expression))) return [];
    return node.arguments.slice(1).flatMap((second, index): Change[] => {
      const first = node.arguments[index];
      if (first === undefined || text(first) === text(second)) return [];
      return [[[first, second], `${text(second)}, ${text(first)}`]];
    });
  },
  removeCall: (node, text) => {
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
    const { name, expression } = node.expression;
    return chained.test(text(name)) ? [[node, text(expression)]] : [];
  },
} satisfies Record<string, Operator>;

export const operators: readonly Operator[] = Object.values(operatorsByName);
const literalTemplates = [SyntaxKind.NoSubstitutionTemplateLiteral, SyntaxKind.TemplateExpression];

/** Whether another operator already negates the condition. */
function isNegatedOtherwise(condition: Node): boolean {
  if (isBinaryExpression(condition)) return comparisons[condition.operatorToken.kind] !== undefined;
  return isPrefixUnaryExpression(condition) && condition.operator === SyntaxKind.ExclamationToken;
}

function isFallback(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined || !isBinaryExpression(parent)) return false;
  return parent.operatorToken.kind === SyntaxKind.QuestionQuestionToken && parent.right === node;
}

/** Adds and subtracts 1; doubles a round number, such as one of milliseconds, where 1 makes no difference. */
function near(number: number): readonly number[] {
  if (number >= 1000 && number % 1000 === 0) return [number * 2];
  return number < 1 ? [number + 1] : [number + 1, number - 1];
}

/** Removes each element, with the comma to one of its neighbors. */
function withoutEach(elements: readonly Node[]): Change[] {
  return elements.map((element): Change => [[element, element], '']);
}

/** Whether a case only tells the compiler that the switch is exhaustive: the last one, with only `break`, in a switch without `default`. */
function endsSwitch(clause: CaseClause, block: Node | undefined): boolean {
  if (block === undefined || !isCaseBlock(block)) return false;
  const [only] = clause.statements;
  return (
    only !== undefined &&
    isBreakStatement(only) &&
    clause === block.clauses.at(-1) &&
    block.clauses.every(isCaseClause)
  );
}
