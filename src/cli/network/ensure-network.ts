import { invalidConfig } from '../../cni/error.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import { ensureHostEndpoint } from '../../commands/host-endpoint.ts';
import { ensureNetwork as ensure, findOrPlanNetwork } from '../../commands/network.ts';
import { requireFeatures } from '../../commands/requirements.ts';
import { boundAdapter, subnetsOf } from '../../model/network-document.ts';
import { isReady } from '../../model/readiness.ts';
import { requiredFeatures } from '../../plan/features.ts';
import { hostEndpointAddress } from '../../plan/host-endpoint.ts';
import { interruptionWarning, isExternal } from '../../plan/network-adapter.ts';
import type { IdentifiedNetwork, NetworkPlan } from '../../plan/network-plan.ts';
import type { StepName } from '../../steps/step.ts';
import { titleOf } from '../../steps/table.ts';
import { openTargets, previewCommand, printDryRun, printSteps } from '../plugin/change.ts';
import { findNeighbors } from '../plugin/neighbors.ts';
import { openPlugin, readPlugin } from '../plugin/plugin-config.ts';
import type { YesFlag } from '../terminal/options.ts';
import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { type CniPathFlag, ensureSourceVip, reservedSourceVip, sourceVipSystem } from './source-vip.ts';

/** The options of `network ensure`. */
export interface EnsureFlags extends CniPathFlag, YesFlag {}

/** Creates the network of a file's plugin, its host endpoint and its source VIP, where they are missing. Throws as ADD does. */
export async function ensureNetwork(
  file: string,
  { yes = false, ...cniPath }: EnsureFlags,
  session: Session,
): Promise<void> {
  const plugin = readPlugin(file, session);
  if (plugin === undefined) return;
  const stdin = JSON.stringify(plugin.config);
  const applied = new Set<StepName>();
  const onApplied = ({ do: name }: { readonly do: StepName }) => {
    applied.add(name);
  };
  const system = sourceVipSystem(session.system, cniPath);
  const { config, context, targets, ipam } = openPlugin(plugin.config, system, { stdin, onApplied });
  const plan = await findOrPlanNetwork(config, context);
  const reserved = config.sourceVip ? reservedSourceVip(plugin.config, session) : undefined;
  // Fails before anything is created.
  if (config.sourceVip) context.locateIpam();
  await requireFeatures(requiredFeatures(config, plan.found === undefined), context.hcn);
  const ensureAll = (given: CommandContext) =>
    given.changes.transaction(async () => {
      const ensured = await ensure(plan, given);
      await ensureHostEndpoint(plan, ensured, given);
      const sourceVip = config.sourceVip && (await ensureSourceVip(ensured.network, reserved, given));
      return { ...ensured, sourceVip };
    });
  const { steps, failure } = await previewCommand(ensureAll, targets, ipam);
  if (failure !== undefined) throw failure;
  // Every ADD enables forwarding, which needs no confirmation.
  if (steps.some((step) => step.do !== 'enable forwarding')) {
    const { problems, warnings } = await findNeighbors(plan, openTargets(session.system).hcn);
    const [problem] = problems;
    if (problem !== undefined) throw invalidConfig(problem);
    const interrupts = plan.found === undefined && isExternal(config.networkType);
    const impact = [...warnings, ...(interrupts ? [interruptionWarning(plan.planned)] : [])].map(
      (warning) => `${warning.charAt(0).toUpperCase()}${warning.slice(1)}.`,
    );
    if (!yes) return printDryRun(steps, impact, session);
    printSteps(steps.map(titleOf), impact, session);
  }
  const wait = waitText(plan);
  if (wait !== undefined) session.printStderr(printable(wait));
  const { network, sourceVip } = await ensureAll(context);
  const outcome = (created: StepName) =>
    applied.has(created) ? session.style('green', 'was created') : 'exists as configured';
  const print = (text: string) => session.print(wrapSentences(text, session.width));
  print(`network ${describe(network)} ${outcome('create network')}`);
  const address = hostEndpointAddress(config, network);
  if (address !== undefined) print(`host endpoint ${address} on it ${outcome('create host endpoint')}`);
  if (sourceVip !== false) {
    print(`source VIP ${sourceVip} on it ${outcome('create endpoint')}`);
    print(`start kube-proxy with --source-vip=${sourceVip}`);
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

function describe(network: IdentifiedNetwork): string {
  const { ID, Name, Type } = network;
  const adapter = boundAdapter(network);
  const subnets = subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix);
  const about = [Type, ...(adapter === undefined ? [] : [`adapter "${adapter}"`]), ...subnets].join(', ');
  return printable(`"${Name}" ${ID} (${about})`);
}
