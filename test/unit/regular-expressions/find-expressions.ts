import { globSync, readFileSync } from 'node:fs';
import {
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isRegularExpressionLiteral,
  type Node,
} from 'typescript/unstable/ast';
import { isObject } from '../../../src/json/members.ts';
import { openCompiler } from '../../mutants/compiler.ts';

export interface Expression {
  /** With the line, such as `src/cni/text.ts:33`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

export interface Found {
  readonly files: number;
  readonly literals: readonly Expression[];
  /** Expressions that the program builds: `src/cni/text.ts: new RegExp(pattern)`. */
  readonly built: readonly string[];
}

/** Every regular expression in `src`, from the syntax trees. */
export function findExpressions(): Found {
  const compiler = openCompiler('.');
  const literals: Expression[] = [];
  const built: string[] = [];
  const files = globSync('src/**/*.ts').map((file) => file.replaceAll('\\', '/'));
  try {
    for (const file of files) {
      const tree = compiler.parse(file);
      const textOf = (node: Node) => tree.text.slice(node.getStart(tree), node.end);
      const visit = (node: Node): void => {
        if (isRegularExpressionLiteral(node)) {
          const line = tree.text.slice(0, node.getStart(tree)).split('\n').length;
          literals.push({ place: `${file}:${line}`, ...parts(textOf(node)) });
        }
        const makes = isNewExpression(node) || isCallExpression(node);
        if (makes && isIdentifier(node.expression) && node.expression.text === 'RegExp')
          built.push(`${file}: ${textOf(node)}`);
        node.forEachChild(visit);
      };
      visit(tree);
    }
  } finally {
    compiler.close();
  }
  return { files: files.length, literals, built };
}

function parts(literal: string): Pick<Expression, 'source' | 'flags'> {
  const end = literal.lastIndexOf('/');
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

/** The expressions in the schemas, which `src/config/schema-validator.ts` applies to configurations. */
export function schemaExpressions(): readonly Expression[] {
  return globSync('schemas/*.json').flatMap((file) => {
    const sources = new Set<string>();
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) for (const item of value) visit(item);
      if (!isObject(value)) return;
      if (typeof value['pattern'] === 'string') sources.add(value['pattern']);
      if (isObject(value['patternProperties']))
        for (const source of Object.keys(value['patternProperties'])) sources.add(source);
      for (const member of Object.values(value)) visit(member);
    };
    visit(JSON.parse(readFileSync(file, 'utf8')));
    return [...sources].map((source) => ({ place: file, source, flags: '' }));
  });
}
