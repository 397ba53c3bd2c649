import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig, SubnetConfig } from '../config/network-config.ts';
import { type HostComputeNetwork, type Policy, type Subnet, schemaVersion } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { familyOf } from '../net/address.ts';
import { everyAddress, firstHost, parsePrefix } from '../net/prefix.ts';
import { networkId } from './identity.ts';
import { networkDifferences } from './network-differences.ts';
import { settingsOf } from './observed-network.ts';

/** A network that exists, or that will under this id. */
export type PlannedNetwork = HostComputeNetwork & { readonly ID: Guid };

/**
 * The network an attachment will be on: the observed one, or the one to create. Throws code 7 when the observed one is not as
 * configured, which win-hcn never changes, or when there is none and it may not be created.
 */
export function planNetwork<N extends PlannedNetwork>(
  config: NetworkConfig,
  observed: N | undefined,
): N | PlannedNetwork {
  const { name, createNetwork } = config;
  if (observed !== undefined) {
    const [first, ...others] = networkDifferences(config, observed);
    if (first === undefined) return observed;
    const message = `network "${name}" exists and is not as configured: ${first}`;
    throw new CniError(code.invalidConfig, message, { details: others.join('; ') });
  }
  if (createNetwork === 'never') {
    const details = 'create it, or set "createNetwork" to "ifMissing"';
    throw new CniError(
      code.invalidConfig,
      `network "${name}" does not exist, and "createNetwork" is "never"`,
      { details },
    );
  }
  return { ...networkDocument(config), ID: networkId(name) };
}

/**
 * The document of the network a configuration describes. A raw NetAdapterName policy stands in for `adapter`.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeNetwork
 */
export function networkDocument(config: NetworkConfig): HostComputeNetwork {
  const policies = [...adapterPolicy(config), ...config.networkPolicies];
  return {
    Name: config.name,
    Type: config.networkType,
    ...(policies.length > 0 && { Policies: policies }),
    Ipams: [{ Type: 'Static', Subnets: config.subnets.map(subnetDocument) }],
    SchemaVersion: schemaVersion,
  };
}

function adapterPolicy({ adapter, networkPolicies }: NetworkConfig): readonly Policy[] {
  const given = settingsOf(networkPolicies, 'NetAdapterName') !== undefined;
  if (adapter === undefined || given) return [];
  return [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: adapter } }];
}

function subnetDocument({ prefix, gateway, vsid }: SubnetConfig): Subnet {
  const parsed = parsePrefix(prefix);
  const nextHop = gateway ?? (parsed && firstHost(parsed));
  return {
    IpAddressPrefix: prefix,
    ...(vsid !== undefined && { Policies: [{ Type: 'VSID', Settings: { IsolationId: vsid } }] }),
    ...(nextHop !== undefined && {
      Routes: [{ NextHop: nextHop, DestinationPrefix: everyAddress(familyOf(nextHop)) }],
    }),
  };
}
