import type { ObservedNetwork } from '../../hcn/documents.ts';
import { addressesIn } from '../../hcn/documents.ts';
import { isOverlay, providerAddressOf, settingsOf, subnetsOf } from '../../model/network-document.ts';
import { isRemote } from '../../model/ownership.ts';
import { isAttached } from '../../model/readiness.ts';
import { familyOf, parseAddress } from '../../net/address.ts';
import { parseMac } from '../../net/mac.ts';
import { prefixTables } from '../traffic/match-traffic.ts';
import {
  adapterWith,
  hasSubnetWith,
  isHostEndpoint,
  localEndpoint,
  type NodeState,
  receiverOf,
} from './node-state.ts';
import type { Tunnel } from './packet.ts';
import type { Evidence } from './path.ts';
import { sdnRouteDoubt, sdnRouteTo } from './sdn-route.ts';
import { type Context, lost, type Position, type Step, switchHop, unknown } from './step.ts';

type AtSwitch = Extract<Position, { at: 'virtual switch' }>;

/** The UDP port of VXLAN, unless the network has a VxlanPort policy. */
const vxlanPort = 4789;

/**
 * Forwards a packet on an Overlay network: to a local endpoint, by VXLAN to the node of a remote subnet, or outside.
 * https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies
 */
export function forwardInOverlay(
  { network, endpoint, isBalanced, packet }: AtSwitch,
  { node, state }: Context,
): readonly Step[] {
  const { destination, source } = packet;
  const hop = (did: string, rule?: string, tunnel?: Tunnel, evidence: Evidence = 'documented') =>
    switchHop(network, {
      did,
      ...(rule !== undefined && { rule }),
      evidence: tunnel === undefined ? evidence : 'source',
      packet,
      ...(tunnel !== undefined && { tunnel }),
    });
  if (familyOf(destination) === 'IPv6')
    return [
      unknown(hop('may not forward it'), 'Kubernetes documents that Overlay networks do not support IPv6.'),
    ];
  const local = localEndpoint(node, destination, [network]);
  if (local !== undefined && isHostEndpoint(local, node))
    return [
      {
        hops: [hop('sends it to the node')],
        to: { at: 'node', packet, received: receiverOf(node, destination) },
      },
    ];
  if (local !== undefined)
    return [{ hops: [hop('sends it to a local endpoint')], to: { at: 'port in', endpoint: local, packet } }];
  const remote = findRemote(network, destination, node);
  if (remote.is === 'ambiguous') return [unknown(hop('encapsulates it'), remote.because)];
  if (remote.is === 'one') {
    const { tunnel, rule } = remote;
    const doubtful = (evidence: Evidence) => hop('may encapsulate it', rule, undefined, evidence);
    if (adapterWith(node, tunnel.destination) !== undefined)
      return [unknown(doubtful('inferred'), ownProvider(tunnel.destination))];
    if (isEmpty(network, node)) return [unknown(doubtful('observed'), emptyNetwork)];
    if (endpoint === undefined && isBalanced !== true) return [unknown(doubtful('reported'), hostToRemote)];
    return [
      {
        hops: [hop(`encapsulates it for node ${tunnel.destination}`, rule, tunnel)],
        to: { at: 'adapter', packet, tunnel },
      },
    ];
  }
  if (isGateway(network, destination))
    return [unknown(hop('may answer it', undefined, undefined, 'inferred'), gatewayOnly(destination))];
  if (hasSubnetWith(network, destination))
    return [lost(hop('drops it'), `No endpoint of network "${network.Name}" has address ${destination}.`)];
  const own = adapterWith(node, destination);
  if (own !== undefined) {
    // Kubernetes documents that nodes reach pods, so the replies of pods reach the node.
    return endpoint !== undefined && state.ports.includes(endpoint.ID)
      ? [{ hops: [hop('sends the reply to the node')], to: { at: 'node', packet, received: own.index } }]
      : [unknown(hop('may send it to the node'), podToNode)];
  }
  const sdnRoute = endpoint && sdnRouteTo(endpoint, destination);
  if (sdnRoute !== undefined)
    return [unknown(hop('may send it around the gateway', sdnRoute.rule), sdnRouteDoubt)];
  const isTranslated = endpoint !== undefined && !addressesIn(endpoint).includes(source);
  return [
    {
      hops: [
        hop(
          isTranslated
            ? 'sends it to the physical network'
            : 'sends it to the physical network without encapsulation',
          'no RemoteSubnetRoute',
          undefined,
          isTranslated ? 'documented' : 'reported',
        ),
      ],
      to: { at: 'adapter', packet },
    },
  ];
}

/** Whether no pod of the node is on a network. */
function isEmpty({ ID }: ObservedNetwork, { inventory }: NodeState): boolean {
  return !inventory.endpoints.some((endpoint) => endpoint.HostComputeNetwork === ID && isAttached(endpoint));
}

