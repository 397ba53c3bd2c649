import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { providerAddressOf, subnetsOf } from '../../model/network-document.ts';
import { contains, formatPrefix, networkOf as subnetOf } from '../../net/prefix.ts';
import { adapterAt, localEndpoint, type NodeState, networkOf } from '../path/node-state.ts';
import { overlayNetworks, routerMacOf } from '../path/overlay.ts';
import type { Frame, Tunnel } from '../path/packet.ts';

/** What must exist where a frame arrives, so that the packet reaches its destination and the reply comes back: a sentence each. */
export function otherSideNeeds(frame: Frame, node: NodeState): readonly string[] {
  return frame.tunnel === undefined ? routedNeeds(frame, node) : tunnelNeeds(frame.tunnel, node);
}

function tunnelNeeds({ source, destination, vsid, port, macAddress }: Tunnel, node: NodeState) {
  const network = overlayNetworks(node).find((one) => providerAddressOf(one) === source);
  const router = network && routerMacOf(network);
  const subnets = network === undefined ? [] : subnetsOf(network).map((one) => one.IpAddressPrefix);
  return [
    `Node ${destination} must receive it: VSID ${vsid}, distributed router (DrMacAddress, on Linux the VTEP) with ` +
      `${macText(macAddress, 'the MAC address of the inner frame')}, and a firewall that allows UDP ${port}.`,
    `For replies, node ${destination} needs a remote subnet ${subnets.join(', ')} with provider address ${source}, VSID ${vsid} and ` +
      `${macText(router, "the MAC address of this node's distributed router")}.`,
  ];
}

function macText(address: string | undefined, unknown: string): string {
  return address === undefined ? unknown : `MAC address ${address}`;
}

function routedNeeds({ interfaceIndex, nextHop, packet }: Frame, node: NodeState): readonly string[] {
  const { source, destination } = packet;
  const adapter = adapterAt(node, interfaceIndex);
  const own = adapter?.addresses ?? [];
  const pod = localEndpoint(node, source);
  const isOnLink = own.some((prefix) => contains(prefix, source));
  const back = own.find((prefix) => contains(prefix, nextHop))?.address;
  const isReachable = own.length === 0 || own.some((prefix) => contains(prefix, nextHop));
  return [
    ...(isReachable
      ? []
      : [
          `A router on the physical network must have the address ${nextHop}: it is not in the subnet of "${adapter?.alias}", and this node does not have it.`,
        ]),
    ...(nextHop === destination ? [] : [`${nextHop} must forward it to ${destination}.`]),
    ...(pod === undefined || isOnLink || networkOf(pod, node) === undefined
      ? []
      : [
          `For replies, ${nextHop} needs a route to ${podSubnet(pod, source)}${back === undefined ? '' : ` via ${back}`}.`,
        ]),
  ];
}

function podSubnet({ IpConfigurations = [] }: ObservedEndpoint, address: string): string {
  const length = IpConfigurations.find(({ IpAddress }) => IpAddress === address)?.PrefixLength;
  return length === undefined ? address : formatPrefix(subnetOf({ address, length }));
}
