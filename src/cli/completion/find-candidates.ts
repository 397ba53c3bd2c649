import { type Argument, type Command, Help, type Option } from 'commander';

/** A word that can come next, with its description. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Words that can come next, or the argument or option that names HCN objects. */
export type Candidates = readonly Candidate[] | { readonly objectsFor: string };

const help = new Help();

/** The candidates for the word after `before`, of which `typed` is typed already; options if that begins with a dash. */
export function findCandidates(program: Command, before: readonly string[], typed: string): Candidates {
  const { command, option, positionals } = parseWords(program, before);
  if (option !== undefined) return choicesOf(option, option.attributeName());
  const options = help
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description }));
  if (typed.startsWith('-')) return options;
  const commands = positionals.length === 0 ? help.visibleCommands(command) : [];
  if (commands.length > 0)
    return commands.map((one) => ({ word: one.name(), about: one.summary() || one.description() }));
  const argument = argumentAt(command, positionals.length);
  return argument === undefined ? options : choicesOf(argument, objectNameOf(argument, positionals));
}

interface ParsedWords {
  readonly command: Command;
  /** The last word, if it is an option that requires a value. */
  readonly option: Option | undefined;
  readonly positionals: readonly string[];
}

function parseWords(program: Command, words: readonly string[]): ParsedWords {
  let command = program;
  let option: Option | undefined;
  let positionals: readonly string[] = [];
  for (const word of words) {
    const named = command.options.find(({ long, short }) => word === long || word === short);
    const isValue = option !== undefined && (option.required || !word.startsWith('-'));
    const subcommand = command.commands.find((one) => one.name() === word);
    if (isValue) option = undefined;
    else if (word.startsWith('-')) option = named?.required || named?.optional ? named : undefined;
    else if (subcommand !== undefined) command = subcommand;
    else if (word !== 'help' || command.commands.length === 0) positionals = [...positionals, word];
  }
  return { command, option: option?.required ? option : undefined, positionals };
}

function argumentAt(command: Command, index: number): Argument | undefined {
  const last = command.registeredArguments.at(-1);
  return command.registeredArguments[index] ?? (last?.variadic ? last : undefined);
}

/** The name of an argument; for `key`, the kind in the argument before it. */
function objectNameOf(argument: Argument, positionals: readonly string[]): string {
  return argument.name() === 'key' ? (positionals.at(-1) ?? '') : argument.name();
}

function choicesOf({ argChoices }: Argument | Option, name: string): Candidates {
  return argChoices === undefined ? { objectsFor: name } : argChoices.map((word) => ({ word, about: word }));
}
