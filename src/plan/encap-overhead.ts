import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HostComputeNetwork } from '../hcn/documents.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { boundAdapter, boundHostAdapter } from './observed-network.ts';

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
