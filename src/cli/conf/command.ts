import { type Command, InvalidArgumentError, Option } from 'commander';
import { toCniError } from '../../cni/error.ts';
import { type CniVersion, supportedVersions } from '../../cni/version.ts';
import { type NetworkType, networkTypes } from '../../config/network-config.ts';
import { parseAddress } from '../../net/address.ts';
import { type Prefix, parsePrefix } from '../../net/prefix.ts';
import { chooseAdapter } from '../../plan/adapter-selector.ts';
import { newCommand } from '../terminal/new-command.ts';
import { confDirOption } from '../terminal/options.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { validateFile } from '../validate/validate-file.ts';
import type { ConfNode, ConfRequest } from './conf-request.ts';
import { confText } from './conf-text.ts';
import { generateConf } from './generate-conf.ts';
import { typeRows } from './network-types.ts';
import { readConfNode } from './read-conf-node.ts';
import { writeConf } from './write-conf.ts';

interface Flags {
  readonly type: NetworkType;
  readonly subnet?: readonly Prefix[];
  readonly clusterCidr?: readonly Prefix[];
  readonly serviceCidr?: readonly Prefix[];
  readonly dns?: readonly string[];
  readonly dnsSearch?: readonly string[];
  readonly gateway?: readonly string[];
  readonly name?: string;
  readonly adapter?: string;
  readonly vsid?: number;
  readonly ipam: ConfRequest['ipam'];
  readonly cniVersion?: CniVersion;
  readonly file: string;
  readonly confDir?: string;
  readonly write?: boolean;
  readonly yes?: boolean;
}

/** The options that have no effect without `--write`. */
const writeOptions = [
  { key: 'file', name: '--file' },
  { key: 'confDir', name: '--conf-dir' },
  { key: 'yes', name: '--yes' },
] as const;

/** `conf`: generates configurations. */
export function confCommand(session: Session): Command {
  return newCommand('conf', session, {
    summary: 'generate a conflist for this node',
    examples: [
      'win-hcn conf generate --type L2Bridge --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12',
    ],
    subcommands: [generateCommand(session)],
  });
}

function generateCommand(session: Session): Command {
  return newCommand('conf generate', session, {
    summary: 'generate a commented conflist for this node',
    description:
      'Prints a conflist with comments, or writes it to the configuration folder of containerd. The defaults suit this node: the ' +
      'adapter with the default route, a gateway for the network type, and the latest cniVersion that containerd supports. ' +
      'validate accepts the conflist. Lists are separated by commas or spaces, with at most one range of each ' +
      'IP family. In Windows PowerShell, use --write instead of ">": that writes UTF-16, which runtimes reject.',
    examples: [
      'win-hcn conf generate --type L2Bridge --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12 --dns 10.96.0.10',
      'win-hcn conf generate --type Overlay --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12 --write',
      'win-hcn conf generate --type NAT --subnet 172.28.0.0/20 | win-hcn validate -',
      'win-hcn conf generate --type NAT --subnet 172.28.0.0/20 | win-hcn install --yes --conf -',
    ],
  })
    .addOption(
      new Option('--type <type>', `network type: ${networkTypes.join(', ')}`)
        .argParser(parseType)
        .makeOptionMandatory(),
    )
    .option(
      '--subnet <cidr...>',
      "subnet of this node's pods; NAT and ICS networks need none",
      listOf(parseCidr),
    )
    .option(
      '--cluster-cidr <cidr...>',
      'addresses of all pods, not translated by outbound NAT',
      listOf(parseCidr),
    )
    .option(
      '--service-cidr <cidr...>',
      'addresses of services, not translated by outbound NAT',
      listOf(parseCidr),
    )
    .option('--dns <address...>', 'DNS servers of pods', listOf(parseIp))
    .option('--dns-search <domain...>', 'DNS search domains of pods', listOf(String))
    .option(
      '--gateway <address...>',
      'default gateway of pods (default: depends on the network type)',
      listOf(parseIp),
    )
    .option('--adapter <adapter>', 'adapter of the network (default: the one with the default route)')
    .option('--vsid <number>', 'virtual subnet ID of an Overlay network (default: 4096)', parseVsid)
    .addOption(
      new Option('--ipam <plugin>', 'IPAM plugin; none: HNS assigns addresses')
        .choices(['none', 'host-local'])
        .default('none'),
    )
    .option('--name <name>', 'name of the network (default: the network type in lower case)')
    .addOption(
      new Option(
        '--cni-version <version>',
        "CNI version (default: the latest that this node's containerd supports)",
      ).choices(supportedVersions),
    )
    .option('--write', 'write the conflist to the configuration folder, and print its path')
    .option('--file <name>', 'with --write: name of the file', parseFileName, '10-win-hcn.conflist')
    .option(...confDirOption)
    .option('--yes', 'with --write: replace a file with other content')
    .action(async (flags: Flags, command: Command) => {
      const idle = writeOptions.filter((option) => command.getOptionValueSource(option.key) === 'cli');
      if (flags.write !== true && idle.length > 0)
        command.error(
          `win-hcn: ${idle.map(({ name }) => name).join(' and ')} ${idle.length === 1 ? 'requires' : 'require'} --write`,
        );
      await generate(flags, session);
    });
}

