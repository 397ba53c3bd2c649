import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseAddress } from '../net/address.ts';
import { formatPrefix, parsePrefix } from '../net/prefix.ts';
import type { DataFormat, Format } from './output.ts';
import { parsePort } from './runtime-config.ts';

/** Parses an option that can be repeated into the list of its values, in order. */
export function repeatable<T>(
  parse: (text: string) => T,
): (text: string, previous?: readonly T[]) => readonly T[] {
  return (text, previous = []) => [...previous, parse(text)];
}

/** Adds the options that identify an attachment. `--container` is required unless it has a default. */
export function withContainer(command: Command, defaultContainer?: string): Command {
  const [flags, description] = ['--container <id>', 'the container, CNI_CONTAINERID'];
  if (defaultContainer === undefined) command.requiredOption(flags, description);
  else command.option(flags, description, defaultContainer);
  return command.option('--ifname <name>', 'the interface, CNI_IFNAME', 'eth0');
}

/** Adds what a runtime can request for a pod: CNI_ARGS and the capabilities. */
export function withCapabilities(command: Command): Command {
  return command
    .option('--args <pairs>', 'CNI_ARGS, such as "K8S_POD_NAME=web;K8S_POD_NAMESPACE=shop"')
    .option(
      '--port <mapping>',
      'the capability portMappings, as [HOST_IP:]HOST:CONTAINER[/PROTOCOL]; more than once',
      repeatable(parsePort),
    )
    .option('--dns <server>', 'the capability dns: a server; more than once', repeatable(String))
    .option(
      '--dns-search <domain>',
      'the capability dns: a search domain; more than once',
      repeatable(String),
    )
    .option('--mac <address>', 'the capability mac')
    .option('--ip <address>', 'the capability ips; more than once', repeatable(String));
}

/** Adds `--plugin`, for a list with several plugins that win-hcn runs. */
export function withPlugin(command: Command): Command {
  return command.option('--plugin <type>', 'which plugin of the list, where several are for win-hcn');
}

/** Adds `--address`; `source` is the end of its description. */
export function withAddress(command: Command, source = ''): Command {
  const description = `an address for the endpoint${source}; more than once`;
  return command.option('--address <address>', description, repeatable(parseAddressOrPrefix));
}

function parseAddressOrPrefix(text: string): string {
  const prefix = parsePrefix(text);
  const address = prefix === undefined ? parseAddress(text) : formatPrefix(prefix);
  if (address === undefined)
    throw new InvalidArgumentError('expected an address, such as 10.244.1.7 or 10.244.1.7/24');
  return address;
}

/** `--yes`, which a command needs to delete or detach something. */
export const yesOption = [
  '--yes',
  'do it; without it the steps are shown, nothing changes, and the exit code is 1',
] as const;

const dataFormats: readonly DataFormat[] = ['json', 'yaml'];
const formats: readonly Format[] = ['wide', ...dataFormats];

/** `-o` of a command that prints a table. */
export function formatOption(): Option {
  return new Option('-o, --output <format>', 'print more columns, JSON or YAML').choices(formats);
}

/** `-o` of a command without further columns. */
export function dataFormatOption(): Option {
  return new Option('-o, --output <format>', 'print JSON or YAML').choices(dataFormats);
}
