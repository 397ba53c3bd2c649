import type { ObservedNetwork } from '../hcn/documents.ts';
import type { CommandContext } from './command-context.ts';
import { ensureHostEndpoint } from './ensure-host-endpoint.ts';
import { ensureNetwork } from './ensure-network.ts';
import type { NetworkPlan } from './look-at-network.ts';
import { undoing } from './undo.ts';

/** The network of a configuration and the node's endpoint on it, as an ADD makes them. A failure gives back what this call took. */
export function provideNetwork(plan: NetworkPlan, host: CommandContext): Promise<ObservedNetwork> {
  return undoing(async (undo) => {
    const ensured = await ensureNetwork(plan, host, undo);
    await ensureHostEndpoint(plan.config, ensured, host, undo);
    return ensured.network;
  });
}
