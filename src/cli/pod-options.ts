import { type Command, InvalidArgumentError } from 'commander';
import { parseAddress } from '../net/address.ts';
import { formatPrefix, parsePrefix } from '../net/prefix.ts';
import { parsePort } from './capabilities.ts';
import { repeated } from './repeated.ts';

/** The container and the interface of an attachment. Without a usual container it has to be told. */
export function withContainer(command: Command, usual?: string): Command {
  const [flags, description] = ['--container <id>', 'the container, CNI_CONTAINERID'];
  if (usual === undefined) command.requiredOption(flags, description);
  else command.option(flags, description, usual);
  return command.option('--ifname <name>', 'the interface, CNI_IFNAME', 'eth0');
}

/** What a runtime may ask for a pod: CNI_ARGS, and the capabilities. */
export function withCapabilities(command: Command): Command {
  return command
    .option('--args <pairs>', 'CNI_ARGS, such as "K8S_POD_NAME=web;K8S_POD_NAMESPACE=shop"')
    .option(
      '--port <mapping>',
      'the capability portMappings, as [HOST_IP:]HOST:CONTAINER[/PROTOCOL]; more than once',
      repeated(parsePort),
    )
    .option('--dns <server>', 'the capability dns: a server; more than once', repeated(String))
    .option('--dns-search <domain>', 'the capability dns: a search domain; more than once', repeated(String))
    .option('--mac <address>', 'the capability mac')
    .option('--ip <address>', 'the capability ips; more than once', repeated(String));
}

/** `--plugin`, for a list with several plugins that are for win-hcn. */
export function withPlugin(command: Command): Command {
  return command.option('--plugin <type>', 'which plugin of the list, where several are for win-hcn');
}

/** `--address`; `source` says in the help whose address it stands for. */
export function withAddress(command: Command, source = ''): Command {
  const description = `an address for the endpoint${source}; more than once`;
  return command.option('--address <address>', description, repeated(parseOwn));
}

function parseOwn(text: string): string {
  const prefix = parsePrefix(text);
  const address = prefix === undefined ? parseAddress(text) : formatPrefix(prefix);
  if (address === undefined)
    throw new InvalidArgumentError('expected an address, such as 10.244.1.7 or 10.244.1.7/24');
  return address;
}
