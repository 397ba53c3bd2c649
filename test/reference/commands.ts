// docs/commands.md, from the definitions of the commands.

import type { Argument, Command, Option } from 'commander';
import { newProgram } from '../../src/cli/main.ts';
import { newSession } from '../../src/cli/terminal/session.ts';
import { terminal } from '../../src/cli/terminal/terminal.ts';
import { system } from '../../src/system.ts';
import { table } from '../markdown-table.ts';

/** win-hcn, for its definitions only. */
function idleProgram(): Command {
  return newProgram(
    newSession({ ...system, environment: {} }, { ...terminal, width: undefined }, () => undefined),
  );
}

export function commandsPage(): string {
  const program = idleProgram();
  const commands = visible(program);
  const all = commands.flatMap(withSubcommands);
  const shared = sharedLines(all);
  return `${[
    '# Command reference',
    '',
    'Generated from the help of the commands by `npm run pages`. `win-hcn COMMAND --help` has examples too.',
    '',
    ...groups(commands).flatMap(([title, members]) => [
      `${title.replace(/:$/, '')}:`,
      '',
      ...table(
        ['command', 'what it does'],
        members
          .flatMap((command) => [command, ...visible(command)])
          .filter((command) => command.parent !== program || visible(command).length === 0)
          .map((command) => [`[${wordsOf(command)}](#${anchor(command)})`, command.summary()]),
      ),
      '',
    ]),
    '## Common options',
    '',
    ...linesOf(program),
    '',
    'Arguments and options of several commands, which list them without a description:',
    '',
    ...shared,
    '',
    ...ofAllCommands,
    '',
    ...all.flatMap((command) => section(command, shared)),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

/** The commands in their groups, in the order of the help. */
function groups(commands: readonly Command[]): readonly (readonly [string, readonly Command[]])[] {
  return [...Map.groupBy(commands, (command) => command.helpGroup())];
}

function visible(command: Command): readonly Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
}

/** A command and all commands below it. */
function withSubcommands(command: Command): readonly Command[] {
  return [command, ...visible(command).flatMap(withSubcommands)];
}

/** The parameters that several commands have, each as a line. */
function sharedLines(all: readonly Command[]): ReadonlySet<string> {
  const byLine = Map.groupBy(all.flatMap(linesOf), (line) => line);
  return new Set([...byLine].flatMap(([line, same]) => (same.length > 1 ? [line] : [])));
}

/** A section for a command. Its common parameters are in one line, by name. */
function section(command: Command, shared: ReadonlySet<string>): readonly string[] {
  const lines = linesOf(command);
  const own = lines.filter((line) => !shared.has(line));
  const common = lines.filter((line) => shared.has(line)).map((line) => line.replace(nameOfLine, '$1$2'));
  return [
    `${'#'.repeat(depthOf(command) + 1)} ${pathOf(command)}`,
    '',
    ...paragraphs(command.description()),
    '',
    ...own,
    ...(common.length === 0 ? [] : [`- ${common.join(', ')}`]),
    ...(lines.length === 0 ? [] : ['']),
    ...(command.aliases().length === 0 ? [] : [`Short name: \`${command.alias()}\`.`, '']),
  ];
}

/** The first flag of an option, or an argument, at the start of its line. */
const nameOfLine = /^- (`[^`, ]+)[^`]*(`).*$/;

/** A line for each argument and option of a command. Options of all commands are in a list of their own. */
function linesOf(command: Command): readonly string[] {
  const isOwn = ({ long }: Option) => command.parent === null || long !== '--help';
  const isGroup = command.parent !== null && command.commands.length > 0;
  const options = isGroup ? [] : command.createHelp().visibleOptions(command).filter(isOwn);
  return [
    ...command.registeredArguments.map((argument) => lineOf(usageOf(command, argument), argument)),
    ...options.map((option) => lineOf(option.flags, option)),
  ];
}

/** An argument as the usage of its command shows it. */
function usageOf(command: Command, argument: Argument): string {
  const name = argument.name();
  return command.usage().includes(`<${name}`) ? `<${name}>` : `[${name}]`;
}

function lineOf(name: string, parameter: Argument | Option): string {
  const given = defaultOf(parameter);
  return `- \`${name}\`: ${described(parameter)}${given === '' ? '' : `. Default: ${given}`}`;
}

function described({ description, argChoices }: Argument | Option): string {
  const choices = argChoices?.map((choice) => `\`${choice}\``).join(', ');
  return [withoutDefault(description), choices && `one of ${choices}`].filter(Boolean).join(': ');
}

/** Many descriptions state the default in words. */
const statedDefault = / \(default: ([^()]+)\)(?=$|, )|; default: ([^()]+)(?=\))/;

function withoutDefault(description: string): string {
  return description.replace(statedDefault, '');
}

function defaultOf({ description, defaultValue, defaultValueDescription }: Argument | Option): string {
  const [, first, second] = statedDefault.exec(description) ?? [];
  const inWords = defaultValueDescription ?? first ?? second;
  if (inWords !== undefined) return inWords === 'none' ? '' : inWords;
  const isAbsent = defaultValue === undefined || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isAbsent ? '' : `\`${defaultValue}\``;
}

/** The lines of a description: one for each paragraph or item of a list. */
function paragraphs(description: string): readonly string[] {
  return description.replaceAll(/:\n- /g, ':\n\n- ').replaceAll('<', '\\<').split('\n');
}

/** What holds for all commands and is not in their help. */
const ofAllCommands = [
  'Exit codes: 0 success; 1 problem found, or `--yes` required; 2 invalid usage; 3 the Host Network Service (HNS) does not respond.',
  '',
  '`-o json` prints one object. Its `version` is increased if a member changes or disappears. A `document` has the keys of HCN or CNI;',
  'all other keys are in camel case.',
  '',
  'Ctrl+C exits at once with 130 (Windows: 0xC000013A). The changes so far are not rolled back. During a rollback, press Ctrl+C twice.',
  '',
  'Output is colored only in a terminal, and only if `NO_COLOR` is not set.',
  '',
  'If `CNI_COMMAND` is set win-hcn runs as a CNI plugin and ignores its arguments.',
];

function wordsOf(command: Command): string {
  return pathOf(command).replace(/^win-hcn /, '');
}

function pathOf(command: Command): string {
  return command.parent === null ? 'win-hcn' : `${pathOf(command.parent)} ${command.name()}`;
}

function depthOf(command: Command): number {
  return command.parent === null ? 0 : depthOf(command.parent) + 1;
}

/** GitHub's anchor of a command's heading. */
function anchor(command: Command): string {
  return pathOf(command).replaceAll(' ', '-');
}
