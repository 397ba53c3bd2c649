import { creation, dualStack, ipams, through } from '../inputs.ts';
import { networkStructs, ownId, schemaMinor } from '../reasons.ts';
import type { Row } from '../row.ts';
import { networkOf } from '../win-hcn.ts';

const ours = () => networkOf(dualStack);
const adapterNamed = { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } };

const emptyList =
  'The script sends every list even if it is empty; hcsshim leaves an empty list out (hcn/hcnnetwork.go Subnet), and so does win-hcn.';
const noIpSubnets =
  'The script sends null for an absent parameter; hcsshim lacks the member (hcn/hcnnetwork.go Subnet).';
const familyOfRoute =
  "The script writes 0.0.0.0/0 for the gateway of every family; azure-vnet chooses the destination by the subnet's family (network/network_windows.go configureHcnNetwork), as hcsshim's own check allows (hcn/hcnnetwork.go Create).";

export const dualStackNetworkRows: readonly Row[] = [
  {
    intent: 'a dual-stack L2Bridge network',
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/network_windows.go configureHcnNetwork',
    theirs: creation('Network', {
      Name: 'cbr0',
      Type: 'L2Bridge',
      Policies: [adapterNamed],
      MacPool: {},
      Dns: {},
      Ipams: ipams(
        { IpAddressPrefix: '10.244.1.0/24', Routes: through('10.244.1.1') },
        { IpAddressPrefix: 'fd00:10:244:1::/64', Routes: through('fd00:10:244:1::1', '::/0') },
      ),
      Flags: 8,
      Health: { Extra: {} },
      SchemaVersion: { Major: 2, Minor: 0 },
    }),
    ours,
    reasons: {
      ...ownId,
      ...networkStructs,
      '- document.Flags':
        'azure-vnet recreates its network after a restart of the node and has HNS discard it (network/network_windows.go configureHcnNetwork); win-hcn keeps networks unless networkFlags has EnableNonPersistent.',
    },
  },
  {
    intent: 'a dual-stack L2Bridge network',
    peer: 'hns.v2.psm1',
    source: 'microsoft/SDN Kubernetes/windows/hns.v2.psm1 New-HnsNetwork',
    theirs: creation('Network', {
      Type: 'L2Bridge',
      Name: 'cbr0',
      Policies: [adapterNamed],
      Ipams: ipams(
        { IpAddressPrefix: '10.244.1.0/24', Routes: through('10.244.1.1'), Policies: [], IpSubnets: null },
        {
          IpAddressPrefix: 'fd00:10:244:1::/64',
          Routes: through('fd00:10:244:1::1'),
          Policies: [],
          IpSubnets: null,
        },
      ),
      IPv6: true,
      SchemaVersion: { Major: 2, Minor: 2 },
    }),
    ours,
    reasons: {
      ...ownId,
      '- document.IPv6':
        'The script sends it for -IPv6 (hns.v2.psm1 New-HnsNetwork); azure-vnet, which runs dual-stack nodes, sends no such member (network/network_windows.go configureHcnNetwork), and the schema lacks it.',
      '- document.Ipams[0].Subnets[10.244.1.0/24].Policies': emptyList,
      '- document.Ipams[0].Subnets[10.244.1.0/24].IpSubnets': noIpSubnets,
      '- document.Ipams[0].Subnets[fd00:10:244:1::/64].Policies': emptyList,
      '- document.Ipams[0].Subnets[fd00:10:244:1::/64].IpSubnets': noIpSubnets,
      '- document.Ipams[0].Subnets[fd00:10:244:1::/64].Routes[0.0.0.0/0]': familyOfRoute,
      '+ document.Ipams[0].Subnets[fd00:10:244:1::/64].Routes[::/0]': familyOfRoute,
      '~ document.SchemaVersion.Minor': schemaMinor,
    },
  },
];
