import { Command } from 'commander';
import { printable } from './output.ts';
import type { Session } from './session.ts';

interface Definition {
  readonly summary: string;
  /** Default: the summary. */
  readonly description?: string;
  /** Command lines that work as written; none for win-hcn itself. */
  readonly examples: readonly string[];
  readonly subcommands?: readonly Command[];
}

/** The maximum width of help, in columns. */
const helpWidth = 110;

/**
 * Returns a command with the name of its last word, such as `add` for `cni add`. It prints through the session, throws CommanderError
 * instead of ending the process, and shows examples in its help.
 */
export function newCommand(
  words: string,
  session: Session,
  { summary, description = summary, examples, subcommands = [] }: Definition,
): Command {
  const { width, style } = session;
  const helpColumns = () => (Number.isFinite(width) ? Math.min(width, helpWidth) : helpWidth);
  const command = new Command(words.split(' ').at(-1))
    .summary(summary)
    .description(description)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => session.print(text.replace(/\n$/, '')),
      writeErr: (text) => session.printStderr(text.replace(/\n$/, '')),
      getOutHelpWidth: helpColumns,
      getErrHelpWidth: helpColumns,
      // Without colors, `style` returns its text.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
      outputError: (text, write) => {
        // A suggestion of commander is a line of its own; arguments are quoted as they were given.
        const [problem = '', suggestion = ''] = text.slice(0, -1).split(/(?=\n\(Did you mean .*\?\)$)/);
        write(`${printable(problem).replace(/^error: /, 'win-hcn: ')}${suggestion}\n${hintFor(text)}`);
      },
    })
    .configureHelp(helpStyle(session))
    .showHelpAfterError(`Run '${words === 'win-hcn' ? words : `win-hcn ${words}`} --help' for usage.`)
    .helpOption('-h, --help', 'show this help');
  if (examples.length > 0)
    command.addHelpText(
      'after',
      `\n${style('bold', 'Examples:')}\n${examples.map((line) => `  ${line}`).join('\n')}`,
    );
  if (subcommands.length > 0) withHelpCommand(command);
  for (const subcommand of subcommands) command.addCommand(subcommand);
  return command;
}

/** What to type instead of options and commands that users know from other tools. */
const hints: readonly (readonly [mistake: RegExp, hint: string])[] = [
  [/unknown option '--json'/, 'For JSON, use -o json.'],
  [
    /unknown command '(?:ls|list|get|show|describe|pods?|services?|leftovers?)'/,
    'For lists, run win-hcn ls; for details of an object, win-hcn show.',
  ],
];

function hintFor(text: string): string {
  const [, hint] = hints.find(([mistake]) => mistake.test(text)) ?? [];
  return hint === undefined ? '' : `${hint}\n`;
}

/** Bold titles, and the names of commands without their arguments. */
export function helpStyle({ style }: Pick<Session, 'style'>) {
  return {
    styleTitle: (title: string) => style('bold', title),
    subcommandTerm: (command: Command) => command.name(),
  };
}

/** Adds the `help` command of a command with subcommands. */
export function withHelpCommand(command: Command): Command {
  return command.helpCommand('help [command]', 'show help for a command');
}
