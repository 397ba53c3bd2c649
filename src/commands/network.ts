import { afterRefusal, CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnReader } from '../hcn/client.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { NetworkId } from '../hcn/guid.ts';
import { networkId } from '../model/identity.ts';
import { isOverlay, providerAddressOf } from '../model/network-document.ts';
import { hasManagementAddress, isReady, isUsableAddress } from '../model/readiness.ts';
import { findAdapterUse } from '../plan/adapter-use.ts';
import { interruptionWarning, isExternal, needsAdapters } from '../plan/network-adapter.ts';
import { type IdentifiedNetwork, type NetworkPlan, planNetwork } from '../plan/network-plan.ts';
import { afterNetworkRefusal } from '../plan/refusals.ts';
import { poll } from '../steps/changes.ts';
import type { CommandContext } from './command-context.ts';
import { type EnsuredNetwork, finishNetwork } from './finish-network.ts';
import { adapterRefused, readOtherNetworks, reportOverlaps } from './other-networks.ts';

/** How long another request's network may take to appear, and HNS to release the adapter of a deleted network. */
export const raceMilliseconds = 3_000;

/** How long HNS may take to finish a network. */
export const readyMilliseconds = 20_000;

/** How long HNS assigns no address on a Transparent network it has just created. */
const transparentMilliseconds = 2_000;

/**
 * Finds the network of a configuration, or plans its creation. While another request creates the network, the node's adapters give no
 * usable answer, so a failed choice of the adapter waits up to 3 s for the network. Throws as `planNetwork` does.
 */
export async function findOrPlanNetwork(
  config: NetworkConfig,
  context: CommandContext,
): Promise<NetworkPlan> {
  const { hcn } = context;
  const found = await findNetwork(config, hcn);
  if (found !== undefined || config.createNetwork === 'never' || !needsAdapters(config, undefined))
    return plan(config, found, context);
  try {
    return await plan(config, undefined, context);
  } catch (error) {
    if (!(error instanceof CniError) || error.code !== code.invalidConfig) throw error;
    const network = await poll(context, raceMilliseconds, () => findNetwork(config, hcn));
    if (network === undefined) throw error;
    return plan(config, network, context);
  }
}

async function plan(
  config: NetworkConfig,
  found: ObservedNetwork | undefined,
  { ipHelper }: CommandContext,
): Promise<NetworkPlan> {
  return planNetwork(config, found, needsAdapters(config, found) ? await ipHelper.readAdapters() : []);
}

/**
 * The network to create an endpoint on: found, or created and finished. Throws code 11 if HNS does not finish it within 20 s. A network
 * that was created stays whatever fails afterwards (docs/decisions/networks.md).
 */
export async function ensureNetwork(plan: NetworkPlan, context: CommandContext): Promise<EnsuredNetwork> {
  const { found, planned } = plan;
  const { id, isNew } =
    found === undefined ? await createNetwork(plan, context, 'may retry') : { id: found.ID, isNew: false };
  const network =
    found !== undefined && isReady(found) ? found : await waitUntilReady(id, planned.Name, context);
  if (isNew && network.Type?.toLowerCase() === 'transparent')
    await context.changes.pause(transparentMilliseconds);
  await finishNetwork({ network, isNew }, plan.completion, context);
  if (isNew && isExternal(planned.Type ?? '')) await reportOverlaps(network, plan.adapters, context);
  return { network, isNew };
}

async function waitUntilReady(
  id: NetworkId,
  name: string,
  context: CommandContext,
): Promise<IdentifiedNetwork> {
  const { hcn, changes } = context;
  const network = await changes.waitFor<IdentifiedNetwork>(
    readyMilliseconds,
    () => findReady(id, context),
    () => hcn.findNetworkById(id),
  );
  if (network !== undefined) return network;
  if ((await hcn.findNetworkById(id)) === undefined) {
    const message = `HNS does not show network "${name}", which was created: retry`;
    throw new CniError(code.tryAgainLater, message, { details: `win-hcn show network ${id}` });
  }
  const message = `network "${name}" has no usable address of the node after ${readyMilliseconds / 1000} s`;
  const details = 'check that the adapter is up and has an address: Get-NetIPAddress';
  throw new CniError(code.tryAgainLater, message, { details });
}