const ownProvider = (address: string) =>
  `The RemoteSubnetRoute leads to ${address}, an address of this node itself, and what HNS does then is not documented.`;

/** Whether an address is a gateway of an Overlay network: the distributed router has it, and no endpoint. */
export function isGateway(network: ObservedNetwork, address: string): boolean {
  return subnetsOf(network).some(({ Routes = [] }) => Routes.some(({ NextHop }) => NextHop === address));
}

/** Why the fate of a packet for a gateway is unknown. */
export const gatewayOnly = (address: string) =>
  `${address} is the gateway of the network, and HNS does not document how the distributed router handles packets for itself.`;

const emptyNetwork =
  'RemoteSubnetRoutes were observed to have no effect until a pod of the node is on the network (projectcalico/calico#8569).';

const hostToRemote =
  'Reports conflict on whether the node itself reaches remote subnets of an Overlay network (flannel-io/flannel#1096, projectcalico/calico#8569).';

const podToNode =
  'Kubernetes documents that pods reach nodes, but pods of Overlay networks were observed not to reach their own node (flannel-io/flannel#1369).';

type Remote =
  | { readonly is: 'one'; readonly tunnel: Tunnel; readonly rule: string }
  | { readonly is: 'ambiguous'; readonly because: string }
  | { readonly is: 'none' };

/** The node to which an Overlay network sends an address: by RemoteSubnetRoute, otherwise by a remote endpoint. */
function findRemote(network: ObservedNetwork, address: string, node: NodeState): Remote {
  const source = providerAddressOf(network);
  const port = Number(settingsOf(network.Policies, 'VxlanPort')?.['Port'] ?? vxlanPort);
  const [best, ...others] = remoteSubnetTable(network)(address);
  if (best === undefined) {
    const isKnown = node.inventory.endpoints.some(
      (one) =>
        isRemote(one) &&
        one.HostComputeNetwork === network.ID &&
        addressesIn(one).includes(address) &&
        providerAddressOf(one) !== undefined,
    );
    if (!isKnown) return { is: 'none' };
    return {
      is: 'ambiguous',
      because: `No RemoteSubnetRoute contains ${address}, only a remote endpoint has it: which MAC address HNS sends to is not documented.`,
    };
  }
  if (others.some(({ key }) => key !== best.key))
    return {
      is: 'ambiguous',
      because: `Several RemoteSubnetRoutes of ${best.prefix} differ, and which one applies is not documented.`,
    };
  if (source === undefined)
    return { is: 'ambiguous', because: `Network "${network.Name}" has no ProviderAddress yet.` };
  const { destination, vsid, macAddress } = best;
  if (parseAddress(destination) === undefined)
    return {
      is: 'ambiguous',
      because: `The RemoteSubnetRoute of ${best.prefix} has no valid ProviderAddress.`,
    };
  return {
    is: 'one',
    rule: `RemoteSubnetRoute ${best.prefix}`,
    tunnel: { source, destination, vsid, port, ...(macAddress !== undefined && { macAddress }) },
  };
}

function remoteSubnetRoutes({ Policies = [] }: ObservedNetwork) {
  return Policies.flatMap(({ Type, Settings = {} }) => {
    if (Type.toLowerCase() !== 'remotesubnetroute') return [];
    const { DestinationPrefix, IsolationId, ProviderAddress, DistributedRouterMacAddress } = Settings;
    const macAddress = parseMac(String(DistributedRouterMacAddress));
    const vsid = Number(IsolationId ?? 0);
    const destination = String(ProviderAddress);
    return {
      prefix: String(DestinationPrefix),
      vsid,
      destination,
      macAddress,
      key: [vsid, destination, macAddress].join(),
    };
  });
}

const remoteSubnetTable = prefixTables(remoteSubnetRoutes, ({ prefix }) => prefix);

/** The remote subnets of an Overlay network. */
export function remotePrefixes(network: ObservedNetwork): readonly string[] {
  return remoteSubnetRoutes(network).map(({ prefix }) => prefix);
}

/** The Overlay networks of a node. */
export function overlayNetworks({ inventory }: NodeState): readonly ObservedNetwork[] {
  return inventory.networks.filter(isOverlay);
}

/** The VSIDs of an Overlay network's subnets, by the address that a subnet contains or for all. */
export function vsidsOf(network: ObservedNetwork): readonly number[] {
  const subnets = network.Ipams?.flatMap(({ Subnets = [] }) => Subnets) ?? [];
  return subnets.flatMap(({ Policies }) => {
    const id =
      settingsOf(Policies, 'VSID')?.['IsolationId'] ?? settingsOf(network.Policies, 'VSID')?.['IsolationId'];
    return id === undefined ? [] : Number(id);
  });
}

/** The MAC address of an Overlay network's distributed router, in HCN's form; undefined until HNS has chosen it. */
export function routerMacOf(network: ObservedNetwork): string | undefined {
  return parseMac(String(settingsOf(network.Policies, 'DrMacAddress')?.['Address']));
}

export { vxlanPort };
