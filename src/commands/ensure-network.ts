import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { HcnError } from '../hcn/errors.ts';
import { networkId } from '../plan/identity.ts';
import { networkDocument, planNetwork } from '../plan/network.ts';
import { isReady } from '../plan/observed-network.ts';
import { apply } from './apply.ts';
import type { Host } from './host.ts';
import type { Undo } from './undo.ts';

/** How long HNS may take to finish a network it has created, how long to another request's, and how often we look. */
const readyMilliseconds = 20_000;
const raceMilliseconds = 3_000;
const pollMilliseconds = 250;

/**
 * The network to put an endpoint on: `found`, or created. One that HNS has not finished within the time limit is error 11 and
 * stays: taking it back would only make the next request start anew.
 */
export async function ensureNetwork(
  config: NetworkConfig,
  found: ObservedNetwork | undefined,
  host: Host,
  undo: Undo,
): Promise<ObservedNetwork> {
  const { hcn } = host;
  const { network, keep } = found
    ? { network: found, keep: () => undefined }
    : await create(config, host, undo);
  if (isReady(network)) return network;
  const ready = await poll(host, readyMilliseconds, async () => {
    const observed = await hcn.findNetworkById(network.ID);
    return observed !== undefined && isReady(observed) ? observed : undefined;
  });
  if (ready !== undefined) return ready;
  keep();
  const message = `network "${config.name}" got no usable ProviderAddress within ${readyMilliseconds / 1000} s`;
  const details = 'check that the adapter is up and has an address: Get-NetIPAddress';
  throw new CniError(code.tryAgainLater, message, { details });
}

interface Created {
  readonly network: ObservedNetwork;
  /** Takes the network off the undo stack. */
  readonly keep: () => void;
}

/**
 * Two requests may create the network at once: HCN takes one of them. The other one finds what that one made, at once or, where
 * HNS said no more than that it failed, a little later.
 */
async function create(config: NetworkConfig, host: Host, undo: Undo): Promise<Created> {
  const { hcn } = host;
  const id = networkId(config.name);
  let keep: () => void;
  try {
    keep = await apply({ do: 'create network', id, document: networkDocument(config) }, hcn, undo);
  } catch (error) {
    if (!(error instanceof HcnError) || error.unavailable) throw error;
    const patience = [0x80004005, 0x803b0006].includes(error.hresult) ? raceMilliseconds : 0;
    const network = await poll(host, patience, () => hcn.findNetwork(config.name));
    if (network === undefined) throw error;
    planNetwork(config, network);
    return { network, keep: () => undefined };
  }
  const network = await hcn.findNetworkById(id);
  if (network !== undefined) return { network, keep };
  throw new CniError(code.tryAgainLater, `network "${config.name}" vanished right after its creation`);
}

/** Looks at least once, and then until there is something to see or the time is over. */
async function poll<T>(
  { timer, now }: Host,
  milliseconds: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = now() + milliseconds;
  for (;;) {
    const seen = await look();
    if (seen !== undefined || now() >= deadline) return seen;
    await new Promise<void>((resolve) => timer(pollMilliseconds, resolve));
  }
}
