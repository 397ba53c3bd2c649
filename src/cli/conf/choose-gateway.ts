import { familyOf } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { firstHost, formatPrefix, isHostIn, type Prefix, secondHost } from '../../net/prefix.ts';
import { findAdapter } from '../../plan/adapter-selector.ts';
import type { ConfNode, ConfRequest } from './conf-request.ts';
import { type GatewayRule, typeRows } from './network-types.ts';

/** The default gateway of a subnet. */
export interface Gateway {
  /** Undefined if the network has none. */
  readonly address: string | undefined;
  /** The address of the node's own endpoint, which is then the pods' gateway. */
  readonly hostEndpoint?: string;
  /** Why this address, in a sentence. */
  readonly reason: string;
}

/** The gateway of a subnet, or why `--gateway` is required. */
export function chooseGateway(
  subnet: Prefix,
  request: ConfRequest,
  node: ConfNode,
): Gateway | { readonly problem: string } {
  const family = familyOf(subnet.address);
  const given = request.gateways.find((address) => familyOf(address) === family);
  if (given !== undefined) return { address: given, reason: `The gateway is ${given}, as requested.` };
  const router = routersOf(request, node).find((address) => isHostIn(subnet, address));
  const routed = router !== undefined && {
    address: router,
    reason: `The gateway is ${router}, the node's own default gateway.`,
  };
  const first = firstHost(subnet);
  const firstIs = (why: string): Gateway => ({ address: first, reason: `The gateway is ${first}, ${why}.` });
  const rules: Readonly<Record<GatewayRule, () => Gateway | { readonly problem: string }>> = {
    'node or router': () => {
      if (routed !== false) return routed;
      const second = secondHost(subnet);
      if (family === 'IPv6' || second === undefined)
        return firstIs(
          'the first address: a router must have it, because the node has only an IPv4 endpoint',
        );
      return {
        address: first,
        hostEndpoint: second,
        reason: `The gateway of pods is ${second}, the node's own endpoint, because no default gateway of the node is in ${formatPrefix(subnet)}. HNS reserves ${first}. To use a router with routes to the pods of every node, replace hostEndpoint with the router's address as the gateway of the subnet.`,
      };
    },
    'router or first address': () =>
      routed || firstIs('the first address, which the router of a virtual network usually has'),
    router: () =>
      routed || {
        problem: `--gateway is required, because no default gateway of this node is in ${formatPrefix(subnet)}: specify the router of the physical network`,
      },
    switch: () => firstIs('the first address, which belongs to the virtual switch'),
    node: () => firstIs('the first address, which HNS gives to the node'),
    none: () => ({ address: undefined, reason: 'The network has no gateway.' }),
  };
  return rules[typeRows[request.type].gateway]();
}

/** The default gateways of the network's adapter, which Windows moves to the adapter of a virtual switch above it. */
function routersOf({ adapter }: ConfRequest, { adapters = [] }: ConfNode): readonly string[] {
  const chosen = findAdapter(adapter, adapters);
  const isSame = ({ alias }: HostAdapter) => findAdapter(alias, adapters) === chosen;
  return chosen === undefined ? [] : adapters.filter(isSame).flatMap(({ gateways }) => gateways);
}
