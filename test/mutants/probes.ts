import {
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCaseClause,
  isConditionalExpression,
  isConstructorDeclaration,
  isDefaultClause,
  isForOfStatement,
  isForStatement,
  isFunctionDeclaration,
  isFunctionExpression,
  isGetAccessorDeclaration,
  isIfStatement,
  isMethodDeclaration,
  isSetAccessorDeclaration,
  isSwitchStatement,
  isTryStatement,
  isWhileStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';

/** A source file with added calls that report which of its parts run. */
export interface Probes {
  /** The text of the file with the calls. */
  readonly text: string;
  readonly count: number;
  /** Returns the number of the probe that runs with the code at a place, or undefined if that code runs when the module is loaded. */
  at(place: number): number | undefined;
}

/** The global function that the calls call, with the file and the number of the probe: `reached-setup.ts` defines it. */
export const reachedFunction = '__reached';

interface Region {
  readonly from: number;
  readonly to: number;
}

/** Puts a probe into each branch of each function of a file. */
export function probesOf(file: string, source: SourceFile): Probes {
  const whole = source.text;
  const regions: Region[] = [];
  const inserted: { readonly place: number; readonly text: string; readonly order: number }[] = [];
  const startOf = (node: Node): number => node.getStart(source);
  const call = (): string => `${reachedFunction}(${JSON.stringify(file)}, ${regions.length})`;
  const insert = (place: number, text: string): void => {
    inserted.push({ place, text, order: inserted.length });
  };
  const wrapped = (node: Node, [before, after]: readonly [string, string], from: Node = node): void => {
    insert(startOf(node), before);
    insert(node.end, after);
    regions.push({ from: startOf(from), to: node.end });
  };
  const ofExpression = (): readonly [string, string] => [`(${call()}, `, ')'];
  const ofStatements = (place: number, region: Region): void => {
    insert(place, ` ${call()}; `);
    regions.push(region);
  };
  const afterBranches = (statements: readonly Node[], end: number): void => {
    for (const [index, statement] of statements.entries()) {
      const previous = statements[index - 1];
      if (previous === undefined || !branches.some((is) => is(previous))) continue;
      ofStatements(startOf(statement), { from: startOf(statement), to: end });
    }
  };
  const visit = (node: Node, isInFunction: boolean): void => {
    const body = bodyOf(node);
    const isInside = isInFunction || body !== undefined;
    if (body !== undefined && isBlock(body)) {
      ofStatements(startOf(body) + 1, { from: startOf(node), to: node.end });
    } else if (body !== undefined) wrapped(body, ofExpression(), node);
    if (isInside && isBlock(node)) {
      if (!regions.some(({ to }) => to === node.end))
        ofStatements(startOf(node) + 1, { from: startOf(node), to: node.end });
      afterBranches(node.statements, node.end);
    }
    if (isInside && (isCaseClause(node) || isDefaultClause(node))) {
      const [first] = node.statements;
      if (first !== undefined) ofStatements(startOf(first), { from: startOf(first), to: node.end });
      afterBranches(node.statements, node.end);
    }
    if (isInside && isConditionalExpression(node))
      for (const branch of [node.whenTrue, node.whenFalse]) wrapped(branch, ofExpression());
    if (isInside && isBinaryExpression(node) && shortCircuits.includes(node.operatorToken.kind))
      wrapped(node.right, ofExpression());
    if (isInside && isIfStatement(node))
      for (const branch of [node.thenStatement, node.elseStatement])
        if (branch !== undefined && !isBlock(branch)) wrapped(branch, [`{ ${call()}; `, ' }']);
    node.forEachChild((child) => visit(child, isInside));
  };
  visit(source, false);
  return {
    text: withInsertions(whole, inserted),
    count: regions.length,
    at: (place) => innermost(regions, place),
  };
}

function bodyOf(node: Node): Node | undefined {
  const isFunction =
    isArrowFunction(node) ||
    isFunctionDeclaration(node) ||
    isFunctionExpression(node) ||
    isMethodDeclaration(node) ||
    isConstructorDeclaration(node) ||
    isGetAccessorDeclaration(node) ||
    isSetAccessorDeclaration(node);
  return isFunction ? node.body : undefined;
}

const branches: readonly ((node: Node) => boolean)[] = [
  isIfStatement,
  isForStatement,
  isForOfStatement,
  isWhileStatement,
  isSwitchStatement,
  isTryStatement,
];
const shortCircuits: readonly SyntaxKind[] = [
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
];

/** At the same place, ends come before starts, and outer starts before inner ones. */
function withInsertions(
  whole: string,
  inserted: readonly { readonly place: number; readonly text: string; readonly order: number }[],
): string {
  const isEnd = (text: string): boolean => text === ')' || text === ' }';
  const sorted = inserted.toSorted(
    (one, other) =>
      one.place - other.place ||
      Number(isEnd(other.text)) - Number(isEnd(one.text)) ||
      (isEnd(one.text) ? other.order - one.order : one.order - other.order),
  );
  let text = '';
  let copied = 0;
  for (const insertion of sorted) {
    text += whole.slice(copied, insertion.place) + insertion.text;
    copied = insertion.place;
  }
  return text + whole.slice(copied);
}

function innermost(regions: readonly Region[], place: number): number | undefined {
  const length = ({ from, to }: Region): number => to - from;
  let found: number | undefined;
  for (const [index, region] of regions.entries()) {
    const best = found === undefined ? undefined : regions[found];
    const isInside = region.from <= place && place < region.to;
    if (isInside && (best === undefined || length(region) <= length(best))) found = index;
  }
  return found;
}
