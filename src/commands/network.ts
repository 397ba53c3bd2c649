import { afterRefusal, CniError, code, toCniError, withDetails } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { NetworkId } from '../hcn/guid.ts';
import { hresultOf, isAdapterMissing, isNetworkExisting } from '../hcn/hresults.ts';
import { isOverlay, providerAddressOf } from '../model/network-document.ts';
import { hasManagementAddress, isReady, isUsableAddress } from '../model/readiness.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { findAdapterUse } from '../plan/adapter-use.ts';
import { checkHostEndpoint } from '../plan/host-endpoint.ts';
import { type IdentifiedNetwork, policiesAfterCreation, resolveNetwork } from '../plan/network.ts';
import { interruptionWarning, isExternal, needsAdapters } from '../plan/network-adapter.ts';
import { poll } from '../steps/poll.ts';
import type { Step } from '../steps/step.ts';
import type { CommandContext } from './command-context.ts';
import { findNetwork } from './find-network.ts';
import { adapterRefused, readOtherNetworks, reportOverlaps } from './other-networks.ts';
import { setRemoteSubnets } from './remote-subnets.ts';

/** The network of a request: found, or `planned` to be created. */
export interface NetworkPlan {
  readonly config: NetworkConfig;
  readonly found: ObservedNetwork | undefined;
  readonly planned: IdentifiedNetwork;
  readonly adapters: readonly HostAdapter[];
}

/** A network to create endpoints on. */
export interface EnsuredNetwork {
  readonly network: IdentifiedNetwork;
  /** The step that created it, if this request did. */
  readonly created: Step<'create network'> | undefined;
}

/** How long another request's network may take to appear, and HNS to release the adapter of a deleted network. */
export const raceMilliseconds = 3_000;

/** How long HNS may take to finish a network. */
export const readyMilliseconds = 20_000;

/** How long HNS assigns no address on a Transparent network it has just created. */
const transparentMilliseconds = 2_000;

/**
 * Finds the network of a configuration, or plans its creation. While another request creates the network, the node's adapters give no
 * usable answer, so a failed choice of the adapter waits up to 3 s for the network. Throws as `resolveNetwork` and `checkHostEndpoint`
 * do.
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
  const adapters = needsAdapters(config, found) ? await ipHelper.readAdapters() : [];
  const planned = resolveNetwork(config, found, adapters);
  checkHostEndpoint(config, planned, adapters);
  return { config, found, planned, adapters };
}

/**
 * The network to create an endpoint on: found, or created with the policies that HNS takes only afterwards and its remote subnets. Throws code 11 if HNS does
 * not finish it within 20 s; the network remains, because deleting it would only make the next request start over.
 */
export async function ensureNetwork(plan: NetworkPlan, context: CommandContext): Promise<EnsuredNetwork> {
  const { found, config } = plan;
  const { hcn, changes } = context;
  if (found !== undefined && isReady(found)) return { network: found, created: undefined };
  const { id, created } = found
    ? { id: found.ID, created: undefined }
    : await createNetwork(plan, context, 'may retry');
  const network = await changes.waitFor<IdentifiedNetwork>(
    readyMilliseconds,
    () => findReady(id, context),
    () => hcn.findNetworkById(id),
  );
  if (network === undefined) {
    if (created !== undefined) changes.keep(created);
    const message = `network "${config.name}" has no usable address of the node after ${readyMilliseconds / 1000} s`;
    const later = config.remoteSubnets.length > 0 ? '; then run win-hcn network sync FILE --yes' : '';
    const details = `check that the adapter is up and has an address: Get-NetIPAddress${later}`;
    throw new CniError(code.tryAgainLater, message, { details });
  }
  if (network.Type?.toLowerCase() === 'transparent') await changes.pause(transparentMilliseconds);
  if (created !== undefined) {
    await addPolicies(config, network.ID, context);
    await setRemoteSubnets(config, network, context).catch((error: unknown) => {
      throw withDetails(error, 'if another pod keeps the network, run win-hcn network sync FILE --yes');
    });
    if (isExternal(config.networkType)) await reportOverlaps(network, plan.adapters, context);
  }
  return { network, created };
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
): Promise<{ readonly id: NetworkId; readonly created: Step<'create network'> | undefined }> {
  const { config, planned: document, adapters } = plan;
  const { hcn, changes, notice } = context;
  const external = isExternal(config.networkType);
  if (external && retry === 'may retry') notice(interruptionWarning(document));
  const step = { do: 'create network', id: document.ID, document } as const;
  try {
    await changes.apply(step);
    return { id: document.ID, created: step };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const isAdapterBusy = external && isAdapterMissing(error.hresult);
    const others = isAdapterBusy ? await readOtherNetworks(document, context) : [];
    if (findAdapterUse(document, others, adapters)?.isExclusive)
      throw await adapterRefused(error, plan, others, context);
    const isRace = isAdapterBusy || error.hresult === hresultOf('E_FAIL') || isNetworkExisting(error.hresult);
    const find = () => findNetwork(config, hcn);
    const network = await poll(context, isRace ? raceMilliseconds : 0, find).catch((lookup: unknown) => {
      throw afterRefusal(error, lookup);
    });
    if (network !== undefined) {
      resolveNetwork(config, network, adapters);
      return { id: network.ID, created: undefined };
    }
    if (isAdapterBusy && retry === 'may retry') return createNetwork(plan, context, 'last try');
    throw isAdapterBusy ? await adapterRefused(error, plan, others, context) : error;
  }
}

/** Adds HostRoute. The network works without it, so a failure is only a notice, as in flannel and Calico. */
async function addPolicies(
  config: NetworkConfig,
  id: NetworkId,
  { changes, notice }: CommandContext,
): Promise<void> {
  const policies = policiesAfterCreation(config);
  if (policies.length === 0) return;
  try {
    await changes.apply({ do: 'add network policies', id, name: config.name, policies });
  } catch (error) {
    notice(`network "${config.name}" lacks HostRoute: ${toCniError(error).message}`);
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
async function hasNodeAddress(network: ObservedNetwork, { hcn, ipHelper }: CommandContext): Promise<boolean> {
  if (hasManagementAddress(network)) return isUsableAddress(await hcn.findManagementAddress(network.ID));
  if (!isOverlay(network)) return true;
  const provider = providerAddressOf(network);
  const adapters = await ipHelper.readAdapters();
  return adapters.some(({ addresses }) => addresses.some(({ address }) => address === provider));
}
