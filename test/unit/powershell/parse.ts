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
  const root = parse(script);
  return root === undefined ? ['not parsed'] : [...new Set(problemsIn(root))];
}

/** The text of each command of a script, with its arguments. */
export function commandTexts(script: string): readonly string[] {
  return nodesIn(script, 'command').map(({ text }) => text);
}

function nodesIn(script: string, type: string): readonly Node[] {
  return parse(script)?.descendantsOfType(type) ?? [];
}

function parse(script: string): Node | undefined {
  return parser.parse(script)?.rootNode;
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
