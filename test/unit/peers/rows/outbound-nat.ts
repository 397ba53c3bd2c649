import { dualStack, ipv4, ipv6, l2bridge } from '../inputs.ts';
import type { Row } from '../row.ts';
import { policiesOf } from '../win-hcn.ts';

const types = ['OutBoundNAT'];

const bothFamilies = () =>
  policiesOf({ ...dualStack, outboundNat: { exceptions: ['10.244.0.0/16', 'fd00:10:244::/48'] } }, types, {
    ips: [ipv4, ipv6],
  });

export const outboundNatRows: readonly Row[] = [
  {
    intent: 'outbound NAT with one exception contained in another',
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/policy/policy_windows.go GetHcnOutBoundNATPolicy',
    theirs: {
      Policies: [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.240.0.0/16', '10.0.0.0/8'] } }],
    },
    ours: () =>
      policiesOf({ ...l2bridge, outboundNat: { exceptions: ['10.240.0.0/16', '10.0.0.0/8'] } }, types),
    reasons: {
      '- Policies[OutBoundNAT].Settings.Exceptions[10.240.0.0/16]':
        '10.0.0.0/8 contains it; Windows Server 2019 drops one of two prefixes that begin alike, so AKS filters its list too (Azure/AgentBaker staging/cse/windows/azurecnifunc.ps1 GetBroadestRangesForEachAddress).',
    },
  },
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
    ours: bothFamilies,
    reasons: {},
  },
];
