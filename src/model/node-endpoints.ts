import { sourceVipHolders } from '../config/source-vip.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { hostEndpointId, hostEndpointName, sourceVipId, sourceVipName } from './identity.ts';

interface Identity {
  readonly id: EndpointId;
  readonly name: string | undefined;
}

/** Whether an endpoint is the node's on a network, by its derived id, or by its name if HNS generated the id or another program created it. */
export function isHostEndpoint({ id, name }: Identity, network: string): boolean {
  return id === hostEndpointId(network) || name === hostEndpointName(network);
}

/** Whether an endpoint is the source VIP of a network, in the same way. */
export function isSourceVip({ id, name }: Identity, network: string): boolean {
  return id === sourceVipId(network) || name === sourceVipName(network);
}

/** Whether an endpoint belongs to the node and not to a container. */
export function isNodeEndpoint(endpoint: Identity, network: string): boolean {
  return isHostEndpoint(endpoint, network) || isSourceVip(endpoint, network);
}

/** Whether an IPAM plugin's reservation is of a source VIP: by win-hcn or rke2, or by the scripts of sig-windows-tools. */
export function isSourceVipReservation({
  container,
  interface: ifname,
}: {
  readonly container?: string;
  readonly interface?: string;
}): boolean {
  return sourceVipHolders.some((holder) => container === holder.containerID && ifname === holder.ifname);
}
