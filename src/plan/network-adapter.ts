import { invalidConfig } from '../cni/error.ts';
import type { NetworkConfig, NetworkType } from '../config/network-config.ts';
import { bindingPolicies } from '../config/network-keys.ts';
import type { HostComputeNetwork } from '../hcn/documents.ts';
import { boundAdapter, boundHostAdapter, settingsOf } from '../model/network-document.ts';
import { isDecimal, parseAddress } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { parseMac } from '../net/mac.ts';
import { parsePrefix } from '../net/prefix.ts';
import { chooseAdapter, findAdapter } from './adapter-selector.ts';

/** The types whose virtual switch is bound to a network adapter. */
const external: readonly NetworkType[] = ['L2Bridge', 'L2Tunnel', 'Overlay', 'Transparent'];

/** Whether networks of a type are bound to a network adapter. Creating one interrupts the adapter for some seconds. */
export function isExternal(type: string): boolean {
  return external.some((known) => isSameName(known, type));
}

/** Returns a warning that creating a network interrupts the node's adapter. */
export function interruptionWarning(network: HostComputeNetwork): string {
  const name = boundAdapter(network);
  const adapter = name === undefined ? 'the adapter that HNS chooses' : `adapter "${name}"`;
  return (
    `creating network "${network.Name}" interrupts ${adapter}, usually for 6 to 20 s: connections to the node through it, such as ` +
    'RDP and SSH, may break, and the adapter may lose a static address (microsoft/SDN#498)'
  );
}

/** Whether the host's adapters are needed to determine the one that the network is or will be bound to. */
export function needsAdapters(config: NetworkConfig, observed: HostComputeNetwork | undefined): boolean {
  if (!isExternal(config.networkType)) return false;
  if (config.mtu !== undefined || config.hostEndpoint !== undefined) return true;
  const { adapter } = config;
  if (observed === undefined) return !isBound(config);
  const bound = boundAdapter(observed);
  return (
    adapter !== undefined && bound !== undefined && !isInterfaceName(adapter) && !isSameName(adapter, bound)
  );
}

/**
 * Returns the interface name of the adapter to bind the network to; undefined leaves the choice to HNS or to a policy of the
 * configuration. HNS refuses an unknown interface name. Throws as `chooseAdapter` does.
 */
export function resolveAdapterName(
  config: NetworkConfig,
  observed: HostComputeNetwork | undefined,
  adapters: readonly HostAdapter[],
): string | undefined {
  const { adapter, networkType, behavior } = config;
  if (!isExternal(networkType) || isBound(config)) return undefined;
  const isKnown = adapters.some(({ alias }) => isSameName(alias, adapter ?? ''));
  if (adapter !== undefined && isInterfaceName(adapter) && (observed !== undefined || !isKnown))
    return adapter;
  if (observed === undefined) {
    const choose = behavior.adapter === 'HNS decides' ? findAdapter : chooseAdapter;
    return choose(adapter, adapters)?.alias;
  }
  const bound = boundAdapter(observed);
  const isSame = adapter === undefined || bound === undefined || isSameName(adapter, bound);
  // An adapter below a virtual switch can lose its index and address, so a selector without a match does not mean another adapter.
  return isSame ? bound : (findAdapter(adapter, adapters)?.alias ?? bound);
}

function isBound({ networkPolicies }: NetworkConfig): boolean {
  return bindingPolicies.some((type) => settingsOf(networkPolicies, type) !== undefined);
}

/** Whether a selector is not an index, MAC address, IP address, prefix or virtual switch's adapter. */
function isInterfaceName(selector: string): boolean {
  const readers = [parseMac, parseAddress, parsePrefix];
  const isOther = isDecimal(selector) || /^vEthernet \(/i.test(selector);
  return !isOther && readers.every((read) => read(selector) === undefined);
}

/** Compares names as Windows and HNS do, which ignore case. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** An interface without IP bound to it reports this MTU or more. */
const unboundMtu = 65535;

/** Size of the headers that an Overlay network adds to each packet, in bytes. */
const vxlanHeaders = 50;

/**
 * Returns the difference between the adapter's MTU and the configured one, in bytes; undefined if the configuration has no MTU. Throws
 * code 7 if the configured MTU is too large for the adapter.
 */
export function encapOverhead(
  { mtu, networkType }: NetworkConfig,
  network: HostComputeNetwork,
  adapters: readonly HostAdapter[],
): number | undefined {
  if (mtu === undefined) return undefined;
  const name = boundAdapter(network);
  const bound = boundHostAdapter(network, adapters);
  const sameMac = adapters.filter(({ mac }) => mac !== undefined && mac === bound?.mac);
  const physical = sameMac.map((adapter) => adapter.mtu).find((value) => value < unboundMtu);
  if (physical === undefined) {
    throw invalidConfig(
      `/mtu is ${mtu}, but the MTU of the adapter of network "${network.Name}" is unknown`,
      `according to HNS, the network is bound to ${name ?? 'no adapter'}; set "adapter"`,
    );
  }
  const largest = physical - (networkType === 'Overlay' ? vxlanHeaders : 0);
  if (mtu > largest) throw invalidConfig(`/mtu is ${mtu}, but adapter ${name} allows at most ${largest}`);
  return physical - mtu;
}
