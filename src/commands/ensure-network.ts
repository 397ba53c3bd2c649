import { CniError, code } from '../cni/error.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { isOverlay, providerAddressOf } from '../model/network-document.ts';
import { hasManagementAddress, isReady, isUsableAddress } from '../model/readiness.ts';
import { addNetworkPolicies } from './add-network-policies.ts';
import type { CommandContext } from './command-context.ts';
import { createNetwork } from './create-network.ts';
import type { NetworkPlan } from './look-at-network.ts';
import { poll } from './poll.ts';
import type { Undo } from './undo.ts';

/** How long HNS may take to finish a network. */
const readyMilliseconds = 20_000;

/** How long HNS takes no address on a Transparent network it has just created. */
const slowMilliseconds = 2_000;

export interface Ensured {
  readonly network: ObservedNetwork;
  /** Removes a network that this request created from the undo stack. */
  readonly keep: () => void;
}

const nothing = (): void => undefined;

/**
 * The network to put an endpoint on: found, or created, with its later policies. Throws code 11 if HNS has not finished it within
 * 20 s; the network stays, because deleting it would only make the next request start over.
 */
export async function ensureNetwork(plan: NetworkPlan, host: CommandContext, undo: Undo): Promise<Ensured> {
  const { found, config } = plan;
  if (found !== undefined && isReady(found)) return { network: found, keep: nothing };
  const { id, keep } = found ? { id: found.ID } : await createNetwork(plan, host, undo);
  const network = await poll(host, readyMilliseconds, () => findReady(id, host));
  if (network !== undefined) {
    if (isSlow(network)) await pause(host, slowMilliseconds);
    if (keep !== undefined) await addNetworkPolicies(config, network.ID, host, undo);
    return { network, keep: keep ?? nothing };
  }
  keep?.();
  const message = `network "${config.name}" got no usable address of the node within ${readyMilliseconds / 1000} s`;
  const details = 'check that the adapter is up and has an address: Get-NetIPAddress';
  throw new CniError(code.tryAgainLater, message, { details });
}

function isSlow({ Type }: ObservedNetwork): boolean {
  return Type.toLowerCase() === 'transparent';
}

function pause({ timer }: CommandContext, milliseconds: number): Promise<void> {
  return new Promise((resolve) => timer(milliseconds, resolve));
}

async function findReady(id: Guid, host: CommandContext): Promise<ObservedNetwork | undefined> {
  const network = await host.hcn.findNetworkById(id);
  if (network === undefined || !isReady(network)) return undefined;
  return (await hasItsAddress(network, host)) ? network : undefined;
}

/**
 * Whether the node has its address on the network. For L2Bridge and L2Tunnel HNS's V1 document shows it. For Overlay an interface of
 * the node must have the provider address, as flannel requires too. True for other types.
 */
async function hasItsAddress(network: ObservedNetwork, { hcn, ipHelper }: CommandContext): Promise<boolean> {
  if (hasManagementAddress(network)) return isUsableAddress(await hcn.findManagementAddress(network.ID));
  if (!isOverlay(network)) return true;
  const provider = providerAddressOf(network);
  const adapters = await ipHelper.readAdapters();
  return adapters.some(({ addresses }) => addresses.some(({ address }) => address === provider));
}
