import type { Row } from '../row.ts';
import { type Around, policiesOf } from '../win-hcn.ts';

const types = ['PortMapping'];
const mapping = { hostPort: 8080, containerPort: 80, protocol: 'tcp' };
const capabilities = { portMappings: true };
const runtimeConfig = { portMappings: [mapping] };
const ips = [{ address: '10.244.1.5/24' }, { address: 'fd00:10:244:1::5/64' }];
const ipv4Subnet = {
  IpAddressPrefix: '10.244.1.0/24',
  Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
};
const ipv6Subnet = {
  IpAddressPrefix: 'fd00:10:244:1::/64',
  Routes: [{ NextHop: 'fd00:10:244:1::1', DestinationPrefix: '::/0' }],
};
const networkWith = (...Subnets: readonly object[]) => ({
  Name: 'cbr0',
  Type: 'L2Bridge',
  Ipams: [{ Type: 'Static', Subnets }],
  SchemaVersion: { Major: 2, Minor: 0 },
});
const l2bridge = {
  networkType: 'L2Bridge',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.1.0/24' }, { subnet: 'fd00:10:244:1::/64', gateway: 'fd00:10:244:1::1' }],
  capabilities,
};
const ours = (around: Around) => policiesOf(l2bridge, types, around);

const localRoutedVip =
  'Without the flag LocalRoutedVip a node does not reach its own ports on an L2Bridge network: azure-vnet sets it for IPv4 and sdnbridge for both families (cni/cni.go GetEndpointInfo).';

export const portMappingRows: readonly Row[] = [
  {
    intent: 'a port of the node for an IPv4 pod',
    peer: 'win-bridge',
    source: 'containernetworking/plugins pkg/hns/netconf_windows.go ApplyPortMappingPolicy',
    theirs: {
      Policies: [
        {
          Type: 'PortMapping',
          Settings: { InternalPort: 80, ExternalPort: 8080, Protocol: 6, VIP: '' },
        },
      ],
    },
    ours: () =>
      policiesOf({ type: 'win-bridge', apiVersion: 2, capabilities }, types, {
        network: networkWith(ipv4Subnet),
        ips: [{ address: '10.244.1.5/24' }],
        runtimeConfig,
      }),
    reasons: {
      '- Policies[PortMapping].Settings.VIP':
        'win-bridge sends an empty string for an absent node address (pkg/hns/netconf_windows.go ApplyPortMappingPolicy); hcsshim leaves it out (hcn/hcnpolicy.go PortMappingPolicySetting), and so do we.',
    },
  },
  {
    intent: 'a port of the node for a pod with both families',
    peer: 'sdnbridge',
    source: 'microsoft/windows-container-networking cni/cni.go GetEndpointInfo',
    theirs: {
      Policies: [
        { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 } },
        { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 3 } },
      ],
    },
    ours: () =>
      policiesOf(
        {
          type: 'sdnbridge',
          optionalFlags: { localRoutedPortMapping: true, enableDualStack: true },
          capabilities,
        },
        types,
        { network: networkWith(ipv4Subnet, ipv6Subnet), ips, runtimeConfig },
      ),
    reasons: {},
  },
  {
    intent: 'a port of the node for a pod with both families',
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking cni/network/network_windows.go getPoliciesFromRuntimeCfg',
    theirs: {
      Policies: [
        { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 } },
        { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 2 } },
      ],
    },
    ours: () => ours({ ips, runtimeConfig }),
    reasons: { '~ Policies[PortMapping#2].Settings.Flags': localRoutedVip },
  },
  {
    intent: "a port of the node's IPv6 address",
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking cni/network/network_windows.go getPoliciesFromRuntimeCfg',
    theirs: {
      Policies: [
        {
          Type: 'PortMapping',
          Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, VIP: 'fd00:1::4', Flags: 2 },
        },
      ],
    },
    ours: () => ours({ ips, runtimeConfig: { portMappings: [{ ...mapping, hostIP: 'fd00:1::4' }] } }),
    reasons: { '~ Policies[PortMapping].Settings.Flags': localRoutedVip },
  },
  {
    intent: 'a port of the node for an IPv4 pod',
    peer: 'hns.v2.psm1',
    source: 'microsoft/SDN Kubernetes/windows/hns.v2.psm1 New-HnsEndpoint',
    theirs: {
      Policies: [{ Type: 'PortMapping', Settings: { InternalPort: '80', ExternalPort: '8080', Flags: 1 } }],
    },
    ours: () => ours({ ips: [{ address: '10.244.1.5/24' }], runtimeConfig }),
    reasons: {
      '~ Policies[PortMapping].Settings.InternalPort':
        'The script passes the value as a string; the schema and hcsshim have a number (hcn/hcnpolicy.go PortMappingPolicySetting).',
      '~ Policies[PortMapping].Settings.ExternalPort':
        'The script passes the value as a string; the schema and hcsshim have a number (hcn/hcnpolicy.go PortMappingPolicySetting).',
      '+ Policies[PortMapping].Settings.Protocol':
        'The script has no parameter for the protocol; every plugin sends it (containernetworking/plugins pkg/hns/netconf_windows.go ApplyPortMappingPolicy).',
    },
  },
];
