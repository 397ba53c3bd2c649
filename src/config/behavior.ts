import type { Family } from '../net/address.ts';

/** What a configuration in another plugin's vocabulary means, and ours has no word for. */
export interface Behavior {
  /** Whether a network that exists must be as configured, or is taken as it is when its type fits. */
  readonly existingNetwork: 'must agree' | 'decides';
  /** Gateways that come before the network's own, each where it is in an address's subnet and not the address itself. */
  readonly gateways: readonly string[];
  /** Gateways that come after those, where the IPAM plugin knows none. */
  readonly additionalGateways: readonly string[];
  /** The families in which the second address of an assigned address's prefix comes before all of them. */
  readonly secondHostIsGateway: readonly Family[];
  /**
   * Where the gateway comes that an IPAM plugin knows: first if it is in a default route and else after the network's, or always before
   * or after the network's.
   */
  readonly ipamGateway: 'by its default route' | 'before the network' | 'after the network';
  /** Whether an endpoint's name says its interface, or only its container and network. */
  readonly endpointName: 'with interface' | 'without interface';
  /** Whether outbound NAT leaves out the network's own subnets. */
  readonly exceptOwnSubnets: boolean;
  /** Whether the adapter of a network to create must be known, or is left to HNS where it cannot be told. */
  readonly adapter: 'must be known' | 'may be left to HNS';
  /** What becomes of traffic that no ACL matches: the configuration must say so, or HNS decides. */
  readonly defaultAction: 'must be said' | 'left to HNS';
  /** The rule type of the ACLs for port mappings; undefined leaves it to HNS. */
  readonly portMappingRuleType: 'Switch' | undefined;
}

export const defaultBehavior: Behavior = {
  existingNetwork: 'must agree',
  gateways: [],
  additionalGateways: [],
  secondHostIsGateway: [],
  ipamGateway: 'by its default route',
  endpointName: 'with interface',
  exceptOwnSubnets: false,
  adapter: 'must be known',
  defaultAction: 'must be said',
  portMappingRuleType: 'Switch',
};

/** What win-bridge, win-overlay, sdnbridge and its like have in common. */
export const dropInBehavior: Behavior = {
  ...defaultBehavior,
  existingNetwork: 'decides',
  ipamGateway: 'after the network',
  endpointName: 'without interface',
  adapter: 'may be left to HNS',
  defaultAction: 'left to HNS',
};
