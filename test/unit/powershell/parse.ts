import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';

const require = createRequire(import.meta.url);
await Parser.init();
const parser = new Parser();
parser.setLanguage(
  await Language.load(require.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')),
);

/** A command with the parameters that it has or is given, without `-`. */
export interface Call {
  readonly command: string;
  readonly parameters: readonly string[];
}

/** The lines that are not Windows PowerShell 5.1, as `line 3: why`; empty if the script parses. */
export function syntaxProblems(script: string): readonly string[] {
  const root = parse(script);
  return root === undefined ? ['not parsed'] : [...new Set(problemsIn(root))];
}

/** The functions that a script defines. */
export function functionsIn(script: string): readonly Call[] {
  return nodesIn(script, 'function_statement').map((node) => ({
    command: textsIn(node, 'function_name')[0] ?? '',
    parameters: parametersOf(node),
  }));
}

/** The commands that a script calls by name. Those in a variable, after `&`, are left out. */
export function callsIn(script: string): readonly Call[] {
  return nodesIn(script, 'command').flatMap((node) => {
    const name = node.namedChildren.find((child) => child?.type === 'command_name');
    // The grammar takes ranges for commands: foreach ($try in 1..10).
    if (name === undefined || /^\d/.test(name.text)) return [];
    const elements = node.namedChildren.find((child) => child?.type === 'command_elements');
    const own = elements?.namedChildren.filter((child) => child.type === 'command_parameter') ?? [];
    return [{ command: name.text, parameters: own.map(({ text }) => text.slice(1)) }];
  });
}

/** The text of each command of a script, with its arguments. */
export function commandTexts(script: string): readonly string[] {
  return nodesIn(script, 'command').map(({ text }) => text);
}

/** The parameters of the script itself. */
export function scriptParameters(script: string): readonly string[] {
  const root = parse(script);
  const block = root?.namedChildren.find((child) => child.type === 'param_block');
  return block === undefined ? [] : parametersOf(block);
}

function parametersOf(node: Node): readonly string[] {
  return node
    .descendantsOfType('script_parameter')
    .flatMap((parameter) => parameter.namedChildren.filter(({ type }) => type === 'variable'))
    .map(({ text }) => text.slice(1));
}

function nodesIn(script: string, type: string): readonly Node[] {
  return parse(script)?.descendantsOfType(type) ?? [];
}

function textsIn(node: Node, type: string): readonly string[] {
  return node.descendantsOfType(type).map(({ text }) => text);
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
