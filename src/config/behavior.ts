import type { Family } from '../net/address.ts';

/** How ADD treats a configuration, where a dialect differs from win-hcn's own configuration. */
export interface Behavior {
  /** An existing network must match the configuration, or is used as it is if its type fits. */
  readonly existingNetwork: 'must match' | 'use as is';
  /** Gateways with precedence over the network's. One counts if it is in an address's subnet and is not the address itself. */
  readonly gateways: readonly string[];
  /** Gateways after those, used if the IPAM plugin returns none. */
  readonly additionalGateways: readonly string[];
  /** The families in which the second address of an assigned address's prefix has precedence over all other gateways. */
  readonly secondHostIsGateway: readonly Family[];
  /** Whether the IPAM plugin's gateway has precedence over the network's. */
  readonly preferIpamGateway: 'with default route' | 'always' | 'never';
  /** Whether an endpoint gets all routes of the IPAM plugin, or only the default routes. */
  readonly ipamRoutes: 'all' | 'default routes';
  /** Whether an endpoint's name has its interface, or only its container and network. */
  readonly endpointName: 'with interface' | 'without interface';
  /** Whether outbound NAT excludes the network's own subnets. */
  readonly exceptOwnSubnets: boolean;
  /** Whether creating a network fails without a unique adapter, or HNS chooses it. */
  readonly adapter: 'required' | 'HNS decides';
  /** Whether ACLs require `defaultAction`, or HNS decides about traffic that no ACL matches. */
  readonly defaultAction: 'required' | 'HNS decides';
  /** Whether an Overlay network that ADD creates gets HostRoute even if no policy of the configuration asks for it. */
  readonly addsHostRoute: boolean;
  /** The rule type of the ACLs for port mappings; undefined lets HNS decide. */
  readonly portMappingRuleType: 'Switch' | undefined;
}

/** The behavior of win-hcn's own configuration. */
export const defaultBehavior: Behavior = {
  existingNetwork: 'must match',
  gateways: [],
  additionalGateways: [],
  secondHostIsGateway: [],
  preferIpamGateway: 'with default route',
  ipamRoutes: 'all',
  endpointName: 'with interface',
  exceptOwnSubnets: false,
  adapter: 'required',
  defaultAction: 'required',
  addsHostRoute: true,
  portMappingRuleType: 'Switch',
};

/** What all dialects have in common. */
export const dropInBehavior: Behavior = {
  ...defaultBehavior,
  existingNetwork: 'use as is',
  preferIpamGateway: 'never',
  ipamRoutes: 'default routes',
  endpointName: 'without interface',
  adapter: 'HNS decides',
  defaultAction: 'HNS decides',
  addsHostRoute: false,
};
