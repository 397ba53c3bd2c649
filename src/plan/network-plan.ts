import type { HostEndpointConfig, NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork, Policy } from '../hcn/documents.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { type RequiredFeature, requiredFeatures } from './features.ts';
import { checkHostEndpoint } from './host-endpoint.ts';
import { type IdentifiedNetwork, policiesAfterCreation, resolveNetwork } from './network.ts';
import type { RemoteSubnetKeys } from './remote-subnets.ts';

/** What ADD, and `network ensure`, decide about a network before they change anything. */
export interface NetworkPlan {
  /** What the plan was made from, to make it again when another request creates the network first. */
  readonly config: NetworkConfig;
  readonly found: ObservedNetwork | undefined;
  /** The network that was found, or the document of the one to create. */
  readonly planned: IdentifiedNetwork;
  readonly adapters: readonly HostAdapter[];
  readonly required: readonly RequiredFeature[];
  /** What HNS takes only after the creation of the network. */
  readonly completion: NetworkCompletion;
  readonly hostEndpoint: HostEndpointConfig | undefined;
}

/** Policies and remote subnets that a network gets after its creation. */
export interface NetworkCompletion extends RemoteSubnetKeys {
  readonly policies: readonly Policy[];
}

/** Plans the network of a configuration. `adapters` are the host's if `needsAdapters` is true. Throws as `resolveNetwork` and `checkHostEndpoint` do. */
export function planNetwork(
  config: NetworkConfig,
  found: ObservedNetwork | undefined,
  adapters: readonly HostAdapter[],
): NetworkPlan {
  const planned = resolveNetwork(config, found, adapters);
  const { hostEndpoint, remoteSubnets, networkPolicies } = config;
  checkHostEndpoint(config, planned, found === undefined ? adapters : []);
  return {
    config,
    found,
    planned,
    adapters,
    required: requiredFeatures(config, found === undefined),
    completion: { policies: policiesAfterCreation(config), remoteSubnets, networkPolicies },
    hostEndpoint,
  };
}
