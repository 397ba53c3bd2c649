import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseAddress } from '../../net/address.ts';
import { networkOf, type Prefix, parsePrefix } from '../../net/prefix.ts';
import { checkFile } from '../conflist/check-file.ts';
import { isAboutGateway } from '../conflist/checks.ts';
import type { Diagnostic } from '../conflist/config-file.ts';
import { fillPlaceholders } from '../conflist/placeholders.ts';
import { printFileReport } from '../conflist/print.ts';
import { checkNewFile } from '../terminal/files.ts';
import { newCommand } from '../terminal/new-command.ts';
import { configFileText, type FormatFlags, formatOption } from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { type ConfigRequest, configText, findProblems, generateConfig, generatedTypes } from './generate.ts';
import { planCommand } from './plan.ts';

/** `config`: generates, checks and previews configurations. */
export function configCommand(session: Session): Command {
  return newCommand('config', session, {
    summary: 'generate, check or preview a conflist',
    examples: [
      'win-hcn config generate --type L2Bridge --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12',
      'win-hcn config check C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
    ],
    subcommands: [generateCommand(session), checkCommand(session), planCommand(session)],
  });
}

function checkCommand(session: Session): Command {
  return newCommand('config check', session, {
    summary: 'check a conflist or plugin configuration for errors',
    description:
      'Checks a conflist or a single plugin configuration as container runtimes and win-hcn do, and reports problems with line ' +
      'and column. A configuration of another supported plugin, such as win-bridge, is checked against the keys of that plugin; ' +
      'unsupported keys are notes. Probable mistakes are warnings. Neither changes the exit code. Placeholders such as ' +
      '{{.PodCIDR}} get examples. Runs on any operating system.',
    examples: [
      'win-hcn config check C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn config check 10-win-hcn.conflist -o json',
      'kubectl get configmap cni -o jsonpath="{.data.conflist}" | win-hcn config check -',
    ],
  })
    .argument('<file>', configFileText)
    .addOption(formatOption())
    .action((file: string, { output }: FormatFlags) => {
      const { bytes, notes } = fillTemplate(session.read(file));
      const checked = checkFile(bytes, file, session.system.executable);
      const report = { ...checked, notes: [...notes, ...checked.notes] };
      if (report.problems.length > 0) session.setExitCode(exitCode.problemFound);
      const data = serialized({ file, ...report }, output);
      if (data !== undefined) session.print(data);
      else printFileReport(file, report, sessionFor(session, output));
    });
}

/** What the placeholders of a template are checked with. */
const examplePodCidrs = ['10.244.1.0/24', 'fd00:10:244:1::/64'];

/** Fills the placeholders of a file, such as those of deploy/. Throws CniError for one that is invalid. */
function fillTemplate(bytes: Uint8Array): { bytes: Uint8Array; notes: readonly Diagnostic[] } {
  const text = new TextDecoder().decode(bytes);
  const [before = ''] = text.split('{{', 1);
  if (before === text) return { bytes, notes: [] };
  const lines = before.split('\n');
  const position = { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  const note = `a template for install --node, checked with the PodCIDRs ${examplePodCidrs.join(' and ')}`;
  return {
    bytes: new TextEncoder().encode(fillPlaceholders(text, examplePodCidrs)),
    notes: [{ ...position, path: '', text: note }],
  };
}

interface Flags extends ConfigRequest {
  readonly file?: string;
  readonly force?: true;
}

/** `config generate`: prints a conflist. */
function generateCommand(session: Session): Command {
  const command = newCommand('config generate', session, {
    summary: 'generate a conflist for this node',
    description:
      'Prints a conflist, or writes it to a file. Separate values of lists by commas or spaces. In Windows PowerShell, use ' +
      '--file, not ">", which writes UTF-16: runtimes reject that.',
    examples: [
      'win-hcn config generate --type L2Bridge --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12 --dns 10.96.0.10',
      'win-hcn config generate --type Overlay --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --file C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn config generate --type NAT --subnet 172.28.0.0/20 | win-hcn install --yes --conf -',
    ],
  }).addOption(new Option('--type <type>', 'network type').choices(generatedTypes).makeOptionMandatory());
  const lists = [
    ['--subnet <cidr...>', "subnet of this node's pods; optional for NAT", parseCidr],
    ['--cluster-cidr <cidr...>', 'addresses of all pods, not translated by outbound NAT', parseCidr],
    ['--service-cidr <cidr...>', 'addresses of services, not translated by outbound NAT', parseCidr],
    ['--dns <address...>', 'DNS servers of pods', parseIp],
    ['--gateway <address...>', 'default gateway of pods (default: depends on the network type)', parseIp],
  ] as const;
  for (const [flags, text, parse] of lists)
    command.addOption(new Option(flags, text).argParser(listOf<Prefix | string>(parse)).default([], 'none'));
  return command
    .option('--adapter <adapter>', 'adapter of the network (default: the one with the default route)')
    .addOption(
      new Option('--ipam <plugin>', 'IPAM plugin; none: HNS assigns addresses')
        .choices(['none', 'host-local'])
        .default('none'),
    )
    .option('--name <name>', 'name of the network (default: the network type in lower case)')
    .option('--file <file>', 'write the conflist to this file, whose folder must exist')
    .option('--force', 'replace the file if it exists')
    .action((flags: Flags) => {
      const problems = generate(flags, session);
      if (problems.length === 0) return;
      for (const problem of problems) session.printStderr(`win-hcn: ${problem}`);
      session.printStderr("Run 'win-hcn config generate --help' for usage.");
      session.setExitCode(exitCode.wrongUsage);
    });
}

/** Prints or writes the conflist. Returns why it cannot. */
function generate(flags: Flags, { print, system, terminal }: Session): readonly string[] {
  const { file, force = false } = flags;
  const problems = findProblems(flags);
  if (problems.length > 0) return problems;
  const text = configText(generateConfig(flags));
  const bytes = new TextEncoder().encode(text);
  const report = checkFile(bytes, '-', system.executable);
  // --gateway names a router.
  const warnings = report.warnings.filter((warning) => !isAboutGateway(warning));
  const found = [...report.problems, ...warnings].map((diagnostic) => diagnostic.text);
  const unusable = file === undefined ? undefined : checkNewFile(file, force, terminal);
  if (unusable !== undefined) found.push(unusable);
  if (found.length > 0) return found;
  if (file !== undefined) terminal.writeFile(file, bytes);
  print(file === undefined ? text.trimEnd() : `Written: ${file}`);
  return [];
}

/** Parses the values of an option: separated by commas, as several words, or as repeated options. */
function listOf<T>(parse: (text: string) => T): (text: string, previous: readonly T[]) => readonly T[] {
  return (text, previous) => [...previous, ...text.split(',').filter(Boolean).map(parse)];
}

function parseCidr(text: string): Prefix {
  const prefix = parsePrefix(text.trim());
  if (prefix === undefined) throw new InvalidArgumentError('expected a range such as 10.244.1.0/24');
  return networkOf(prefix);
}

function parseIp(text: string): string {
  const address = parseAddress(text.trim());
  if (address === undefined) throw new InvalidArgumentError('expected an address such as 10.96.0.10');
  return address;
}
