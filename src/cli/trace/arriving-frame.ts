import type { ObservedNetwork } from '../../hcn/documents.ts';
import { isOverlay, providerAddressOf } from '../../model/network-document.ts';
import { contains } from '../../net/prefix.ts';
import { remoteSubnetsOf } from '../../plan/remote-subnets.ts';
import { uplinksOf } from '../path/management.ts';
import { adapterWith, localEndpoint, type NodeState, networkOf } from '../path/node-state.ts';
import { routerMacOf, vsidsOf, vxlanPort } from '../path/overlay.ts';
import type { Frame, Packet, Tunnel } from '../path/packet.ts';
import { longestMatch } from '../traffic/match-traffic.ts';

/**
 * The frame in which a packet from elsewhere reaches this node if the sender's side is right: encapsulated, if the source is in a remote
 * subnet of the receiver's Overlay network. Undefined if no adapter of this node receives the packet.
 */
export function arrivingFrame(packet: Packet, node: NodeState): Frame | undefined {
  const endpoint = localEndpoint(node, packet.destination);
  const network = endpoint && networkOf(endpoint, node);
  const tunnel = network && isOverlay(network) ? tunnelFrom(packet.source, network) : undefined;
  const receivers = [
    tunnel === undefined ? adapterWith(node, packet.destination) : adapterWith(node, tunnel.destination),
    ...(network === undefined ? [] : uplinksOf(node, network)),
    node.adapters.find(({ addresses }) => addresses.some((own) => contains(own, packet.source))),
  ];
  const adapter = receivers.find((one) => one !== undefined);
  return (
    adapter && {
      interfaceIndex: adapter.index,
      nextHop: tunnel?.destination ?? packet.destination,
      packet,
      ...(tunnel !== undefined && { tunnel }),
    }
  );
}

function tunnelFrom(source: string, network: ObservedNetwork): Tunnel | undefined {
  const remote = longestMatch(remoteSubnetsOf(network), ({ subnet }) => subnet, source);
  const destination = providerAddressOf(network);
  const macAddress = routerMacOf(network);
  const [vsid] = vsidsOf(network);
  if (remote?.providerAddress === undefined || destination === undefined || vsid === undefined)
    return undefined;
  return {
    source: remote.providerAddress,
    destination,
    vsid,
    port: vxlanPort,
    ...(macAddress !== undefined && { macAddress }),
  };
}
