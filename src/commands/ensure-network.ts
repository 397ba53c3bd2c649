import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { type HcnError, isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { describeAdapters } from '../plan/adapter.ts';
import { type PlannedNetwork, planNetwork } from '../plan/network.ts';
import { hasManagementAddress, isReady, isUsableAddress } from '../plan/observed-network.ts';
import { apply } from './apply.ts';
import { withDetails } from './failures.ts';
import type { Host } from './host.ts';
import { poll } from './poll.ts';
import type { Undo } from './undo.ts';

/** How long HNS may take to finish a network, and how long another request's may take to appear. */
const readyMilliseconds = 20_000;
const raceMilliseconds = 3_000;

/** How long HNS takes no address on a Transparent network it has just created. */
const slowMilliseconds = 2_000;

const unspecified = 0x80004005;
const adapterNotFound = 0x803b0006;

/** The network a request is about: found, or `planned` to be created. */
export interface NetworkPlan {
  readonly config: NetworkConfig;
  readonly found: ObservedNetwork | undefined;
  readonly planned: PlannedNetwork;
  readonly adapters: readonly HostAdapter[];
}

export interface Ensured {
  readonly network: ObservedNetwork;
  /** Takes a network this request created off the undo stack. */
  readonly keep: () => void;
}

const nothing = (): void => undefined;

/**
 * The network to put an endpoint on: found, or created. One that HNS has not finished within the time limit is error 11 and
 * stays: taking it back would only make the next request start anew.
 */
export async function ensureNetwork(plan: NetworkPlan, host: Host, undo: Undo): Promise<Ensured> {
  const { found } = plan;
  if (found !== undefined && isReady(found)) return { network: found, keep: nothing };
  const { id, keep } = found ? { id: found.ID, keep: nothing } : await create(plan, host, undo);
  const ready = await poll(host, readyMilliseconds, () => findReady(id, host.hcn));
  if (ready !== undefined && isSlow(ready)) await pause(host, slowMilliseconds);
  if (ready !== undefined) return { network: ready, keep };
  keep();
  const message = `network "${plan.config.name}" got no usable address of the node within ${readyMilliseconds / 1000} s`;
  const details = 'check that the adapter is up and has an address: Get-NetIPAddress';
  throw new CniError(code.tryAgainLater, message, { details });
}

function isSlow({ Type }: ObservedNetwork): boolean {
  return Type.toLowerCase() === 'transparent';
}

function pause({ timer }: Host, milliseconds: number): Promise<void> {
  return new Promise((resolve) => timer(milliseconds, resolve));
}

async function findReady(id: Guid, hcn: HcnClient): Promise<ObservedNetwork | undefined> {
  const network = await hcn.findNetworkById(id);
  if (network === undefined || !isReady(network)) return undefined;
  const usable = !hasManagementAddress(network) || isUsableAddress(await hcn.findManagementAddress(id));
  return usable ? network : undefined;
}

interface Created extends Pick<Ensured, 'keep'> {
  readonly id: Guid;
}

/**
 * Two requests may create the network at once: HCN takes one of them. The other one finds what that one made, at once or, where
 * HNS said no more than that it failed, a little later.
 */
async function create({ config, planned, adapters }: NetworkPlan, host: Host, undo: Undo): Promise<Created> {
  const { hcn } = host;
  const { ID: id, ...document } = planned;
  let keep: () => void;
  try {
    keep = await apply({ do: 'create network', id, document }, hcn, undo);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const patience = [unspecified, adapterNotFound].includes(error.hresult) ? raceMilliseconds : 0;
    const network = await poll(host, patience, () => hcn.findNetwork(config.name));
    if (network === undefined)
      throw error.hresult === adapterNotFound ? await withAdapters(error, host) : error;
    planNetwork(config, network, adapters);
    return { id: network.ID, keep: nothing };
  }
  return { id, keep };
}

/** The failure with the adapters there are to choose from. */
async function withAdapters(error: HcnError, { ipHelper }: Host): Promise<CniError> {
  const adapters = await ipHelper.readAdapters().then(describeAdapters, () => undefined);
  return withDetails(error, adapters);
}
