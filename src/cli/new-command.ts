import { Command } from 'commander';
import type { Session } from './session.ts';

/** What a command's help shows besides its arguments and options. */
export interface Introduction {
  readonly summary: string;
  /** What it does, for its own help; the summary where absent. */
  readonly description?: string;
  /** Command lines that work as they are. */
  readonly examples: readonly string[];
}

/** The widest that help is set. */
const helpWidth = 110;

/**
 * A command, called by its last word: `cni add` belongs to `cni`. It prints through the session, throws CommanderError instead of
 * ending the process, and has help with examples.
 */
export function newCommand(
  words: string,
  session: Session,
  { summary, description = summary, examples }: Introduction,
): Command {
  const { width, colors, style } = session;
  const helpColumns = () => (Number.isFinite(width) ? Math.min(width, helpWidth) : helpWidth);
  return new Command(words.split(' ').at(-1))
    .summary(summary)
    .description(description)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => session.print(text.replace(/\n$/, '')),
      writeErr: (text) => session.printStderr(text.replace(/\n$/, '')),
      getOutHelpWidth: helpColumns,
      getErrHelpWidth: helpColumns,
      getOutHasColors: () => colors,
      getErrHasColors: () => colors,
      outputError: (text, write) => write(text.replace(/^error: /, 'win-hcn: ')),
    })
    .configureHelp({
      styleTitle: (title) => style('bold', title),
      subcommandTerm: (command) => command.name(),
    })
    .showHelpAfterError(`(${words === 'win-hcn' ? words : `win-hcn ${words}`} --help says how)`)
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `\n${style('bold', 'Examples:')}\n${examples.map((line) => `  ${line}`).join('\n')}`,
    );
}
