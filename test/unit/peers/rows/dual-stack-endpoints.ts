import { networkId } from '../../../../src/model/identity.ts';
import { creation, dualStack, dualStackNetwork, ipv4, ipv6, SchemaVersion } from '../inputs.ts';
import { emptyStructs, endpointNamed, ownId, schemaMinor } from '../reasons.ts';
import type { Row } from '../row.ts';
import { endpointOf, existingNetworkId } from '../win-hcn.ts';

const prefixLength =
  "sdnbridge leaves the prefix length to HNS (network/endpoint.go GetHostComputeEndpoint); azure-vnet, on AKS, sends the subnet's (network/endpoint_windows.go configureHcnEndpoint), and so does win-hcn.";

export const dualStackEndpointRows: readonly Row[] = [
  {
    intent: "a pod's endpoint with an address of each family",
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/endpoint_windows.go configureHcnEndpoint',
    theirs: creation('Endpoint', {
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
    }),
    ours: () => endpointOf(dualStack, { ips: [ipv4, ipv6] }),
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
    theirs: creation('Endpoint', {
      Name: 'c0ffee_cbr0',
      HostComputeNetwork: existingNetworkId,
      IpConfigurations: [{ IpAddress: '10.244.1.5' }, { IpAddress: 'fd00:10:244:1::5' }],
      Dns: {},
      Routes: [
        { NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' },
        { NextHop: 'fd00:10:244:1::1', DestinationPrefix: '::/0' },
      ],
      Health: { Extra: {} },
      SchemaVersion,
    }),
    ours: () =>
      endpointOf(
        { type: 'sdnbridge', optionalFlags: { enableDualStack: true } },
        { network: dualStackNetwork, ips: [ipv4, ipv6] },
      ),
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
    theirs: creation('Endpoint', {
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
    }),
    ours: () => endpointOf(dualStack, { ips: [ipv4, ipv6] }),
    reasons: {
      ...ownId,
      '~ document.Name': endpointNamed,
      '- document.Policies':
        'The script sends the list even if it is empty; hcsshim leaves an empty list out (hcn/hcnendpoint.go HostComputeEndpoint), and so does win-hcn.',
      '~ document.SchemaVersion.Minor': schemaMinor,
    },
  },
];
