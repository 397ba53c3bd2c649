import { CniError, invalidConfig } from '../../cni/error.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { EnsuredNetwork } from '../../commands/finish-network.ts';
import { ensureHostEndpoint } from '../../commands/host-endpoint.ts';
import { ensureNetwork as ensure, findOrPlanNetwork } from '../../commands/network.ts';
import { requireFeatures } from '../../commands/requirements.ts';
import { addressesIn } from '../../hcn/documents.ts';
import { HcnError } from '../../hcn/errors.ts';
import { isAdapterMissing } from '../../hcn/hresults.ts';
import { boundAdapter, subnetsOf } from '../../model/network-document.ts';
import { isReady } from '../../model/readiness.ts';
import { requiredFeatures } from '../../plan/features.ts';
import { hostEndpointAddress } from '../../plan/host-endpoint.ts';
import { interruptionWarning, isExternal } from '../../plan/network-adapter.ts';
import type { IdentifiedNetwork, NetworkPlan } from '../../plan/network-plan.ts';
import type { StepName } from '../../steps/step.ts';
import { openTargets, previewCommand, printDryRun, printSteps } from '../plugin/change.ts';
import { findNeighbors } from '../plugin/neighbors.ts';
import { type OpenedPlugin, openPlugin, readPlugin } from '../plugin/plugin-config.ts';
import { newProgress } from '../terminal/calls.ts';
import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { ensureSourceVip, findSourceVip } from './ensure-source-vip.ts';
import {
  type CniPathFlag,
  type ReservedSourceVip,
  reservedSourceVip,
  sourceVipSystem,
} from './source-vip-ipam.ts';

/** The options of `network ensure`. */
export interface EnsureFlags extends CniPathFlag {
  readonly plugin?: string;
  readonly yes?: boolean;
}

/** Creates the network of a file's plugin, its host endpoint and its source VIP, where they are missing. Throws as ADD does. */
export async function ensureNetwork(
  file: string,
  { plugin: type, yes = false, ...cniPath }: EnsureFlags,
  session: Session,
): Promise<void> {
  const plugin = readPlugin(file, type, session);
  if (plugin === undefined) return;
  const stdin = JSON.stringify(plugin.config);
  const applied = new Set<StepName>();
  const onApplied = ({ do: name }: { readonly do: StepName }) => {
    applied.add(name);
  };
  const open = (sourceVip?: string): OpenedPlugin =>
    openPlugin(plugin.config, sourceVipSystem(session.system, cniPath, sourceVip), { stdin, onApplied });
  const first = open();
  const { config } = first;
  const plan = await findOrPlanNetwork(config, first.context);
  const reserved = config.sourceVip ? reservedSourceVip(plugin.config, session) : undefined;
  const existing = reserved && plan.found && (await findSourceVip(plan.found, undefined, first.context.hcn));
  const { context, targets, ipam } = open(existing && addressesIn(existing)[0]);
  // Fails before anything is created.
  if (config.sourceVip) context.locateIpam();
  await requireFeatures(requiredFeatures(config, plan.found === undefined), context.hcn);
  const progress = newProgress(session);
  const mayBeBusy = () => {
    // HNS has released the adapter of a network that it created.
    if (applied.has('create network')) return false;
    progress.start(waitForRelease(plan));
    return true;
  };
  const ensureAll = (given: CommandContext) => ensureObjects(plan, reserved, given, mayBeBusy);
  const { steps, failure } = await previewCommand(ensureAll, targets, { type: ipam });
  if (failure !== undefined) throw failure;
  // Every ADD enables forwarding, which needs no confirmation.
  if (steps.some((step) => step.do !== 'enable forwarding')) {
    const { problems, warnings } = await findNeighbors(plan, openTargets(session.system).hcn);
    const [problem] = problems;
    if (problem !== undefined) throw invalidConfig(problem);
    const impact = [...warnings, ...impactOfCreation(plan)].map(asSentence);
    if (!yes) return printDryRun(steps, impact, session);
    printSteps(steps, impact, session);
  }
  const wait = waitText(plan);
  if (wait !== undefined) progress.start(wait);
  const { network, sourceVip } = await ensureAll(context).finally(progress.end);
  const outcome = (created: StepName) =>
    applied.has(created) ? session.style('green', 'was created') : 'exists as configured';
  const print = (text: string) => session.print(wrapSentences(text, session.width));
  print(`network ${describe(network)} ${outcome('create network')}`);
  const address = hostEndpointAddress(config, network);
  if (address !== undefined) print(`host endpoint ${address} on it ${outcome('create host endpoint')}`);
  if (sourceVip !== undefined) {
    print(`source VIP ${sourceVip} on it ${outcome('create endpoint')}`);
    print(`start kube-proxy with --source-vip=${sourceVip}`);
  }
}

/** What the creation interrupts. */
function impactOfCreation({ config, found, planned }: NetworkPlan): readonly string[] {
  return found === undefined && isExternal(config.networkType) ? [interruptionWarning(planned)] : [];
}

function asSentence(warning: string): string {
  return `${warning.charAt(0).toUpperCase()}${warning.slice(1)}.`;
}

/** Rolls back all of them on failure, as ADD does. */
function ensureObjects(
  plan: NetworkPlan,
  reserved: ReservedSourceVip | undefined,
  context: CommandContext,
  mayBeBusy: () => boolean,
): Promise<EnsuredNetwork & { readonly sourceVip: string | undefined }> {
  return context.changes.transaction(async () => {
    const ensured = await ensureWhenReleased(plan, context, mayBeBusy);
    await ensureHostEndpoint(plan, ensured, context);
    const sourceVip = reserved && (await ensureSourceVip(ensured.network, reserved, context));
    return { ...ensured, sourceVip };
  });
}

/** How long HNS may take to release the adapter of a deleted network (microsoft/hcsshim#95, Azure/AgentBaker#4131). */
const releaseMilliseconds = 70_000;

/** Tries longer than ADD, which the runtime repeats. */
async function ensureWhenReleased(
  plan: NetworkPlan,
  context: CommandContext,
  mayBeBusy: () => boolean,
): Promise<EnsuredNetwork> {
  const end = context.now() + releaseMilliseconds;
  for (;;) {
    try {
      return await ensure(plan, context);
    } catch (error) {
      const cause = error instanceof CniError ? (error.cause ?? error) : error;
      const isBusy = cause instanceof HcnError && isAdapterMissing(cause.hresult);
      if (!isBusy || !isExternal(plan.config.networkType) || context.now() >= end) throw error;
      if (!mayBeBusy()) throw error;
    }
  }
}

/** What the command waits for; undefined if there is nothing to wait for. */
function waitText({ config, found, planned }: NetworkPlan): string | undefined {
  if (found !== undefined && isReady(found)) return undefined;
  const adapter = boundAdapter(found ?? planned);
  const wait = `waiting for ${adapter === undefined ? 'the adapter' : `adapter "${adapter}"`} to come back with an address`;
  if (found !== undefined) return wait;
  const creation = `creating ${config.networkType} network "${config.name}"`;
  return isExternal(config.networkType) ? `${creation}, ${wait}` : creation;
}

function waitForRelease({ planned }: NetworkPlan): string {
  return `waiting for HNS to release adapter "${boundAdapter(planned) ?? ''}"`;
}

function describe(network: IdentifiedNetwork): string {
  const { ID, Name, Type } = network;
  const adapter = boundAdapter(network);
  const subnets = subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix);
  const about = [Type, ...(adapter === undefined ? [] : [`adapter "${adapter}"`]), ...subnets].join(', ');
  return printable(`"${Name}" ${ID} (${about})`);
}
