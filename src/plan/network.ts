import type { NetworkConfig, SubnetConfig } from '../config/network-config.ts';
import { type HostComputeNetwork, type Policy, type Subnet, schemaVersion } from '../hcn/documents.ts';
import { familyOf } from '../net/address.ts';
import { defaultRoute } from '../net/prefix.ts';

/** The document of the network a configuration describes. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeNetwork */
export function networkDocument(config: NetworkConfig): HostComputeNetwork {
  const policies: readonly Policy[] = [
    ...(config.adapter === undefined
      ? []
      : [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: config.adapter } }]),
    ...config.networkPolicies,
  ];
  return {
    Name: config.name,
    Type: config.networkType,
    ...(policies.length > 0 && { Policies: policies }),
    Ipams: [{ Type: 'Static', Subnets: config.subnets.map(subnetDocument) }],
    SchemaVersion: schemaVersion,
  };
}

function subnetDocument(subnet: SubnetConfig): Subnet {
  const destination = defaultRoute(familyOf(subnet.gateway));
  return {
    IpAddressPrefix: subnet.prefix,
    ...(subnet.vsid !== undefined && {
      Policies: [{ Type: 'VSID', Settings: { IsolationId: subnet.vsid } }],
    }),
    Routes: [{ NextHop: subnet.gateway, DestinationPrefix: destination }],
  };
}
