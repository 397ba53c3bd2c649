import {
  isArrayLiteralExpression,
  isArrowFunction,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExportDeclaration,
  isExpressionStatement,
  isIfStatement,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPrefixUnaryExpression,
  isReturnStatement,
  isStringLiteral,
  isThrowStatement,
  isTypeAliasDeclaration,
  isWhileStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';

/** One small fault in a source file. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The text of the whole file with the fault in it. */
  readonly text: string;
}

type TextOf = (node: Node) => string;
/** Returns replacements of a node or of a part of it; empty where the operator does not apply. */
type Operator = (node: Node, text: TextOf) => readonly (readonly [replaced: Node, after: string])[];

/** Returns every mutant of a file, in the order of its lines. */
export function mutantsOf(file: string, source: SourceFile): readonly Mutant[] {
  const whole = source.text;
  const text: TextOf = (node) => whole.slice(node.getStart(source), node.end);
  const mutants: Mutant[] = [];
  const visit = (node: Node): void => {
    if (isNotRun(node)) return;
    for (const [replaced, after] of operators.flatMap((operator) => operator(node, text))) {
      const start = replaced.getStart(source);
      mutants.push({
        file,
        line: whole.slice(0, start).split('\n').length,
        before: text(replaced),
        after,
        text: whole.slice(0, start) + after + whole.slice(replaced.end),
      });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return mutants.toSorted((one, other) => one.line - other.line);
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

const otherOperators: { readonly [kind in SyntaxKind]?: string } = {
  [SyntaxKind.AmpersandAmpersandToken]: '||',
  [SyntaxKind.BarBarToken]: '&&',
  [SyntaxKind.QuestionQuestionToken]: '&&',
  [SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [SyntaxKind.LessThanToken]: '<=',
  [SyntaxKind.LessThanEqualsToken]: '<',
  [SyntaxKind.GreaterThanToken]: '>=',
  [SyntaxKind.GreaterThanEqualsToken]: '>',
  [SyntaxKind.PlusToken]: '-',
  [SyntaxKind.MinusToken]: '+',
  [SyntaxKind.AsteriskToken]: '/',
  [SyntaxKind.SlashToken]: '*',
  [SyntaxKind.AmpersandToken]: '|',
  [SyntaxKind.BarToken]: '&',
};

/** Operators by the name of what they do. The compiler refuses what makes no sense. */
const operatorsByName = {
  replaceOperator: (node) => {
    if (!isBinaryExpression(node)) return [];
    const other = otherOperators[node.operatorToken.kind];
    return other === undefined ? [] : [[node.operatorToken, other]];
  },
  negateCondition: (node, text) =>
    isIfStatement(node) || isWhileStatement(node) ? [[node.expression, `!(${text(node.expression)})`]] : [],
  swapBranches: (node, text) =>
    isConditionalExpression(node)
      ? [[node, `${text(node.condition)} ? ${text(node.whenFalse)} : ${text(node.whenTrue)}`]]
      : [],
  removeNegation: (node, text) =>
    isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken
      ? [[node, text(node.operand)]]
      : [],
  removeAwait: (node, text) => (isAwaitExpression(node) ? [[node, text(node.expression)]] : []),
  removeStatement: (node) => (isExpressionStatement(node) || isThrowStatement(node) ? [[node, ';']] : []),
  returnUndefined: (node) => {
    if (isReturnStatement(node)) return node.expression ? [[node.expression, 'undefined']] : [];
    return isArrowFunction(node) && !isBlock(node.body) ? [[node.body, 'undefined']] : [];
  },
  replaceLiteral: (node, text) => {
    if (node.kind === SyntaxKind.TrueKeyword) return [[node, 'false']];
    if (node.kind === SyntaxKind.FalseKeyword) return [[node, 'true']];
    if (isNumericLiteral(node)) return [[node, `${Number(text(node)) + 1}`]];
    if (isStringLiteral(node)) return [[node, node.text === '' ? "'mutant'" : "''"]];
    return literalTemplates.includes(node.kind) ? [[node, '``']] : [];
  },
  removeElement: (node, text) => {
    if (isArrayLiteralExpression(node))
      return withoutEach(node.elements, text).map((list) => [node, `[${list}]`]);
    if (!isObjectLiteralExpression(node)) return [];
    return withoutEach(node.properties, text).map((list) => [node, `{ ${list} }`]);
  },
  removeLastArgument: (node, text) => {
    if (!isCallExpression(node) || node.arguments.length < 2) return [];
    return [[node, `${text(node.expression)}(${node.arguments.slice(0, -1).map(text).join(', ')})`]];
  },
  swapSomeEvery: (node, text) => {
    const called = isCallExpression(node) ? /^(.*\.)(some|every)$/s.exec(text(node.expression)) : null;
    if (!isCallExpression(node) || called === null) return [];
    return [[node.expression, `${called[1]}${called[2] === 'some' ? 'every' : 'some'}`]];
  },
} satisfies Record<string, Operator>;

const operators: readonly Operator[] = Object.values(operatorsByName);
const literalTemplates = [SyntaxKind.NoSubstitutionTemplateLiteral, SyntaxKind.TemplateExpression];

/** Returns the list once per element, each time without that element. */
function withoutEach(elements: readonly Node[], text: TextOf): string[] {
  return elements.map((left) =>
    elements
      .filter((element) => element !== left)
      .map(text)
      .join(', '),
  );
}
