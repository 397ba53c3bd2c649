import { toCniError } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { Guid } from '../hcn/guid.ts';
import { policiesAfterCreation } from '../plan/network.ts';
import { apply } from './apply.ts';
import type { CommandContext } from './command-context.ts';
import type { Undo } from './undo.ts';

/**
 * Adds the policies that HNS takes only after a network's creation. Without HostRoute the network works, so failing to add it is only a
 * notice, as in flannel and Calico.
 */
export async function addNetworkPolicies(
  config: NetworkConfig,
  id: Guid,
  { hcn, notice }: Pick<CommandContext, 'hcn' | 'notice'>,
  undo: Undo,
): Promise<void> {
  const policies = policiesAfterCreation(config);
  if (policies.length === 0) return;
  try {
    await apply({ do: 'add network policies', id, policies }, hcn, undo);
  } catch (error) {
    notice(`network "${config.name}" lacks HostRoute: ${toCniError(error).message}`);
  }
}
