import type { Row } from '../row.ts';
import { policiesOf } from '../win-hcn.ts';

const ips = [
  { address: '10.244.1.5/24', gateway: '10.244.1.1' },
  { address: 'fd00:10:244:1::5/64', gateway: 'fd00:10:244:1::1' },
];
const ours = () =>
  policiesOf(
    {
      networkType: 'L2Bridge',
      adapter: 'Ethernet',
      subnets: [
        { subnet: '10.244.1.0/24', gateway: '10.244.1.1' },
        { subnet: 'fd00:10:244:1::/64', gateway: 'fd00:10:244:1::1' },
      ],
      outboundNat: { exceptions: ['10.244.0.0/16', 'fd00:10:244::/48'] },
    },
    ['OutBoundNAT'],
    { ips },
  );

export const outboundNatOfBothFamiliesRows: readonly Row[] = [
  {
    intent: 'outbound NAT with exceptions of both families',
    peer: 'azure-vnet on AKS',
    source: 'Azure/AgentBaker staging/cse/windows/azurecnifunc.ps1 Set-AzureCNIConfig',
    theirs: {
      Policies: [
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16'] } },
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['fd00:10:244::/48'] } },
      ],
    },
    ours,
    reasons: {},
  },
  {
    intent: 'outbound NAT with exceptions of both families',
    peer: 'hns.v2.psm1',
    source: 'microsoft/SDN Kubernetes/windows/hns.v2.psm1 New-HnsEndpoint',
    theirs: {
      Policies: [
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16'] } },
        { Type: 'OutBoundNAT', Settings: { Flags: 2, Exceptions: ['fd00:10:244::/48'] } },
      ],
    },
    ours,
    reasons: {
      '- Policies[OutBoundNAT#2].Settings.Flags':
        "The script marks IPv6 by flag and by exceptions; azure-vnet, which runs AKS's dual-stack nodes, only by exceptions (Azure/azure-container-networking network/policy/policy_windows.go GetHcnOutBoundNATPolicy); HNS before schema 2.8 lacks the flag.",
    },
  },
];
