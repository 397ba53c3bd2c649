/** What a configuration in another plugin's vocabulary means, and ours has no word for. */
export interface Manner {
  /** Whether a network that exists must be as configured, or is taken as it is when its type fits. */
  readonly existingNetwork: 'must agree' | 'decides';
  /** Gateways that come before the network's own, each where it is in an address's subnet and not the address itself. */
  readonly gateways: readonly string[];
  /** Whether the subnet's second address comes before all of them. */
  readonly secondHostIsGateway: boolean;
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

export const ownManner: Manner = {
  existingNetwork: 'must agree',
  gateways: [],
  secondHostIsGateway: false,
  endpointName: 'with interface',
  exceptOwnSubnets: false,
  adapter: 'must be known',
  defaultAction: 'must be said',
  portMappingRuleType: 'Switch',
};

/** What win-bridge, win-overlay, sdnbridge and its like have in common. */
export const inheritedManner: Manner = {
  ...ownManner,
  existingNetwork: 'decides',
  endpointName: 'without interface',
  adapter: 'may be left to HNS',
  defaultAction: 'left to HNS',
};
