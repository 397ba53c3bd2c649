import { previewCommand } from '../../src/cli/plugin/change.ts';
import { toCniError } from '../../src/cni/error.ts';
import { readResult } from '../../src/cni/read-result.ts';
import { attachmentOf, parseNamespaceId } from '../../src/cni/request.ts';
import { addEndpoint } from '../../src/commands/add.ts';
import type { CommandContext } from '../../src/commands/command-context.ts';
import { del } from '../../src/commands/del.ts';
import { gc } from '../../src/commands/gc.ts';
import { readCreateNetwork, readIpamType } from '../../src/config/essential-keys.ts';
import { openConfig } from '../../src/config/open-config.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import type { ObservedEndpoint } from '../../src/hcn/documents.ts';
import type { Guid } from '../../src/hcn/guid.ts';
import { endpointId } from '../../src/model/identity.ts';
import { providerAddressOf } from '../../src/model/network-document.ts';
import { commandContextOf, newStepTargets } from '../../src/plugin/command-context.ts';
import { executeSteps } from '../../src/steps/execute.ts';
import { addressOfAdapter, assignedByHns, unknownId } from '../../src/steps/preview.ts';
import type { Step } from '../../src/steps/step.ts';
import type { System } from '../../src/system.ts';
import type { Ipam } from './ipam.ts';

/** A command on a node, with the configuration in any dialect. */
export interface Command {
  readonly command: 'ADD' | 'DEL' | 'GC';
  readonly config: Readonly<Record<string, unknown>>;
  readonly containerId: string;
  readonly netns: string;
}

export interface Comparison {
  /** The previewed steps, and the code of the error if the preview failed. */
  readonly previewed: readonly unknown[];
  readonly previewError: number | undefined;
  /** The executed steps, and the code of the error if the command failed. */
  readonly executed: readonly unknown[];
  readonly executionError: number | undefined;
}

/** Previews a command, then executes it, on the same node. `afterPreview` runs in between. */
export async function previewAndExecute(
  { command, config, containerId, netns }: Command,
  system: System,
  ipam: Ipam,
  afterPreview: () => void,
): Promise<Comparison> {
  const environment = {
    CNI_COMMAND: command,
    CNI_CONTAINERID: containerId,
    CNI_IFNAME: 'eth0',
    CNI_NETNS: netns,
    CNI_PATH: '/opt/cni/bin',
    ...system.environment,
  };
  const stdin = JSON.stringify(config);
  const node = { ...system, environment };
  const ignore = () => undefined;
  const opened = openConfig(JSON.parse(stdin), system.executable, system.environment['CNI_ARGS'] ?? '');
  const newTargets = () => newStepTargets(command, opened.json, stdin, node, ignore);
  const namespaceId = parseNamespaceId(netns) ?? '';
  const network = String(opened.json['name']);
  const key = { name: network, createNetwork: readCreateNetwork(opened.json), behavior: opened.behavior };
  const attachment = attachmentOf({ containerId, ifname: 'eth0' }, network);
  let endpoint: ObservedEndpoint | undefined;
  const work = async (context: CommandContext) => {
    if (command === 'DEL') return del(attachment, namespaceId, context);
    if (command === 'GC') return gc(key, [], context);
    const request = { containerId, ifname: 'eth0', netns, namespaceId };
    endpoint = await context.changes.transaction(() =>
      addEndpoint(request, readNetworkConfig(opened.json, environment, opened), context, (added) => added),
    );
  };
  const codeOf = (error: unknown) => toCniError(error).code;

  const type = readIpamType(opened.json);
  const assignment = type !== undefined && command === 'ADD' ? leaseOf(ipam, environment, stdin) : undefined;
  const { steps, failure } = await previewCommand(work, newTargets(), type, assignment);
  const previewed = failure === undefined ? steps : [];
  const previewError = failure === undefined ? undefined : codeOf(failure);
  afterPreview();

  const executed: Step[] = [];
  let executionError: number | undefined;
  const targets = newTargets();
  const changes = executeSteps(targets, (step) => void executed.push(JSON.parse(JSON.stringify(step))));
  const requestedIds = new Map<Guid, Guid>();
  const recordId = async (step: Pick<Step, 'do'> & { readonly id?: string }) => {
    const { do: name, id = '' } = step;
    if (name === 'create network') requestedIds.set((await targets.hcn.findNetworkById(id))?.ID ?? id, id);
    if (name === 'create endpoint' || name === 'create host endpoint')
      requestedIds.set((await targets.hcn.findEndpoint(id))?.ID ?? id, id);
  };
  const apply: typeof changes.apply = async (step) => {
    const result = await changes.apply(step);
    await recordId(step);
    return result;
  };
  const context = commandContextOf(targets, { ...changes, apply }, ignore);
  await work(context).catch((error: unknown) => {
    executionError = codeOf(error);
  });
  const withRequestedIds = (text: string) =>
    [...requestedIds].reduce((filled, [actual, requested]) => filled.replaceAll(actual, requested), text);
  const fill = (text: string) =>
    text
      .replaceAll(unknownId, endpointId(attachment))
      .replaceAll(addressOfAdapter, providerAddressOf(endpoint ?? {}) ?? addressOfAdapter)
      .replaceAll(assignedByHns, endpoint?.IpConfigurations?.[0]?.IpAddress ?? assignedByHns);
  return {
    previewed: previewed.map((step) => JSON.parse(fill(JSON.stringify(comparable(step))))),
    previewError,
    executed: executed.map((step) => JSON.parse(withRequestedIds(JSON.stringify(comparable(step))))),
    executionError,
  };
}

/**
 * HNS adds members to the network, which the step only names. A preview does not know the index of a new interface, or the IP and MAC
 * addresses that HNS chooses for an endpoint.
 */
function comparable(step: Step): unknown {
  if (step.do === 'attach endpoint') return { ...step, addresses: undefined };
  if (step.do === 'create route') return { ...step, route: { ...step.route, interfaceIndex: undefined } };
  if (step.do !== 'enable forwarding') return step;
  const { ID, Name } = step.network;
  return { ...step, network: { ID, Name }, mac: undefined };
}

/** What the IPAM plugin will assign. It is released again; undefined if the plugin fails. */
function leaseOf(
  ipam: Ipam,
  environment: Readonly<Record<string, string | undefined>>,
  stdin: string,
): ReturnType<typeof readResult> | undefined {
  const { exitCode, stdout = '' } = ipam.run({ ...environment, CNI_COMMAND: 'ADD' }, stdin);
  if (exitCode !== 0) return undefined;
  ipam.run({ ...environment, CNI_COMMAND: 'DEL' }, stdin);
  return readResult(JSON.parse(stdout), 'the lease');
}
