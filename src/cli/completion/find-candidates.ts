import { type Argument, type Command, Help, type Option } from 'commander';

/** A word that may come next, and what it is. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What may come next: words that are known, or what the names are of that HCN knows. */
export type Candidates = readonly Candidate[] | { readonly namesOf: string };

const help = new Help();

/** What may come after some words of a command line, in the place of a word that has been begun; options where that is an option. */
export function findCandidates(program: Command, before: readonly string[], begun: string): Candidates {
  const { command, option, positionals } = follow(program, before);
  if (option !== undefined) return choicesOf(option, option.attributeName());
  const options = help
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description }));
  if (begun.startsWith('-')) return options;
  const commands = positionals.length === 0 ? help.visibleCommands(command) : [];
  if (commands.length > 0)
    return commands.map((one) => ({ word: one.name(), about: one.summary() || one.description() }));
  const argument = argumentAt(command, positionals.length);
  return argument === undefined ? options : choicesOf(argument, nameOf(argument, positionals));
}

interface Followed {
  readonly command: Command;
  /** One that still needs its value. */
  readonly option: Option | undefined;
  readonly positionals: readonly string[];
}

function follow(program: Command, before: readonly string[]): Followed {
  let command = program;
  let option: Option | undefined;
  let positionals: readonly string[] = [];
  for (const word of before) {
    const given = command.options.find(({ long, short }) => word === long || word === short);
    const isValue = option !== undefined && (option.required || !word.startsWith('-'));
    const subcommand = command.commands.find((one) => one.name() === word);
    if (isValue) option = undefined;
    else if (word.startsWith('-')) option = given?.required || given?.optional ? given : undefined;
    else if (subcommand !== undefined) command = subcommand;
    else if (word !== 'help' || command.commands.length === 0) positionals = [...positionals, word];
  }
  return { command, option: option?.required ? option : undefined, positionals };
}

function argumentAt(command: Command, index: number): Argument | undefined {
  const last = command.registeredArguments.at(-1);
  return command.registeredArguments[index] ?? (last?.variadic ? last : undefined);
}

/** What an argument is called; a key is of the kind that comes before it. */
function nameOf(argument: Argument, positionals: readonly string[]): string {
  return argument.name() === 'key' ? (positionals.at(-1) ?? '') : argument.name();
}

function choicesOf({ argChoices }: Argument | Option, name: string): Candidates {
  return argChoices === undefined ? { namesOf: name } : argChoices.map((word) => ({ word, about: word }));
}
