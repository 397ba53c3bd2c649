import type { NetworkConfig, NetworkType } from '../config/network-config.ts';
import type { HostComputeNetwork } from '../hcn/documents.ts';
import { parseAddress } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { parseMac } from '../net/mac.ts';
import { parsePrefix } from '../net/prefix.ts';
import { chooseAdapter } from './adapter.ts';
import { boundAdapter, settingsOf } from './observed-network.ts';

/** The types whose virtual switch is bound to a network adapter. */
const external: readonly NetworkType[] = ['L2Bridge', 'L2Tunnel', 'Overlay', 'Transparent'];

/** The network policies by which a configuration says itself what HNS is to bind to. */
const bindingPolicies = ['NetAdapterName', 'ProviderAddress', 'InterfaceConstraint'];

/** Whether the host's adapters must be known to tell which one the network is or will be bound to. */
export function needsAdapters(config: NetworkConfig, observed: HostComputeNetwork | undefined): boolean {
  if (!external.includes(config.networkType)) return false;
  if (config.mtu !== undefined) return true;
  const { adapter } = config;
  if (observed === undefined) return !isBound(config) && (adapter === undefined || !isInterfaceName(adapter));
  const bound = boundAdapter(observed);
  return adapter !== undefined && bound !== undefined && !isInterfaceName(adapter) && !same(adapter, bound);
}

/**
 * The interface name of the adapter that the network is to be bound to; undefined leaves it to HNS, or to a policy of the
 * configuration. HNS itself verifies an interface name. Throws as `chooseAdapter` does.
 */
export function adapterName(
  config: NetworkConfig,
  observed: HostComputeNetwork | undefined,
  adapters: readonly HostAdapter[],
): string | undefined {
  const { adapter, networkType } = config;
  if (!external.includes(networkType) || isBound(config)) return undefined;
  if (adapter !== undefined && isInterfaceName(adapter)) return adapter;
  const bound = observed && boundAdapter(observed);
  if (observed !== undefined && (adapter === undefined || bound === undefined || same(adapter, bound))) {
    return bound;
  }
  return chooseAdapter(adapter, adapters).alias;
}

function isBound({ networkPolicies }: NetworkConfig): boolean {
  return bindingPolicies.some((type) => settingsOf(networkPolicies, type) !== undefined);
}

/** Not an index, a MAC address, an address or a prefix, and no adapter of a virtual switch. */
function isInterfaceName(selector: string): boolean {
  const readers = [parseMac, parseAddress, parsePrefix];
  const isOther = /^\d+$/.test(selector) || /^vEthernet \(/i.test(selector);
  return !isOther && readers.every((read) => read(selector) === undefined);
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
