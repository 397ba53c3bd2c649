import { dualStackNetwork, ipv4, ipv6 } from '../inputs.ts';
import type { Row } from '../row.ts';
import { policiesOf } from '../win-hcn.ts';

const types = ['PortMapping'];
const mapping = { hostPort: 8080, containerPort: 80, protocol: 'tcp' };
const ips = [ipv4, ipv6];
const capabilities = { portMappings: true };
const runtimeConfig = { portMappings: [mapping] };

export const portMappingRows: readonly Row[] = [
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
