import type { Command } from 'commander';
import { parseNamespaceId } from '../../cni/request.ts';
import { addEndpoint } from '../../commands/add.ts';
import { findOrPlanNetwork } from '../../commands/network.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Step } from '../../steps/step.ts';
import { titleOf } from '../../steps/table.ts';
import type { System } from '../../system.ts';
import type { FileReport } from '../conflist/check-file.ts';
import { printDiagnostics, printFileReport, printVerdict } from '../conflist/print.ts';
import { camelCased } from '../inventory/policy-text.ts';
import { previewCommand } from '../plugin/change.ts';
import { findNeighbors } from '../plugin/neighbors.ts';
import { openPlugin, readPlugin } from '../plugin/plugin-config.ts';
import { newCommand } from '../terminal/new-command.ts';
import {
  argsOption,
  configFileText,
  type FormatFlags,
  formatOption,
  withAddress,
  withContainer,
} from '../terminal/options.ts';
import { printable, serialized } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor, wrongUsage } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';

interface Flags extends FormatFlags {
  readonly container: string;
  readonly ifname: string;
  readonly netns?: string;
  readonly address?: readonly string[];
  /** CNI_ARGS. */
  readonly args?: string;
}

/** `config plan`: previews an ADD on this node. */
export function planCommand(session: Session): Command {
  const command = newCommand('config plan', session, {
    summary: 'preview the steps of an ADD on this node',
    description:
      'Reads the state of this node as ADD does, and prints the steps that ADD would perform and the documents that it would ' +
      'send to HCN. Changes nothing, and does not run the IPAM plugin: its addresses are those of --address. runtimeConfig in ' +
      'the file has the values of capabilities.',
    examples: [
      'win-hcn config plan C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn config plan 10-win-hcn.conflist --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d --address 10.244.1.7/24',
    ],
  })
    .argument('<file>', configFileText)
    .option(
      '--netns <guid>',
      'HCN namespace of the pod (CNI_NETNS); if omitted, the plan does not attach the endpoint',
    );
  return withAddress(withContainer(command, 'pod1'))
    .option(...argsOption)
    .addOption(formatOption())
    .action((file: string, flags: Flags) => plan(file, flags, sessionFor(session, flags.output)));
}

async function plan(file: string, flags: Flags, session: Session): Promise<void> {
  let report: FileReport | undefined;
  const plugin = readPlugin(file, session, (found) => {
    report = found;
    const isValid = found.problems.length === 0;
    const data = serialized({ file, ...found }, flags.output);
    if (data === undefined) (isValid ? printDiagnostics : printFileReport)(file, found, session);
    else if (!isValid) session.print(data);
  });
  if (plugin === undefined) return;
  if (flags.netns !== undefined && parseNamespaceId(flags.netns) === undefined)
    throw wrongUsage(`--netns ${flags.netns} is not the GUID of a namespace`);
  const planned = await planAdd(plugin.config, flags, session.system);
  if (planned.problems.length > 0) session.setExitCode(exitCode.problemFound);
  const data = serialized(
    { file, ...report, plan: { ...planned, steps: planned.steps.map(stepMembers) } },
    flags.output,
  );
  if (data === undefined) printPlan(file, report?.warnings.length ?? 0, planned, session);
  else session.print(data);
}

function printPlan(
  file: string,
  ofFile: number,
  planned: Awaited<ReturnType<typeof planAdd>>,
  session: Session,
): void {
  const { problems, warnings, steps } = planned;
  const { print, style, width } = session;
  const printFinding = (kind: string, text: string) =>
    print(wrapSentences(`this node: ${kind}: ${printable(text)}`, width, 2));
  for (const problem of problems) printFinding(style('red', 'problem'), problem);
  for (const warning of warnings) printFinding(style('yellow', 'warning'), warning);
  printVerdict(file, { problems: problems.length, warnings: ofFile + warnings.length }, session);
  for (const [index, step] of steps.entries()) {
    print(`\n${style('bold', wrapSentences(`${index + 1}. ${printable(titleOf(step))}`, width, 3))}`);
    if ('document' in step) print(JSON.stringify(step.document, undefined, 2));
  }
}

/** A step with the documents that it sends as they are, and other values of HCN in camel case. */
function stepMembers({ do: step, ...fields }: Step): object {
  return { step, ...camelCased(fields), ...('document' in fields && { document: fields.document }) };
}

/** Previews the ADD of a plugin's configuration on this node. Throws as ADD does. */
async function planAdd(config: JsonObject, flags: Flags, system: System) {
  const { container: containerId, ifname, netns, address = [], args } = flags;
  const {
    config: network,
    ipam: type,
    targets,
    context,
  } = openPlugin(config, system, args === undefined ? {} : { args });
  const requested = type === undefined && address.length > 0 ? { ...network, addresses: address } : network;
  const namespaceId = netns === undefined ? undefined : parseNamespaceId(netns);
  const request = {
    containerId,
    ifname,
    ...(netns !== undefined && { netns }),
    ...(namespaceId !== undefined && { namespaceId }),
  };
  const isAssigned = type !== undefined && address.length > 0;
  const ips = address.map((one) => ({ address: one }));
  const assignment = isAssigned ? { ips, routes: [], dns: {} } : undefined;
  const { steps, failure } = await previewCommand(
    (preview) => addEndpoint(request, requested, preview, (endpoint) => endpoint),
    targets,
    type,
    assignment,
  );
  if (failure !== undefined) throw failure;
  const found = await findOrPlanNetwork(requested, context);
  return { steps, ...(await findNeighbors(found, targets.hcn)) };
}
