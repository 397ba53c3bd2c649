import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { delegateCommand, PluginError } from '../ipam/delegate.ts';
import { planNetwork } from '../plan/network.ts';
import { needsAdapters } from '../plan/network-adapter.ts';
import { isReady } from '../plan/observed-network.ts';
import { requiredFeatures } from '../plan/required-features.ts';
import { toCniError } from './failures.ts';
import type { Host } from './host.ts';
import { requireFeatures } from './require-features.ts';

/** How long the IPAM plugin may take: a runtime asks every few seconds, and waits. */
const ipamSeconds = 1;

/**
 * Whether an ADD could succeed now (specification, section 4, "STATUS"). Throws code 50 with the reason, or 51 where endpoints are
 * on a network that does not work; what the IPAM plugin says with the plugin's own code.
 */
export async function status(config: NetworkConfig, host: Host): Promise<void> {
  const { locateIpam } = host;
  try {
    const ipam = locateIpam();
    await lookAtNetwork(config, host);
    if (ipam !== undefined) await delegateCommand(ipam, 'STATUS', ipamSeconds);
  } catch (error) {
    if (error instanceof PluginError) throw error;
    const { code: own, message, details } = toCniError(error);
    const status = own === code.notAvailableAndDegraded ? own : code.notAvailable;
    throw new CniError(status, message, { details, cause: error });
  }
}

async function lookAtNetwork(config: NetworkConfig, { hcn, ipHelper }: Host): Promise<void> {
  const network = await hcn.findNetwork(config.name);
  planNetwork(config, network, needsAdapters(config, network) ? await ipHelper.readAdapters() : []);
  await requireFeatures(requiredFeatures(config, network === undefined), hcn);
  if (network === undefined || isReady(network)) return;
  const endpoints = await hcn.findEndpointsOfNetwork(network.ID);
  const degraded = endpoints.length > 0;
  throw new CniError(
    degraded ? code.notAvailableAndDegraded : code.notAvailable,
    `network "${config.name}" has no usable ProviderAddress`,
    { details: 'check that the adapter is up and has an address: Get-NetIPAddress' },
  );
}
