import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnReader } from '../hcn/client.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import { networkId } from '../model/identity.ts';

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
