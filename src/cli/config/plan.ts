import type { Command } from 'commander';
import { parseNamespaceId } from '../../cni/request.ts';
import { addEndpoint } from '../../commands/add.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import { findOrPlanNetwork } from '../../commands/network.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import type { JsonObject } from '../../json/members.ts';
import type { NetworkPlan } from '../../plan/network-plan.ts';
import type { StepTargets } from '../../steps/changes.ts';
import type { Step } from '../../steps/step.ts';
import { titleOf } from '../../steps/table.ts';
import type { System } from '../../system.ts';
import type { FileReport } from '../conflist/check-file.ts';
import { printDiagnostics, printFileReport, printVerdict } from '../conflist/print.ts';
import { previewCommand } from '../plugin/change.ts';
import { findNeighbors, type Neighbors } from '../plugin/neighbors.ts';
import { assumedAssignment, openPlugin, readPlugin } from '../plugin/plugin-config.ts';
import {
  type CapabilityFlags,
  warnUndeclared,
  withCapabilities,
  withRuntimeConfig,
} from '../plugin/runtime-config.ts';
import { newCommand } from '../terminal/new-command.ts';
import {
  configFileText,
  type FormatFlags,
  formatOption,
  jsonOption,
  pluginOption,
  withAddress,
  withContainer,
} from '../terminal/options.ts';
import { printable, serialized } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';

interface Flags extends Omit<AddFlags, 'namespaceId'>, CapabilityFlags, FormatFlags {
  readonly plugin?: string;
}

/** `config plan`: previews an ADD on this node. */
export function planCommand(session: Session): Command {
  const command = newCommand('config plan', session, {
    summary: 'preview the steps of an ADD on this node',
    description:
      'Checks a configuration, reads the state of this node as ADD does, and prints the steps that ADD would perform ' +
      'and the JSON documents that it would send to HCN. The command does not change anything and does not run the IPAM plugin: use --address to specify the address that the IPAM plugin would assign.',
    examples: [
      'win-hcn config plan C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn config plan 10-win-hcn.conflist --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d --address 10.244.1.7/24',
      'win-hcn config plan 10-win-hcn.conflist --port 8080:80/tcp --dns 10.96.0.10',
    ],
  })
    .argument('<file>', configFileText)
    .option(
      '--netns <guid>',
      'HCN namespace of the pod (CNI_NETNS); if omitted, the plan does not attach the endpoint',
    );
  return withCapabilities(withAddress(withContainer(command, 'pod1')))
    .option(...pluginOption)
    .addOption(formatOption())
    .addOption(jsonOption())
    .action((file: string, flags: Flags) => plan(file, flags, sessionFor(session, flags.output)));
}

async function plan(file: string, flags: Flags, session: Session): Promise<void> {
  let report: FileReport | undefined;
  const plugin = readPlugin(file, flags.plugin, session, (found) => {
    report = found;
    const data = serialized({ file, ...found }, flags.output);
    if (found.problems.length === 0) {
      if (data === undefined) printDiagnostics(file, found, session);
    } else if (data === undefined) printFileReport(file, found, session);
    else session.print(data);
  });
  if (plugin === undefined) return;
  const namespaceId = flags.netns === undefined ? undefined : parseNamespaceId(flags.netns);
  if (flags.netns !== undefined && namespaceId === undefined) {
    session.printStderr(`win-hcn: --netns ${flags.netns} is not the GUID of a namespace`);
    return session.setExitCode(exitCode.wrongUsage);
  }
  const { config, undeclared } = withRuntimeConfig(plugin.config, flags);
  warnUndeclared(undeclared, session);
  const planned = await planPlugin(
    config,
    { ...flags, ...(namespaceId !== undefined && { namespaceId }) },
    session.system,
  );
  const { problems, warnings } = planned;
  if (problems.length > 0) session.setExitCode(exitCode.problemFound);
  const data = serialized({ file, ...report, plan: planned }, flags.output);
  if (data !== undefined) return session.print(data);
  const printFinding = (kind: string, text: string) =>
    session.print(wrapSentences(`this node: ${kind}: ${printable(text)}`, session.width, 2));
  for (const problem of problems) printFinding(session.style('red', 'problem'), problem);
  for (const warning of warnings) printFinding(session.style('yellow', 'warning'), warning);
  const ofFile = report?.warnings.length ?? 0;
  printVerdict(file, { problems: problems.length, warnings: ofFile + warnings.length }, session);
  for (const [index, step] of planned.steps.entries()) {
    session.print(
      `\n${session.style('bold', wrapSentences(`${index + 1}. ${titleOf(step)}`, session.width, 3))}`,
    );
    if ('document' in step) session.print(JSON.stringify(step.document, undefined, 2));
  }
  if (planned.remarks.length > 0)
    session.print(`\n${wrapSentences(planned.remarks.join('\n'), session.width)}`);
}

interface AddFlags {
  readonly container: string;
  readonly ifname: string;
  readonly netns?: string;
  readonly namespaceId?: string;
  readonly address?: readonly string[];
  /** CNI_ARGS. */
  readonly args?: string;
}

interface PlannedAdd extends Neighbors {
  readonly steps: readonly Step[];
  /** What the steps cannot show yet. */
  readonly remarks: readonly string[];
}

/** Previews the ADD of a plugin's configuration on this node. Throws as ADD does. */
async function planPlugin(config: JsonObject, flags: AddFlags, system: System): Promise<PlannedAdd> {
  const { container: containerId, ifname, netns, namespaceId, address = [], args } = flags;
  const opened = openPlugin(config, system, { ...(args !== undefined && { args }) });
  const { config: network, ipam: type, targets } = opened;
  const requested = type === undefined && address.length > 0 ? { ...network, addresses: address } : network;
  const request = {
    containerId,
    ifname,
    ...(netns !== undefined && { netns }),
    ...(namespaceId !== undefined && { namespaceId }),
  };
  const assignment = type === undefined ? undefined : assumedAssignment(address, type, network);
  const command = (context: CommandContext) =>
    addEndpoint(request, requested, context, (endpoint) => endpoint);
  const { steps, failure } = await previewCommand(command, targets, { type, assignment });
  if (failure !== undefined) throw failure;
  const neighbors = await readNeighbors(requested, targets);
  return { steps, ...neighbors, remarks: remarksOn(network, flags, type) };
}

async function readNeighbors(config: NetworkConfig, targets: StepTargets): Promise<Neighbors> {
  let found: NetworkPlan | undefined;
  const { failure } = await previewCommand(async (context) => {
    found = await findOrPlanNetwork(config, context);
  }, targets);
  if (found === undefined) throw failure;
  return findNeighbors(found, targets.hcn);
}

function remarksOn(
  config: NetworkConfig,
  { netns, address = [] }: AddFlags,
  ipam: string | undefined,
): readonly string[] {
  const open = address.length === 0 && config.addresses.length === 0;
  return [
    ...(open && ipam === undefined ? ['HNS assigns the address.'] : []),
    ...(open && ipam !== undefined
      ? [
          `The IPAM plugin ${ipam} assigns the address, which is missing in the endpoint's document. To include an address, use --address.`,
        ]
      : []),
    ...(open && ipam !== undefined && config.loopbackDSR
      ? ['The policy for loopbackDSR is added when the address is known.']
      : []),
    ...(netns === undefined
      ? ["ADD then attaches the endpoint to the pod's namespace. To include this step, use --netns."]
      : []),
  ];
}
