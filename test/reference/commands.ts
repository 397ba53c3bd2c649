// docs/commands.md, from the definitions of the commands.

import type { Argument, Command, Option } from 'commander';
import { newProgram } from '../../src/cli/main.ts';
import { newSession } from '../../src/cli/terminal/session.ts';
import { terminal } from '../../src/cli/terminal/terminal.ts';
import { system } from '../../src/system.ts';
import { table } from '../markdown-table.ts';

/** win-hcn, for its definitions only. `print` receives help. */
function idleProgram(print: (text: string) => void = () => undefined): Command {
  const outside = { ...system, environment: {}, writeStdout: print };
  return newProgram(newSession(outside, { ...terminal, width: undefined }, () => undefined));
}

export function commandsPage(): string {
  const program = idleProgram();
  const commands = visible(program);
  return `${[
    '# Command reference',
    '',
    'This file is generated from the help of the commands by `npm run pages`. Do not edit it. A test checks that it is up to date, and that',
    'the examples are valid.',
    '',
    ...groups(commands).flatMap(([title, members]) => [
      `${title.replace(/:$/, '')}:`,
      '',
      ...table(
        ['command', 'what it does'],
        members.map((command) => [`[${command.name()}](#${anchor(command)})`, command.summary()]),
      ),
      '',
    ]),
    '## Options of all commands',
    '',
    ...optionTable(program),
    '',
    ...ofAllCommands,
    '',
    ...commands.flatMap((command) => section(command)),
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

/** A section for a command and its subcommands. */
function section(command: Command): readonly string[] {
  const subcommands = visible(command);
  const { registeredArguments } = command;
  return [
    `${'#'.repeat(depthOf(command) + 1)} ${pathOf(command)}`,
    '',
    ...paragraphs(command.description()),
    '',
    '```text',
    `${pathOf(command)} ${command.usage()}`.trimEnd(),
    '```',
    '',
    ...(subcommands.length === 0
      ? []
      : [
          ...table(
            ['command', 'what it does'],
            subcommands.map((one) => [`[${one.name()}](#${anchor(one)})`, one.summary()]),
          ),
          '',
        ]),
    ...(registeredArguments.length === 0
      ? []
      : [
          ...table(
            ['argument', 'description', 'default'],
            registeredArguments.map((argument) => [
              `\`${argument.name()}\``,
              described(argument),
              defaultOf(argument),
            ]),
          ),
          '',
        ]),
    ...(subcommands.length === 0 ? [...optionTable(command), ''] : []),
    ...(command.aliases().length === 0 ? [] : [`Short name: \`${command.alias()}\`.`, '']),
    'Examples:',
    '',
    '```powershell',
    ...examplesOf(command),
    '```',
    '',
    ...subcommands.flatMap((one) => section(one)),
  ];
}

/** The options of a command. Those of all commands are in a table of their own. */
function optionTable(command: Command): readonly string[] {
  const isOwn = ({ long }: Option) => command.parent === null || long !== '--help';
  const options = command.createHelp().visibleOptions(command).filter(isOwn);
  if (options.length === 0) return ['No options.'];
  return table(
    ['option', 'description', 'default'],
    options.map((option) => [`\`${option.flags}\``, described(option), defaultOf(option)]),
  );
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
  if (inWords !== undefined) return inWords;
  const isAbsent = defaultValue === undefined || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isAbsent ? '' : `\`${defaultValue}\``;
}

/** The lines of a description: one for each paragraph or item of a list. */
function paragraphs(description: string): readonly string[] {
  return description.replaceAll(/:\n- /g, ':\n\n- ').replaceAll('<', '\\<').split('\n');
}

/** The examples at the end of a command's help. */
function examplesOf(command: Command): readonly string[] {
  const [, lines = ''] = /\nExamples:\n((?: {2}.+\n)+)/.exec(helpOf(command)) ?? [];
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(2));
}

/** What holds for all commands and is not in their help. */
const ofAllCommands = [
  'Exit codes: 0 success; 1 problem found, or `--yes` required; 2 invalid usage; 3 the Host Network Service (HNS) does not respond.',
  '',
  '`-o json` prints one object. Its first member, `version`, is increased if a member changes or disappears. A member called `document`',
  'is a document of HCN or CNI with the keys of that; all others are in camel case.',
  '',
  'Ctrl+C exits at once with 130 (Windows: 0xC000013A). The changes so far are not rolled back. During a rollback, press Ctrl+C twice.',
  '',
  'Output is colored only in a terminal, and only if `NO_COLOR` is not set.',
  '',
  'If `CNI_COMMAND` is set (container runtimes set it), win-hcn runs as a CNI plugin and ignores its arguments.',
];

function helpOf(command: Command): string {
  let help = '';
  const program = idleProgram((text) => {
    help += text;
  });
  const words = pathOf(command).split(' ').slice(1);
  words
    .reduce<Command | undefined>((outer, word) => outer?.commands.find((one) => one.name() === word), program)
    ?.outputHelp();
  return help;
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
