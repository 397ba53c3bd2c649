import type { Command } from 'commander';
import { newProgram } from '../../../src/cli/main.ts';
import { namesOf } from '../../../src/cli/terminal/options.ts';
import { newSession } from '../../../src/cli/terminal/session.ts';
import { terminal } from '../../../src/cli/terminal/terminal.ts';
import { system } from '../../../src/system.ts';

/** All commands, without their actions. */
export function idleProgram(print: (text: string) => void = () => undefined): Command {
  const outside = { ...system, environment: {}, writeStdout: print, writeStderr: () => undefined };
  const program = newProgram(newSession(outside, terminal, () => undefined));
  for (const command of withSubcommands(program))
    if (command.commands.length === 0) command.action(() => undefined);
  return program;
}

export function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

export function pathOf(command: Command): string {
  return command.parent === null ? 'win-hcn' : `${pathOf(command.parent)} ${command.name()}`;
}

/** The arguments of the win-hcn commands in a PowerShell command line. */
export function wordsIn(line: string): readonly (readonly string[])[] {
  const [inner] = /(?<=\()win-hcn [^)]*/.exec(line) ?? [];
  const outer = line.replace(/\(win-hcn [^)]*\)/, 'text');
  return [outer, ...(inner === undefined ? [] : [inner])].flatMap((one) => {
    const words: readonly string[] = one.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    const start = words.indexOf('win-hcn');
    if (start === -1) return [];
    const rest = words.slice(start + 1);
    const end = rest.findIndex((word) => word === '|' || word === '>');
    return [rest.slice(0, end === -1 ? undefined : end).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))];
  });
}

/** Words that can follow the name of the program or a command in a sentence. */
const prose = new Set(
  [
    'also and are as asks assumes at by calls can cannot could creates deletes did do does ends failed finds for from gets gives had has in',
    'created is itself keeps knows leaves lists looks made makes may must needs never not of on or puts read reads runs says sees sets should show',
    'shows stands starts stays supports takes tells that to tries uses wants was when where whether which while will with without',
    'again changes only undoes would writes wrote',
  ].flatMap((line) => line.split(' ')),
);

/** The problem of a command line that prose can follow; undefined if it is valid. */
export function problemOf(text: string): string | undefined {
  const words = text
    .split(/\s+/)
    .flatMap((word) => word.replace(/\.$/, '') || [])
    .slice(1);
  let command = idleProgram();
  const isOpen = (word = '') => word === '' || word === 'TEXT' || word === '--help' || prose.has(word);
  while (command.commands.length > 0) {
    const next = command.commands.find((one) => one.name() === words[0]);
    if (next === undefined && isOpen(words[0])) return undefined;
    if (next === undefined) return `${pathOf(command)} has no command ${words[0]}`;
    command = next;
    words.shift();
  }
  const [argument] = command.registeredArguments;
  const [given = ''] = words;
  // The only argument of show, before its options, is a key.
  const isKey = command.name() === 'show' && (words.length === 1 || words[1]?.startsWith('-') === true);
  const isGiven = !isKey && !isOpen(given) && !/^(-|TEXT)/.test(given);
  const isChoice = namesOf(given).some((name) => argument?.argChoices?.includes(name));
  if (isGiven && argument?.argChoices !== undefined && !isChoice)
    return `${pathOf(command)} does not accept ${given}`;
  for (const [index, word] of words.entries()) {
    if (!/^--?[a-z]/.test(word) || word === '--help') continue;
    const option = command.options.find((one) => [one.short, one.long].includes(word));
    if (option === undefined) return `${pathOf(command)} has no option ${word}`;
    const value = words[index + 1] ?? '';
    if (option.argChoices?.includes(value) === false) return `${word} does not accept ${value}`;
  }
  return undefined;
}
