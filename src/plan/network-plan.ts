import { CniError, code, invalidConfig } from '../cni/error.ts';
import type { HostEndpointConfig, NetworkConfig, SubnetConfig } from '../config/network-config.ts';
import {
  type HostComputeNetwork,
  type ObservedNetwork,
  type Policy,
  type Subnet,
  schemaVersion,
} from '../hcn/documents.ts';
import type { NetworkId } from '../hcn/guid.ts';
import { networkId } from '../model/identity.ts';
import { networkArgument } from '../model/network-document.ts';
import { familyOf } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { everyAddress, firstHost, parsePrefix } from '../net/prefix.ts';
import { type RequiredFeature, requiredFeatures } from './features.ts';
import { checkHostEndpoint } from './host-endpoint.ts';
import { resolveAdapterName } from './network-adapter.ts';
import { describeDifference, differenceTable, networkDifferences } from './network-differences.ts';
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

/** A network with its id: an existing one, or the document of one to create. */
export type IdentifiedNetwork = HostComputeNetwork & { readonly ID: NetworkId };

/**
 * Returns the network of an attachment: the observed one, or the document of the one to create. `adapters` are the host's if
 * `needsAdapters` is true. win-hcn never changes an existing network: a difference from the configuration throws code 7 with a table of the
 * differences in its details. Throws code 11 if the network is absent and `createNetwork` is "never".
 */
export function resolveNetwork<N extends IdentifiedNetwork>(
  config: NetworkConfig,
  observed: N | undefined,
  adapters: readonly HostAdapter[] = [],
): N | IdentifiedNetwork {
  const { name, createNetwork } = config;
  const adapter = resolveAdapterName(config, observed, adapters);
  if (observed !== undefined) {
    const differences = networkDifferences(config, adapter, observed);
    const [first] = differences;
    if (first === undefined) return observed;
    const message = `network "${name}" exists but differs from the configuration: ${describeDifference(first)}`;
    const details = `${differenceTable(differences)}\nchange the configuration, or delete the network when no pod uses it: win-hcn network delete ${networkArgument(observed)} --yes`;
    throw invalidConfig(message, details);
  }
  if (createNetwork === 'never') {
    const details =
      'wait until it is created (win-hcn ls networks shows the networks), or set "createNetwork" to "ifMissing"';
    const message = `network "${name}" does not exist and "createNetwork" is "never"`;
    throw new CniError(code.tryAgainLater, message, { details });
  }
  return networkDocument(config, adapter);
}

/**
 * Returns the document of the network that a configuration describes. `adapter` is the interface name of the adapter to bind it to;
 * undefined leaves the choice to HNS or to a policy of the configuration.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeNetwork
 */
function networkDocument(config: NetworkConfig, adapter: string | undefined): IdentifiedNetwork {
  const { name, networkType, subnets, macPool } = config;
  const policies = [
    ...(adapter === undefined ? [] : [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: adapter } }]),
    ...config.networkPolicies.filter((policy) => !isHostRoute(policy)),
  ];
  const flags = flagNames.reduce(
    (sum, name, bit) => (config.networkFlags.includes(name) ? sum | (1 << bit) : sum),
    0,
  );
  return {
    ID: networkId(name),
    Name: name,
    Type: networkType,
    ...(policies.length > 0 && { Policies: policies }),
    ...(macPool.length > 0 && {
      MacPool: { Ranges: macPool.map(({ start, end }) => ({ StartMacAddress: start, EndMacAddress: end })) },
    }),
    ...(subnets.length > 0 && {
      Ipams: [{ Type: 'Static', Subnets: subnets.map((subnet) => subnetDocument(config, subnet)) }],
    }),
    ...(flags !== 0 && { Flags: flags }),
    SchemaVersion: schemaVersion,
  };
}

/**
 * Returns the policies to add after the network is created: HostRoute, as flannel, Calico and OVN do for every Overlay network, so that
 * the node reaches its pods. The others are part of the created document, so that no pod uses the network without them.
 */
export function policiesAfterCreation({
  networkType,
  networkPolicies,
  behavior,
}: NetworkConfig): readonly Policy[] {
  const configured = networkPolicies.filter(isHostRoute);
  const isDefault = networkType === 'Overlay' && behavior.addsHostRoute && configured.length === 0;
  return isDefault ? [{ Type: 'HostRoute', Settings: {} }] : configured;
}

function isHostRoute({ Type }: Policy): boolean {
  return Type === 'HostRoute';
}

/** NetworkFlags in the order of its bits: microsoft/WSL, src/shared/inc/hns_schema.h. Microsoft's page ends at EnableFirewall. */
const flagNames = [
  'EnableDnsProxy',
  'EnableDhcpServer',
  'EnableMirroring',
  'EnableNonPersistent',
  'EnablePersistent',
  'IsolateVSwitch',
  'EnableFlowSteering',
  'DisableSharing',
  'EnableFirewall',
  'SuppressMediaDisconnect',
  'DisableHostPort',
  'WeakHostReceiveAdapter',
  'WeakHostSendAdapter',
  'EnableIov',
];

/** A Private network has no route to the outside: it has a gateway only if the configuration names one. */
function subnetDocument(
  { networkType }: NetworkConfig,
  { prefix, gateway, vsid, vlan }: SubnetConfig,
): Subnet {
  const parsed = parsePrefix(prefix);
  const nextHop = gateway ?? (networkType === 'Private' ? undefined : parsed && firstHost(parsed));
  const policies = [
    ...(vsid === undefined ? [] : [{ Type: 'VSID', Settings: { IsolationId: vsid } }]),
    ...(vlan === undefined ? [] : [{ Type: 'VLAN', Settings: { IsolationId: vlan } }]),
  ];
  return {
    IpAddressPrefix: prefix,
    ...(policies.length > 0 && { Policies: policies }),
    ...(nextHop !== undefined && {
      Routes: [{ NextHop: nextHop, DestinationPrefix: everyAddress(familyOf(nextHop)) }],
    }),
  };
}
