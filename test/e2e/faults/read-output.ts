import { type FaultyNode, isHnsFix } from './faulty-node.ts';

/** The output of each command that a reader ran, by its words. */
export type Output = Readonly<Record<string, string>>;

/**
 * Runs what a reader runs who knows nothing about the node: doctor, and then doctor, validate and show for the commands and files that
 * the output names. If doctor proposes to restart HNS, which hides every object of HCN, the reader does so and starts again.
 */
export async function readOutput(node: FaultyNode): Promise<Output> {
  const output: Record<string, string> = {};
  const run = async (words: readonly string[], note = ''): Promise<string> => {
    const command = `${words.join(' ')}${note}`;
    if (output[command] !== undefined) return output[command];
    const { stdout, stderr } = await node.run(words);
    const text = `${stdout}${stderr}`;
    output[command] = text;
    for (const next of commandsIn(text)) await run(next, note);
    return text;
  };
  const fixes = [...(await run(['doctor'])).matchAll(/fix: (.+)/g)].map(([, fix = '']) => fix);
  const fix = fixes.find(isHnsFix);
  if (fix === undefined) return output;
  node.powershell(fix);
  await run(['doctor'], ` (after ${fix})`);
  return output;
}

/** The words of a command line of PowerShell, of which some are in single quotes. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

/** The commands that an output proposes, and those for the configuration files that it names. */
function commandsIn(text: string): readonly (readonly string[])[] {
  const proposed = [...text.matchAll(/win-hcn ((?:show|config check) [^\n;]+)/g)].map(([, words = '']) =>
    wordsOf(words),
  );
  const files = [...text.matchAll(/[\w-]+\.conflist/g)].map(([name]) => `C:\\etc\\cni\\net.d\\${name}`);
  return [...proposed, ...files.map((file) => ['config', 'check', file])];
}

/** The commands of a kind that have a line with all of some words. */
export function commandsNaming(
  output: Output,
  kind: 'doctor' | 'config' | 'show',
  words: readonly string[],
): readonly string[] {
  return Object.entries(output).flatMap(([command, text]) =>
    command.split(' ')[0] === kind &&
    text.split('\n').some((line) => words.every((word) => line.includes(word)))
      ? [command]
      : [],
  );
}
