import { invalidConfig } from '../../cni/error.ts';
import { ensureHostEndpoint } from '../../commands/host-endpoint.ts';
import {
  type EnsuredNetwork,
  ensureNetwork as ensure,
  findOrPlanNetwork,
  type NetworkPlan,
} from '../../commands/network.ts';
import { requireFeatures } from '../../commands/requirements.ts';
import { boundAdapter, subnetsOf } from '../../model/network-document.ts';
import { isReady } from '../../model/readiness.ts';
import { requiredFeatures } from '../../plan/features.ts';
import { hostEndpointAddress } from '../../plan/host-endpoint.ts';
import type { IdentifiedNetwork } from '../../plan/network.ts';
import { interruptionWarning, isExternal } from '../../plan/network-adapter.ts';
import type { Step, StepName } from '../../steps/step.ts';
import { openTargets, previewCommand, printDryRun, printSteps } from '../change.ts';
import { findNeighbors } from '../neighbors.ts';
import { printable } from '../output.ts';
import { openPlugin, readPlugin } from '../plugin-config.ts';
import { newProgress } from '../progress.ts';
import type { Session } from '../session.ts';
import { wrapSentences } from '../wrap.ts';

export interface EnsureFlags {
  readonly plugin?: string;
  readonly yes?: boolean;
}

/** Creates the network of a file's plugin, and its host endpoint, where they are missing. Throws as ADD does. */
export async function ensureNetwork(
  file: string,
  { plugin: type, yes = false }: EnsureFlags,
  session: Session,
): Promise<void> {
  const plugin = readPlugin(file, type, session);
  if (plugin === undefined) return;
  const progress = newProgress(session);
  const applied = new Set<StepName>();
  let plan: NetworkPlan | undefined;
  const { config, context, targets } = openPlugin(plugin.config, session.system, {
    onApplied: (step) => {
      applied.add(step.do);
      const wait = plan && waitAfter(step.do, plan);
      if (wait !== undefined) progress.start(wait);
    },
  });
  const found = await findOrPlanNetwork(config, context);
  plan = found;
  await requireFeatures(requiredFeatures(config, found.found === undefined), context.hcn);
  const { steps, failure } = await previewCommand(
    (preview) => ensureWithHostEndpoint(found, preview),
    targets,
  );
  if (failure !== undefined) throw failure;
  if (steps.some(isMissingObject)) {
    const { problems, warnings } = await findNeighbors(found, openTargets(session.system).hcn);
    const [problem] = problems;
    if (problem !== undefined) throw invalidConfig(problem);
    const impact = [...warnings, ...impactOfCreation(found)].map(asSentence);
    if (!yes) return printDryRun(steps, impact, session);
    printSteps(steps, impact, session);
  }
  const wait = firstWait(found);
  if (wait !== undefined) progress.start(wait);
  const { network } = await ensureWithHostEndpoint(found, context).finally(progress.end);
  const outcome = (created: StepName) =>
    applied.has(created) ? session.style('green', 'was created') : 'exists as configured';
  const print = (text: string) => session.print(wrapSentences(text, session.width));
  print(`network ${describe(network)} ${outcome('create network')}`);
  const address = hostEndpointAddress(config, network);
  if (address !== undefined) print(`host endpoint ${address} on it ${outcome('create host endpoint')}`);
}

/** Whether a step creates or replaces something. Every ADD enables forwarding, which needs no confirmation. */
function isMissingObject({ do: name }: Step): boolean {
  return name !== 'enable forwarding';
}

/** What the creation interrupts. */
function impactOfCreation({ config, found, planned }: NetworkPlan): readonly string[] {
  return found === undefined && isExternal(config.networkType) ? [interruptionWarning(planned)] : [];
}

function asSentence(warning: string): string {
  return `${warning.charAt(0).toUpperCase()}${warning.slice(1)}.`;
}

/** Rolls back both on failure, as ADD does. */
function ensureWithHostEndpoint(
  plan: NetworkPlan,
  context: Parameters<typeof ensure>[1],
): Promise<EnsuredNetwork> {
  return context.changes.transaction(async () => {
    const ensured = await ensure(plan, context);
    await ensureHostEndpoint(plan.config, ensured, context);
    return ensured;
  });
}

/** What the first step waits for; undefined if there is nothing to wait for. */
function firstWait({ config, found }: NetworkPlan): string | undefined {
  if (found === undefined) return `creating ${config.networkType} network "${config.name}"`;
  return isReady(found) ? undefined : waitForAdapter(boundAdapter(found));
}

/** What the command waits for after a step. */
function waitAfter(step: StepName, { config, planned }: NetworkPlan): string | undefined {
  if (step === 'create host endpoint') return 'waiting for the interface of the host endpoint';
  if (step !== 'create network' || !isExternal(config.networkType)) return undefined;
  return waitForAdapter(boundAdapter(planned));
}

function waitForAdapter(adapter: string | undefined): string {
  const which = adapter === undefined ? 'the adapter' : `adapter "${adapter}"`;
  return `waiting for ${which} to come back with an address`;
}

function describe(network: IdentifiedNetwork): string {
  const { ID, Name, Type } = network;
  const adapter = boundAdapter(network);
  const subnets = subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix);
  const about = [Type, ...(adapter === undefined ? [] : [`adapter "${adapter}"`]), ...subnets].join(', ');
  return printable(`"${Name}" ${ID} (${about})`);
}
