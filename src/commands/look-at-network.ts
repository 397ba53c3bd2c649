import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { checkHostEndpoint } from '../plan/host-endpoint.ts';
import { type IdentifiedNetwork, resolveNetwork } from '../plan/network.ts';
import { needsAdapters } from '../plan/network-adapter.ts';
import type { CommandContext } from './command-context.ts';
import { poll } from './poll.ts';

/** The network a request is about: found, or `planned` to be created. */
export interface NetworkPlan {
  readonly config: NetworkConfig;
  readonly found: ObservedNetwork | undefined;
  readonly planned: IdentifiedNetwork;
  readonly adapters: readonly HostAdapter[];
}

/** How long another request's network may take to appear once it has taken the adapter. */
const raceMilliseconds = 3_000;

/**
 * Looks at the network and the node's adapters, and plans the network. While another request creates it the adapters say nothing
 * useful, so that a choice among them that fails waits for the network. Throws as `resolveNetwork` and `checkHostEndpoint` do.
 */
export async function lookAtNetwork(config: NetworkConfig, host: CommandContext): Promise<NetworkPlan> {
  const found = await host.hcn.findNetwork(config.name);
  if (found !== undefined || config.createNetwork === 'never' || !needsAdapters(config, undefined)) {
    return plan(config, found, host);
  }
  try {
    return await plan(config, undefined, host);
  } catch (error) {
    if (!(error instanceof CniError) || error.code !== code.invalidConfig) throw error;
    const network = await poll(host, raceMilliseconds, () => host.hcn.findNetwork(config.name));
    if (network === undefined) throw error;
    return plan(config, network, host);
  }
}

async function plan(
  config: NetworkConfig,
  found: ObservedNetwork | undefined,
  { ipHelper }: CommandContext,
): Promise<NetworkPlan> {
  const adapters = needsAdapters(config, found) ? await ipHelper.readAdapters() : [];
  const planned = resolveNetwork(config, found, adapters);
  checkHostEndpoint(config, planned, adapters);
  return { config, found, planned, adapters };
}
