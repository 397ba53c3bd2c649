import { dualStackNetwork, ipv4, ipv6, l2bridgeNetwork } from '../inputs.ts';
import type { Row } from '../row.ts';
import { policiesOf } from '../win-hcn.ts';

const types = ['PortMapping'];
const mapping = { hostPort: 8080, containerPort: 80, protocol: 'tcp' };
const ips = [ipv4, ipv6];
const capabilities = { portMappings: true };
const runtimeConfig = { portMappings: [mapping] };

export const portMappingRows: readonly Row[] = [
  {
    intent: 'a host port of an IPv4 pod',
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
        network: l2bridgeNetwork,
        ips: [ipv4],
        runtimeConfig,
      }),
    reasons: {
      '- Policies[PortMapping].Settings.VIP':
        'win-bridge sends an empty string for an absent node address (pkg/hns/netconf_windows.go ApplyPortMappingPolicy); hcsshim leaves it out (hcn/hcnpolicy.go PortMappingPolicySetting), and so does win-hcn.',
    },
  },
  {
    intent: 'a host port of a dual-stack pod',
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
        { network: dualStackNetwork, ips, runtimeConfig },
      ),
    reasons: {},
  },
];
