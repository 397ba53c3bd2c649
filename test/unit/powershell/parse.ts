import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';

const require = createRequire(import.meta.url);
await Parser.init();
const parser = new Parser();
parser.setLanguage(
  await Language.load(require.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')),
);

/** The lines that are not Windows PowerShell 5.1, as `line 3: why`; empty if the script parses. */
export function syntaxProblems(script: string): readonly string[] {
  const tree = parser.parse(script);
  return tree === null ? ['not parsed'] : [...new Set(problemsIn(tree.rootNode))];
}

function problemsIn(node: Node): readonly string[] {
  const why = problemOf(node);
  if (why !== undefined) return [`line ${node.startPosition.row + 1}: ${why}`];
  return node.children.flatMap(problemsIn);
}

/** The grammar accepts `&&` and `||` between commands, which only PowerShell 7 has. */
function problemOf({ isError, isMissing, type }: Node): string | undefined {
  if (isError) return 'cannot be parsed';
  if (isMissing) return `${type} is missing`;
  return type === 'pipeline_chain_tail' ? 'joins commands with && or ||' : undefined;
}
