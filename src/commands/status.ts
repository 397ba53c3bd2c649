import { CniError, code, toCniError } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { HcnError, HcnTimeout } from '../hcn/errors.ts';
import { isTimeout } from '../hcn/hresults.ts';
import { PluginError } from '../ipam/delegate.ts';
import { IpHelperTimeout } from '../iphlpapi/windows-errors.ts';
import { isReady } from '../model/readiness.ts';
import { requiredFeatures } from '../plan/features.ts';
import { needsAdapters } from '../plan/network-adapter.ts';
import { planNetwork } from '../plan/network-plan.ts';
import type { CommandContext } from './command-context.ts';
import { findNetwork } from './network.ts';
import { begin, beginFeatures, requireFeatures } from './requirements.ts';

/**
 * Time limit of STATUS in seconds: HCN may use all of it, and the IPAM plugin gets the rest, at least half. HNS, and the node with it,
 * can be busy that long, such as while kube-proxy starts (kubernetes/kubernetes#109162).
 */
export const statusSeconds = 10;

/**
 * Whether HNS, the network and the IPAM plugin are available (specification, section 2, "STATUS"). Throws code 50 with the reason, or
 * 51 where endpoints are on a network that does not work; the IPAM plugin's error with the plugin's own code. A late answer is only a
 * notice: containerd marks the node not ready after any error (containerd/containerd, internal/cri/server/status.go).
 */
export async function status(config: NetworkConfig, context: CommandContext): Promise<void> {
  const { locateIpam, now } = context;
  const started = now();
  try {
    const ipam = locateIpam();
    await checkNetwork(config, context).catch((error: unknown) => {
      if (!isLate(error)) throw error;
      context.notice(`STATUS succeeds although HCN is late: ${toCniError(error).message}`);
    });
    const left = statusSeconds - Math.round((now() - started) / 1000);
    await ipam?.status(Math.max(statusSeconds / 2, left));
  } catch (error) {
    if (error instanceof PluginError) throw error;
    const { code: own, message, details } = toCniError(error);
    const status = own === code.notAvailableAndDegraded ? own : code.notAvailable;
    throw new CniError(status, message, { details, cause: error });
  }
}

function isLate(error: unknown): boolean {
  const isOwnLimit = error instanceof HcnTimeout || error instanceof IpHelperTimeout;
  return isOwnLimit || (error instanceof HcnError && isTimeout(error.hresult));
}

async function checkNetwork(config: NetworkConfig, { hcn, ipHelper }: CommandContext): Promise<void> {
  const networkRead = begin(findNetwork(config, hcn));
  beginFeatures(requiredFeatures(config, false), hcn);
  const network = await networkRead;
  const adapters = needsAdapters(config, network) ? await ipHelper.readAdapters() : [];
  await requireFeatures(planNetwork(config, network, adapters).required, hcn);
  if (network === undefined || isReady(network)) return;
  const endpoints = await hcn.findEndpointsOfNetwork(network.ID);
  const degraded = endpoints.length > 0;
  throw new CniError(
    degraded ? code.notAvailableAndDegraded : code.notAvailable,
    `network "${config.name}" has no usable ProviderAddress`,
    { details: 'check that the adapter is up and has an address: Get-NetIPAddress' },
  );
}
