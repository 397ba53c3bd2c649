import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig, NetworkType } from '../config/network-config.ts';
import { bindingPolicies } from '../config/network-keys.ts';
import type { HostComputeNetwork } from '../hcn/documents.ts';
import { boundAdapter, boundHostAdapter, settingsOf } from '../model/network-document.ts';
import { parseAddress } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { parseMac } from '../net/mac.ts';
import { parsePrefix } from '../net/prefix.ts';
import { chooseAdapter } from './adapter-selector.ts';

/** The types whose virtual switch is bound to a network adapter. */
const external: readonly NetworkType[] = ['L2Bridge', 'L2Tunnel', 'Overlay', 'Transparent'];

/** Whether a network of a type is bound to a network adapter, which its creation takes away for some seconds. */
export function isExternal(type: string): boolean {
  return external.some((one) => same(one, type));
}

/** A warning about what creating a network on an adapter does to the node. */
export function interruptionWarning(network: HostComputeNetwork): string {
  const name = boundAdapter(network);
  const adapter = name === undefined ? 'the adapter that HNS chooses' : `adapter "${name}"`;
  return (
    `creating network "${network.Name}" interrupts ${adapter}, usually for 6 to 20 s: connections to the node through it, such as ` +
    'RDP and SSH, may break, and the adapter may lose a static address (microsoft/SDN#498)'
  );
}

/** Whether the host's adapters must be known to tell which one the network is or will be bound to. */
export function needsAdapters(config: NetworkConfig, observed: HostComputeNetwork | undefined): boolean {
  if (!isExternal(config.networkType)) return false;
  if (config.mtu !== undefined || config.hostEndpoint !== undefined) return true;
  const { adapter } = config;
  if (observed === undefined) return !isBound(config);
  const bound = boundAdapter(observed);
  return adapter !== undefined && bound !== undefined && !isInterfaceName(adapter) && !same(adapter, bound);
}

/**
 * The interface name of the adapter that the network is to be bound to; undefined leaves it to HNS, or to a policy of the
 * configuration. An interface name that no adapter has is HNS's to refuse. Throws as `chooseAdapter` does.
 */
export function resolveAdapterName(
  config: NetworkConfig,
  observed: HostComputeNetwork | undefined,
  adapters: readonly HostAdapter[],
): string | undefined {
  const { adapter, networkType, behavior } = config;
  if (!isExternal(networkType) || isBound(config)) return undefined;
  const isKnown = adapters.some(({ alias }) => same(alias, adapter ?? ''));
  if (adapter !== undefined && isInterfaceName(adapter) && (observed !== undefined || !isKnown))
    return adapter;
  if (observed === undefined) {
    const mayBeOpen = behavior.adapter === 'HNS decides';
    return mayBeOpen ? findAdapter(adapter, adapters)?.alias : chooseAdapter(adapter, adapters).alias;
  }
  const bound = boundAdapter(observed);
  const isSame = adapter === undefined || bound === undefined || same(adapter, bound);
  return isSame ? bound : (findAdapter(adapter, adapters)?.alias ?? bound);
}

/** Under a virtual switch an adapter may have lost its index and address: what then means none cannot mean another one. */
function findAdapter(
  selector: string | undefined,
  adapters: readonly HostAdapter[],
): HostAdapter | undefined {
  try {
    return chooseAdapter(selector, adapters);
  } catch {
    return undefined;
  }
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

/** No adapter's MTU: an interface that IP is not bound to reports this or more. */
const unbound = 65535;

/** What an Overlay network puts before every packet, in bytes. */
const vxlanHeaders = 50;

/**
 * How much smaller an endpoint's packets are to be than the adapter's, in bytes; undefined where the configuration names no MTU.
 * Throws code 7 for an MTU the adapter does not have room for.
 */
export function encapOverhead(
  { mtu, networkType }: NetworkConfig,
  network: HostComputeNetwork,
  adapters: readonly HostAdapter[],
): number | undefined {
  if (mtu === undefined) return undefined;
  const name = boundAdapter(network);
  const bound = boundHostAdapter(network, adapters);
  const above = adapters.filter(({ mac }) => mac !== undefined && mac === bound?.mac);
  const physical = above.map((adapter) => adapter.mtu).find((one) => one < unbound);
  if (physical === undefined) {
    throw new CniError(
      code.invalidConfig,
      `/mtu is ${mtu}, and the MTU of the adapter of network "${network.Name}" is not known`,
      { details: `HNS says it is bound to ${name ?? 'no adapter'}; give "adapter"` },
    );
  }
  const largest = physical - (networkType === 'Overlay' ? vxlanHeaders : 0);
  if (mtu > largest) {
    throw new CniError(
      code.invalidConfig,
      `/mtu is ${mtu}, and adapter ${name} has room for ${largest}: expected no more than that`,
    );
  }
  return physical - mtu;
}