/**
 * Creates a network, or finds the one that another request creates at the same time: HCN refuses the second creation, and may list the
 * network up to 3 s later. HNS may release the adapter of a deleted network seconds later (microsoft/hcsshim#95): if no other request's
 * network appears, retries once, unless another network has exclusive use of the adapter. Throws HCN's refusal otherwise. HNS may have chosen
 * another id than the returned one.
 */
async function createNetwork(
  plan: NetworkPlan,
  context: CommandContext,
  retry: 'may retry' | 'last try',
): Promise<{ readonly id: NetworkId; readonly isNew: boolean }> {
  const { config, planned: document, adapters } = plan;
  const { hcn, changes, notice } = context;
  const external = isExternal(document.Type ?? '');
  if (external && retry === 'may retry') notice(interruptionWarning(document));
  try {
    await changes.apply({ do: 'create network', id: document.ID, document });
    return { id: document.ID, isNew: true };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { isAdapterBusy, mayAppear } = afterNetworkRefusal(error.hresult, external);
    const others = isAdapterBusy ? await readOtherNetworks(document, context) : [];
    if (findAdapterUse(document, others, adapters)?.isExclusive) throw adapterRefused(error, plan, others);
    const find = () => findNetwork(config, hcn);
    const network = await poll(context, mayAppear ? raceMilliseconds : 0, find).catch((lookup: unknown) => {
      throw afterRefusal(error, lookup);
    });
    if (network !== undefined) {
      planNetwork(config, network, adapters);
      return { id: network.ID, isNew: false };
    }
    if (isAdapterBusy && retry === 'may retry') return createNetwork(plan, context, 'last try');
    throw isAdapterBusy ? adapterRefused(error, plan, others) : error;
  }
}

async function findReady(id: NetworkId, context: CommandContext): Promise<ObservedNetwork | undefined> {
  const network = await context.hcn.findNetworkById(id);
  if (network === undefined || !isReady(network)) return undefined;
  return (await hasNodeAddress(network, context)) ? network : undefined;
}

/**
 * Whether the node has its address on the network. For L2Bridge and L2Tunnel HNS's V1 document shows it. For Overlay an interface of
 * the node must have the provider address, as flannel requires too. True for other types.
 */
async function hasNodeAddress(network: ObservedNetwork, context: CommandContext): Promise<boolean> {
  if (hasManagementAddress(network)) return hasUsableManagementAddress(network, context);
  if (!isOverlay(network)) return true;
  const provider = providerAddressOf(network);
  const adapters = await context.ipHelper.readAdapters();
  return adapters.some(({ addresses }) => addresses.some(({ address }) => address === provider));
}

/** Only a V1 query shows the address. If HNS refuses that query, the network counts as ready: pods do not need the answer. */
async function hasUsableManagementAddress(
  { ID: id, Name: name }: ObservedNetwork,
  { hcn, notice }: CommandContext,
): Promise<boolean> {
  try {
    return isUsableAddress(await hcn.findManagementAddress(id));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    notice(`cannot check the node's address on network "${name}": ${error.message}`);
    return true;
  }
}

/** What determines which network a configuration means. */
export type NetworkKey = Pick<NetworkConfig, 'name' | 'createNetwork' | 'behavior'>;

/**
 * The network of a configuration; undefined if absent. If win-hcn probably created it, tries its derived id first, which saves an
 * enumeration. The enumeration decides: HNS may have chosen the id, or refuse to open an absent network with an unexpected code.
 */
export async function findNetwork(key: NetworkKey, hcn: HcnReader): Promise<ObservedNetwork | undefined> {
  const own = isProbablyOurs(key) ? await findOwn(key.name, hcn) : undefined;
  return own ?? hcn.findNetwork(key.name);
}

/** HNS may log each attempt to open an absent network as an error, so networks of other programs are not tried. */
export function isProbablyOurs({ createNetwork, behavior }: NetworkKey): boolean {
  return createNetwork === 'ifMissing' && behavior.existingNetwork === 'must match';
}

async function findOwn(name: string, hcn: HcnReader): Promise<ObservedNetwork | undefined> {
  try {
    const found = await hcn.findNetworkById(networkId(name));
    return found?.Name.toLowerCase() === name.toLowerCase() ? found : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
