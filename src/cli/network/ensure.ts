import { lookAtNetwork, type NetworkPlan } from '../../commands/look-at-network.ts';
import { provideNetwork } from '../../commands/provide-network.ts';
import { requireFeatures } from '../../commands/require-features.ts';
import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';
import { hostEndpointId } from '../../model/identity.ts';
import { boundAdapter, subnetsOf } from '../../model/network-document.ts';
import { requiredFeatures } from '../../plan/features.ts';
import { hostEndpointAddress } from '../../plan/host-endpoint.ts';
import { interruptionWarning, isExternal } from '../../plan/network-adapter.ts';
import { openPlugin, readPlugin } from '../plugin-config.ts';
import { printable } from '../printable.ts';
import { newProgress } from '../progress.ts';
import type { Session } from '../session.ts';
import { createdBy, firstWait, nextWait } from './waits.ts';

/** Makes the network of a file's plugin, and says what there was and what is new. Throws as ADD does. */
export async function ensureNetwork(file: string, type: string | undefined, session: Session): Promise<void> {
  const plugin = readPlugin(file, type, session);
  if (plugin === undefined) return;
  const created = new Set<Guid>();
  const progress = newProgress(session);
  let plan: NetworkPlan | undefined;
  const { config, host } = openPlugin(plugin.config, session.system, {
    write: (entry) => {
      const id = createdBy(entry);
      const wait = id === undefined || plan === undefined ? undefined : nextWait(id, plan);
      if (id !== undefined) created.add(id);
      if (wait !== undefined) progress.start(wait);
    },
  });
  plan = await lookAtNetwork(config, host);
  await requireFeatures(requiredFeatures(config, plan.found === undefined), host.hcn);
  if (plan.found === undefined && isExternal(config.networkType))
    session.printStderr(`win-hcn: ${interruptionWarning(plan.planned)}`);
  const wait = firstWait(plan);
  if (wait !== undefined) progress.start(wait);
  const network = await provideNetwork(plan, host).finally(progress.end);
  const end = (id: Guid) =>
    created.has(id) ? session.style('green', 'was created') : 'exists as configured';
  session.print(`network ${describe(network)} ${end(plan.planned.ID)}`);
  const address = hostEndpointAddress(config, network);
  if (address === undefined) return;
  session.print(`the node's endpoint ${address} on it ${end(hostEndpointId(config.name))}`);
}

function describe(network: ObservedNetwork): string {
  const { ID, Name, Type } = network;
  const adapter = boundAdapter(network);
  const subnets = subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix);
  const about = [Type, ...(adapter === undefined ? [] : [`adapter "${adapter}"`]), ...subnets].join(', ');
  return printable(`"${Name}" ${ID} (${about})`);
}
