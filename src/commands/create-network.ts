import { afterRefusal, withDetails } from '../cni/error.ts';
import { type HcnError, isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { hresultOf, isAdapterMissing, isNetworkExisting } from '../hcn/hresults.ts';
import { describeAdapters } from '../plan/adapter-selector.ts';
import { resolveNetwork } from '../plan/network.ts';
import { interruptionWarning, isExternal } from '../plan/network-adapter.ts';
import { apply } from './apply.ts';
import type { CommandContext } from './command-context.ts';
import type { NetworkPlan } from './look-at-network.ts';
import { poll } from './poll.ts';
import type { Undo } from './undo.ts';

/** How long another request's network may take to appear, and HNS to release the adapter of a deleted network. */
const raceMilliseconds = 3_000;

export interface Created {
  /** The id to find the network by. HNS may have chosen another one, which the network's document shows. */
  readonly id: Guid;
  /** Removes the network from the undo stack; undefined if another request created it. */
  readonly keep: (() => void) | undefined;
}

/**
 * Creates a network, or returns the one that another request creates at the same time: HCN refuses the second creation, and may list
 * the network up to 3 s later. HNS may release the adapter of a deleted network seconds later (microsoft/hcsshim#95): if no other
 * request's network appears, the creation is retried once. Throws HCN's refusal otherwise.
 */
export function createNetwork(plan: NetworkPlan, host: CommandContext, undo: Undo): Promise<Created> {
  if (isExternal(plan.config.networkType)) host.notice(interruptionWarning(plan.planned));
  return create(plan, host, undo, true);
}

async function create(
  plan: NetworkPlan,
  host: CommandContext,
  undo: Undo,
  mayRepeat: boolean,
): Promise<Created> {
  const { config, planned: document, adapters } = plan;
  const { ID: id } = document;
  try {
    return { id, keep: await apply({ do: 'create network', id, document }, host.hcn, undo) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const isAdapterBusy = isExternal(config.networkType) && isAdapterMissing(error.hresult);
    const isRace = isAdapterBusy || error.hresult === hresultOf('E_FAIL') || isNetworkExisting(error.hresult);
    const find = () => host.hcn.findNetwork(config.name);
    const network = await poll(host, isRace ? raceMilliseconds : 0, find).catch((looking: unknown) => {
      throw afterRefusal(error, looking);
    });
    if (network !== undefined) {
      resolveNetwork(config, network, adapters);
      return { id: network.ID, keep: undefined };
    }
    if (mayRepeat && isAdapterBusy) return create(plan, host, undo, false);
    throw error.hresult === hresultOf('HCN_E_ADAPTER_NOT_FOUND') ? await withAdapters(error, host) : error;
  }
}

/** The failure, with the node's adapters in its details. */
async function withAdapters(error: HcnError, { ipHelper }: CommandContext) {
  const adapters = await ipHelper.readAdapters().then(describeAdapters, () => undefined);
  return withDetails(error, adapters);
}