async function generate(flags: Flags, session: Session): Promise<void> {
  const request = requestOf(flags);
  const { node, remarks } = await readConfNode(request, session);
  const adapter = defaultAdapter(request, node);
  const generated =
    'problem' in adapter ? { problems: [adapter.problem] } : generateConf(request, node, adapter.alias);
  if ('problems' in generated) return refuse(generated.problems, session);
  const text = confText(generated.conflist);
  const { problems, warnings } = validateFile(
    new TextEncoder().encode(text),
    flags.file,
    session.system.executable,
  );
  const found = [...problems, ...warnings].map((diagnostic) => diagnostic.text);
  if (found.length > 0) return refuse(found, session);
  for (const remark of remarks) session.printStderr(`win-hcn: ${remark}`);
  if (flags.write === true) await writeConf(text, flags, session);
  else session.print(text.trimEnd());
}

function refuse(problems: readonly string[], session: Session): void {
  for (const problem of problems) session.printStderr(`win-hcn: ${problem}`);
  session.printStderr("Run 'win-hcn conf generate --help' for usage.");
  session.setExitCode(exitCode.wrongUsage);
}

function requestOf(flags: Flags): ConfRequest {
  return {
    type: flags.type,
    subnets: flags.subnet ?? [],
    clusterCidrs: flags.clusterCidr ?? [],
    serviceCidrs: flags.serviceCidr ?? [],
    dns: flags.dns ?? [],
    dnsSearch: flags.dnsSearch ?? [],
    gateways: flags.gateway ?? [],
    name: flags.name,
    adapter: flags.adapter,
    vsid: flags.vsid,
    ipam: flags.ipam,
    cniVersion: flags.cniVersion,
  };
}

/** The adapter that ADD would choose for the network, by the plugin's own rule. */
function defaultAdapter(
  { type, adapter }: ConfRequest,
  { adapters }: ConfNode,
): { readonly alias: string | undefined } | { readonly problem: string } {
  if (typeRows[type].hasAdapter !== true || adapters === undefined) return { alias: undefined };
  try {
    return { alias: chooseAdapter(adapter, adapters).alias };
  } catch (error) {
    const { message, details } = toCniError(error);
    const worded = message.replace('invalid network configuration: /adapter', '--adapter');
    return { problem: `${worded} (${details})` };
  }
}

/** Parses the values of an option: separated by commas, as several words, or as repeated options. */
function listOf<T>(parse: (text: string) => T): (text: string, previous?: readonly T[]) => readonly T[] {
  return (text, previous = []) => [...previous, ...text.split(',').filter(Boolean).map(parse)];
}

function parseType(text: string): NetworkType {
  const found = networkTypes.find((type) => type.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new InvalidArgumentError(`expected one of ${networkTypes.join(', ')}`);
  return found;
}

function parseCidr(text: string): Prefix {
  const prefix = parsePrefix(text.trim());
  if (prefix === undefined) throw new InvalidArgumentError('expected a range such as 10.244.1.0/24');
  return prefix;
}

function parseIp(text: string): string {
  const address = parseAddress(text.trim());
  if (address === undefined) throw new InvalidArgumentError('expected an address such as 10.96.0.10');
  return address;
}

function parseVsid(text: string): number {
  const vsid = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(vsid >= 4096 && vsid <= 16777214)) throw new InvalidArgumentError('expected 4096 to 16777214');
  return vsid;
}

/** A name that Windows accepts, and that runtimes read as a conflist. */
function parseFileName(text: string): string {
  if (!/^[\w.-][\w .-]*\.conflist$/.test(text))
    throw new InvalidArgumentError('expected a file name without a folder, such as 10-win-hcn.conflist');
  return text;
}
