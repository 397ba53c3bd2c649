import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/client.ts';
import { HcnError } from '../hcn/errors.ts';
import { isAlreadyExists } from '../hcn/hresults.ts';
import { networkId } from '../plan/identity.ts';
import { networkDocument } from '../plan/network.ts';
import { networkDifferences } from '../plan/network-differences.ts';
import { isReady } from '../plan/observed-network.ts';
import { apply } from './apply.ts';
import type { Host } from './host.ts';
import type { Undo } from './undo.ts';

/** How long HNS may take to finish a network it has created, and how often we look. */
const readyMilliseconds = 20_000;
const pollMilliseconds = 250;

/**
 * The attachment's network, created where `found` is undefined and the configuration allows it. Throws code 7 when it
 * differs from the configuration: win-hcn never changes a network that exists.
 */
export async function ensureNetwork(
  config: NetworkConfig,
  found: ObservedNetwork | undefined,
  { hcn, sleep, now }: Host,
  undo: Undo,
): Promise<ObservedNetwork> {
  let network = found ?? (await create(config, hcn, undo));
  const differences = networkDifferences(config, network);
  if (differences.length > 0) {
    throw new CniError(
      code.invalidConfig,
      `network "${config.name}" exists and is not as configured: ${differences[0]}`,
      {
        details: differences.slice(1).join('; '),
      },
    );
  }
  const deadline = now() + readyMilliseconds;
  while (!isReady(network)) {
    if (now() > deadline) {
      throw new CniError(
        code.tryAgainLater,
        `network "${config.name}" got no usable ProviderAddress within ${readyMilliseconds / 1000} s`,
        {
          details: 'check that the adapter is up and has an address: Get-NetIPAddress',
        },
      );
    }
    await sleep(pollMilliseconds);
    network = (await hcn.findNetworkById(network.ID)) ?? network;
  }
  return network;
}

/** Two requests may create the network at once: HCN takes one of them, and the other finds what that one made. */
async function create(config: NetworkConfig, hcn: Host['hcn'], undo: Undo): Promise<ObservedNetwork> {
  if (config.createNetwork === 'never') {
    throw new CniError(
      code.invalidConfig,
      `network "${config.name}" does not exist, and "createNetwork" is "never"`,
      {
        details: 'create it, or set "createNetwork" to "ifMissing"',
      },
    );
  }
  const id = networkId(config.name);
  try {
    await apply({ do: 'create network', id, document: networkDocument(config) }, hcn, undo);
  } catch (error) {
    if (!(error instanceof HcnError && isAlreadyExists(error.hresult))) throw error;
    const other = await hcn.findNetwork(config.name);
    if (other === undefined) throw error;
    return other;
  }
  const network = await hcn.findNetworkById(id);
  if (network === undefined)
    throw new CniError(code.tryAgainLater, `network "${config.name}" vanished right after its creation`);
  return network;
}
