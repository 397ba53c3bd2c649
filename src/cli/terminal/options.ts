import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseAddress } from '../../net/address.ts';
import { formatPrefix, parsePrefix } from '../../net/prefix.ts';
import type { Format } from './output.ts';

/** Parses an option that can be repeated into the list of its values, in order. */
export function repeatable<T>(
  parse: (text: string) => T,
): (text: string, previous?: readonly T[]) => readonly T[] {
  return (text, previous = []) => [...previous, parse(text)];
}

/** Adds the options that identify an attachment. `--container` is required unless it has a default. */
export function withContainer(command: Command, defaultContainer?: string): Command {
  const [flags, description] = ['--container <id>', 'container ID (CNI_CONTAINERID)'];
  if (defaultContainer === undefined) command.requiredOption(flags, description);
  else command.option(flags, description, defaultContainer);
  return command.option('--ifname <name>', 'interface name (CNI_IFNAME)', 'eth0');
}

/** Describes an argument or option that is a configuration file. */
export const configFileText = 'conflist or plugin configuration file, or - for stdin';

/** Describes an argument that is a pod. */
export const podText =
  'name of the pod as NAMESPACE/NAME or NAME, or ID or ID prefix of its sandbox container';

/** Describes where pod names come from. */
export const podNamesText =
  "win-hcn reads pod names from containerd's records (C:\\var\\lib\\cni\\results). If a name is unknown, it shows the ID of the " +
  'sandbox container, as crictl pods lists it.';

/** `--cni-path`, of commands that run IPAM plugins. */
export const cniPathOption = [
  '--cni-path <folders>',
  'folders of the IPAM plugins, separated by ";" (CNI_PATH; default: the folder of win-hcn.exe)',
] as const;

/** `--args`, of commands that run or preview an ADD. */
export const argsOption = [
  '--args <pairs>',
  'CNI_ARGS, such as "K8S_POD_NAME=web;K8S_POD_NAMESPACE=shop"',
] as const;

/** Adds `--address`. */
export function withAddress(command: Command): Command {
  const description = 'endpoint address to use instead of running the IPAM plugin; can be repeated';
  return command.option('--address <address>', description, repeatable(parseAddressOrPrefix));
}

function parseAddressOrPrefix(text: string): string {
  const prefix = parsePrefix(text);
  const address = prefix === undefined ? parseAddress(text) : formatPrefix(prefix);
  if (address === undefined)
    throw new InvalidArgumentError('expected an address, such as 10.244.1.7 or 10.244.1.7/24');
  return address;
}

/** Returns a parser of whole seconds, from 1 to 3600. */
export function secondsParser(expected = 'seconds from 1 to 3600'): (text: string) => number {
  return (text) => {
    const seconds = Number(text);
    if (/^\d+$/.test(text) && seconds >= 1 && seconds <= 3600) return seconds;
    throw new InvalidArgumentError(`expected ${expected}`);
  };
}

/** `--yes`, without which a command is a dry run. */
export const yesOption = [
  '--yes',
  'apply the changes (without --yes, they are only shown and the exit code is 1)',
] as const;

/** The flag of `--yes`. */
export interface YesFlag {
  readonly yes?: boolean;
}

const formats: readonly Format[] = ['table', 'wide', 'json'];

/** The flag of `-o`. */
export interface FormatFlags {
  readonly output?: Format;
}

/** `-o`, of every command that prints data. */
export function formatOption(): Option {
  return new Option('-o, --output <format>', 'output format').choices(formats).default('table');
}

/** `--bin-dir` of an installation. */
export const binDirOption = [
  '--bin-dir <folder>',
  "folder of the CNI plugins (default: containerd's)",
] as const;
/** `--conf-dir` of an installation. */
export const confDirOption = [
  '--conf-dir <folder>',
  "folder of the CNI configurations (default: containerd's)",
] as const;

/** The names of each kind of objects on the command line, as kubectl has them: singular, plural, and short if there is one. */
const namesOfKinds = [
  ['pod', 'pods', 'po', 'container', 'containers'],
  ['ip', 'ips'],
  ['endpoint', 'endpoints', 'ep'],
  ['namespace', 'namespaces', 'ns'],
  ['network', 'networks', 'net'],
  ['service', 'services', 'svc', 'loadbalancer', 'loadbalancers', 'lb'],
  ['leftover', 'leftovers'],
  ['port', 'ports'],
] as const;

/** Returns all names of the kind that has this name; only the name itself if it is of no kind. */
export function namesOf(name: string): readonly string[] {
  return namesOfKinds.find((names) => names.some((one) => one === name)) ?? [name];
}

/** Returns the one of `kinds` that has a name, in any of its forms. Ignores case. */
export function kindNamed<Kind extends string>(name: string, kinds: readonly Kind[]): Kind | undefined {
  const names = namesOf(name.toLowerCase());
  return kinds.find((kind) => names.includes(kind));
}

/** Returns the other names of the command of a kind, the short one first. */
export function aliasesOf(kind: string): string[] {
  return namesOf(kind)
    .filter((name) => name !== kind)
    .toReversed();
}

/** Describes the names that an argument accepts besides its choices. */
export const otherNamesText = 'singular, plural or short (po, net, ep, ns, svc)';
