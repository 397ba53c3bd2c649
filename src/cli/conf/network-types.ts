import type { NetworkType } from '../../config/network-config.ts';

/** How a network type gets its default gateway, unless `--gateway` names it. */
export type GatewayRule =
  /** The node forwards the pods' traffic, unless a router of the node is in the subnet. */
  | 'node or router'
  /** A router of the node in the subnet; else the first address, where clouds have their router. */
  | 'router or first address'
  /** Only a router of the node in the subnet. */
  | 'router'
  /** The virtual switch, with the first address. */
  | 'switch'
  /** The node, to which HNS gives the first address. */
  | 'node'
  | 'none';

interface TypeRow {
  readonly about: string;
  readonly gateway: GatewayRule;
  /** Whether HNS can choose the subnet. */
  readonly subnetIsOptional?: true;
  /** Whether the network is bound to an adapter. */
  readonly hasAdapter?: true;
  /** Whether pods share the subnet with other hosts. */
  readonly sharesSubnet?: true;
  /** Whether pods' traffic can be translated to the node's address. */
  readonly outboundNat?: true;
  /** Whether the switch routes traffic to services. */
  readonly routesServices?: true;
  readonly capabilities: readonly string[];
  /** Further keys, with their comments. `withoutDns`: only without DNS servers. */
  readonly keys?: Readonly<Record<string, unknown>>;
  readonly keysWithoutDns?: Readonly<Record<string, unknown>>;
}

/** What a conflist of each network type needs. */
export const typeRows: Readonly<Record<NetworkType, TypeRow>> = {
  L2Bridge: {
    about: "Pods in the node's layer 2 network.",
    gateway: 'node or router',
    hasAdapter: true,
    outboundNat: true,
    routesServices: true,
    capabilities: ['dns', 'portMappings', 'bandwidth'],
  },
  L2Tunnel: {
    about: "Pods in a subnet of a cloud's virtual network, whose policies apply to every packet.",
    gateway: 'router or first address',
    hasAdapter: true,
    sharesSubnet: true,
    outboundNat: true,
    capabilities: ['dns', 'portMappings', 'bandwidth'],
    keys: {
      'x-networkFlags': "A restart of the node removes the network, because the node's addresses can change.",
      networkFlags: ['EnableNonPersistent'],
    },
  },
  Overlay: {
    about:
      "A VXLAN overlay like those of flannel and Calico. The cluster's control plane adds the routes to the subnets of other nodes.",
    gateway: 'switch',
    hasAdapter: true,
    outboundNat: true,
    routesServices: true,
    capabilities: ['dns'],
    keys: {
      'x-networkPolicies': "Lets the node connect to its pods, which kubelet's probes require.",
      networkPolicies: [{ Type: 'HostRoute' }],
    },
  },
  Transparent: {
    about: 'Pods as hosts of the physical network.',
    gateway: 'router',
    hasAdapter: true,
    sharesSubnet: true,
    capabilities: ['dns', 'ips', 'mac'],
  },
  NAT: {
    about: "Containers behind the node's address.",
    gateway: 'node',
    subnetIsOptional: true,
    capabilities: ['dns', 'portMappings'],
    keysWithoutDns: {
      'x-networkPolicies': "Containers get the node's DNS settings.",
      networkPolicies: [{ Type: 'AutomaticDNS', Settings: { Enable: true } }],
    },
  },
  ICS: {
    about: 'Internet Connection Sharing: HNS translates the addresses of containers.',
    gateway: 'node',
    subnetIsOptional: true,
    capabilities: ['dns'],
    keysWithoutDns: {
      'x-networkFlags': 'HNS answers the DNS queries of containers.',
      networkFlags: ['EnableDnsProxy'],
    },
  },
  Internal: {
    about: 'Containers and the node can connect to each other, but to nothing else.',
    gateway: 'node',
    capabilities: ['dns'],
  },
  Private: {
    about: 'Containers can connect only to each other.',
    gateway: 'none',
    capabilities: ['dns'],
  },
};
