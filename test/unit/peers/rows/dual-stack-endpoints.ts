import { networkId } from '../../../../src/model/identity.ts';
import { emptyStructs, endpointNamed, ownId, schemaMinor } from '../reasons.ts';
import type { Row } from '../row.ts';
import { endpointOf, existing } from '../win-hcn.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const zeroId = '00000000-0000-0000-0000-000000000000';
const ips = [
  { address: '10.244.1.5/24', gateway: '10.244.1.1' },
  { address: 'fd00:10:244:1::5/64', gateway: 'fd00:10:244:1::1' },
];
const network = {
  Name: 'cbr0',
  Type: 'L2Bridge',
  Ipams: [
    {
      Type: 'Static',
      Subnets: [
        {
          IpAddressPrefix: '10.244.1.0/24',
          Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        },
        {
          IpAddressPrefix: 'fd00:10:244:1::/64',
          Routes: [{ NextHop: 'fd00:10:244:1::1', DestinationPrefix: '::/0' }],
        },
      ],
    },
  ],
  SchemaVersion,
};
const own = {
  networkType: 'L2Bridge',
  adapter: 'Ethernet',
  subnets: [
    { subnet: '10.244.1.0/24', gateway: '10.244.1.1' },
    { subnet: 'fd00:10:244:1::/64', gateway: 'fd00:10:244:1::1' },
  ],
};
const prefixLength =
  'sdnbridge leaves the length to HNS (network/endpoint.go GetHostComputeEndpoint); azure-vnet, on AKS, sends that of the subnet (network/endpoint_windows.go configureHcnEndpoint), and so do we.';

export const dualStackEndpointRows: readonly Row[] = [
  {
    intent: "a pod's endpoint with an address of each family",
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/endpoint_windows.go configureHcnEndpoint',
    theirs: {
      call: 'HcnCreateEndpoint',
      id: zeroId,
      document: {
        Name: 'c0ffee-eth0',
        HostComputeNetwork: networkId('cbr0'),
        IpConfigurations: [
          { IpAddress: '10.244.1.5', PrefixLength: 24 },
          { IpAddress: 'fd00:10:244:1::5', PrefixLength: 64 },
        ],
        Dns: { Search: [''] },
        Routes: [
          { NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' },
          { NextHop: 'fd00:10:244:1::1', DestinationPrefix: '::/0' },
        ],
        Health: { Extra: {} },
        SchemaVersion,
      },
    },
    ours: () => endpointOf(own, { ips }),
    reasons: {
      ...ownId,
      ...emptyStructs('document.Health'),
      '~ document.Name': endpointNamed,
      '- document.Dns':
        'azure-vnet splits an empty text at its commas, which gives one empty search domain (network/endpoint_windows.go configureHcnEndpoint); win-hcn sends nothing if nothing is configured.',
    },
  },
  {
    intent: "a pod's endpoint with an address of each family",
    peer: 'sdnbridge',
    source: 'microsoft/windows-container-networking network/endpoint.go GetHostComputeEndpoint',
    theirs: {
      call: 'HcnCreateEndpoint',
      id: zeroId,
      document: {
        Name: 'c0ffee_cbr0',
        HostComputeNetwork: existing,
        IpConfigurations: [{ IpAddress: '10.244.1.5' }, { IpAddress: 'fd00:10:244:1::5' }],
        Dns: {},
        Routes: [
          { NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' },
          { NextHop: 'fd00:10:244:1::1', DestinationPrefix: '::/0' },
        ],
        Health: { Extra: {} },
        SchemaVersion,
      },
    },
    ours: () => endpointOf({ type: 'sdnbridge', optionalFlags: { enableDualStack: true } }, { network, ips }),
    reasons: {
      ...ownId,
      ...emptyStructs('document.Dns', 'document.Health'),
      '+ document.IpConfigurations[10.244.1.5].PrefixLength': prefixLength,
      '+ document.IpConfigurations[fd00:10:244:1::5].PrefixLength': prefixLength,
    },
  },
  {
    intent: "a pod's endpoint with an address of each family",
    peer: 'hns.v2.psm1',
    source: 'microsoft/SDN Kubernetes/windows/hns.v2.psm1 New-HnsEndpoint',
    theirs: {
      call: 'HcnCreateEndpoint',
      id: zeroId,
      document: {
        HostComputeNetwork: networkId('cbr0'),
        Policies: [],
        SchemaVersion: { Major: 2, Minor: 2 },
        Name: 'c0ffee-eth0',
        IpConfigurations: [
          { IpAddress: '10.244.1.5', PrefixLength: 24 },
          { IpAddress: 'fd00:10:244:1::5', PrefixLength: 64 },
        ],
        Routes: [
          { NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' },
          { NextHop: 'fd00:10:244:1::1', DestinationPrefix: '::/0' },
        ],
      },
    },
    ours: () => endpointOf(own, { ips }),
    reasons: {
      ...ownId,
      '~ document.Name': endpointNamed,
      '- document.Policies':
        'The script sends the list even if it is empty; hcsshim leaves an empty list out (hcn/hcnendpoint.go HostComputeEndpoint), and so do we.',
      '~ document.SchemaVersion.Minor': schemaMinor,
    },
  },
];
