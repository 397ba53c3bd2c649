import { networkId } from '../../../../src/model/identity.ts';
import { emptyStructs, endpointNamed, endpointStructs, ownId } from '../reasons.ts';
import type { Row } from '../row.ts';
import { endpointOf, existing } from '../win-hcn.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const zeroId = '00000000-0000-0000-0000-000000000000';
const ips = [{ address: '10.244.1.5/24', gateway: '10.244.1.1' }];
const dns = { nameservers: ['10.96.0.10'], search: ['default.svc.cluster.local'] };
const Dns = { Search: ['default.svc.cluster.local'], ServerList: ['10.96.0.10'] };
const l2bridge = {
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
      ],
    },
  ],
  SchemaVersion,
};
const overlay = {
  Name: 'cbr0',
  Type: 'Overlay',
  Ipams: [
    {
      Type: 'Static',
      Subnets: [
        {
          IpAddressPrefix: '10.244.1.0/24',
          Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
          Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
  SchemaVersion,
};

const prefixLength =
  'The peer leaves the length to HNS (microsoft/hcsshim hcn/hcnendpoint.go IpConfig has it optional); azure-vnet, on AKS, sends that of the subnet (network/endpoint_windows.go configureHcnEndpoint), and so do we.';

export const endpointRows: readonly Row[] = [
  {
    intent: "a pod's endpoint with one address",
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/endpoint_windows.go configureHcnEndpoint',
    theirs: {
      call: 'HcnCreateEndpoint',
      id: zeroId,
      document: {
        Name: 'c0ffee-eth0',
        HostComputeNetwork: networkId('cbr0'),
        Policies: [
          { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16'] } },
          { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
        ],
        IpConfigurations: [{ IpAddress: '10.244.1.5', PrefixLength: 24 }],
        Dns,
        Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        Health: { Extra: {} },
        SchemaVersion,
      },
    },
    ours: () =>
      endpointOf(
        {
          networkType: 'L2Bridge',
          adapter: 'Ethernet',
          subnets: [{ subnet: '10.244.1.0/24' }],
          outboundNat: { exceptions: ['10.244.0.0/16'] },
          sdnRoutes: [{ destinationPrefix: '10.96.0.0/12', needEncap: true }],
          dns,
        },
        { ips },
      ),
    reasons: { ...ownId, ...endpointStructs, '~ document.Name': endpointNamed },
  },
  {
    intent: "a pod's endpoint with one address",
    peer: 'win-bridge',
    source: 'containernetworking/plugins pkg/hns/endpoint_windows.go GenerateHcnEndpoint',
    theirs: {
      call: 'HcnCreateEndpoint',
      id: zeroId,
      document: {
        Name: 'c0ffee_cbr0',
        HostComputeNetwork: existing,
        IpConfigurations: [{ IpAddress: '10.244.1.5' }],
        Dns,
        Routes: [{ NextHop: '10.244.1.2', DestinationPrefix: '0.0.0.0/0' }],
        Health: { Extra: {} },
        SchemaVersion,
      },
    },
    ours: () => endpointOf({ type: 'win-bridge', apiVersion: 2, dns }, { network: l2bridge, ips }),
    reasons: {
      ...ownId,
      ...endpointStructs,
      '+ document.IpConfigurations[10.244.1.5].PrefixLength': prefixLength,
    },
  },
  {
    intent: "a pod's endpoint on an Overlay network",
    peer: 'win-overlay',
    source: 'containernetworking/plugins plugins/main/windows/win-overlay/win-overlay_windows.go cmdHcnAdd',
    theirs: {
      call: 'HcnCreateEndpoint',
      id: zeroId,
      document: {
        Name: 'c0ffee_cbr0',
        HostComputeNetwork: existing,
        Policies: [
          { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
          { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.1.0/24'] } },
        ],
        IpConfigurations: [{ IpAddress: '10.244.1.5' }],
        Dns: {},
        Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        MacAddress: '0E-2A-0a-f4-01-05',
        Health: { Extra: {} },
        SchemaVersion,
      },
    },
    ours: () => endpointOf({ type: 'win-overlay', apiVersion: 2, ipMasq: true }, { network: overlay, ips }),
    reasons: {
      ...ownId,
      ...emptyStructs('document.Dns', 'document.Health'),
      'order document.Policies':
        'Policies of different types do not depend on one another: peers order them differently on the same HNS, win-overlay the ProviderAddress before OutBoundNAT and calico after it (cni-plugin/pkg/dataplane/windows/dataplane_windows.go createAndAttachContainerEP).',
      '+ document.IpConfigurations[10.244.1.5].PrefixLength': prefixLength,
      '~ document.MacAddress':
        "win-overlay writes four octets in lower case and two as configured (win-overlay_windows.go processEndpointArgs); case means nothing in a MAC address, and HNS's own are in upper case (Azure/AKS#1367 has both).",
    },
  },
  {
    intent: "a pod's endpoint whose address HNS assigns",
    peer: 'nat',
    source: 'microsoft/windows-container-networking network/endpoint.go GetHostComputeEndpoint',
    theirs: {
      call: 'HcnCreateEndpoint',
      id: zeroId,
      document: {
        Name: 'c0ffee_nat',
        HostComputeNetwork: networkId('nat'),
        Dns,
        Routes: [{ NextHop: '172.20.0.1', DestinationPrefix: '0.0.0.0/0' }],
        Health: { Extra: {} },
        SchemaVersion,
      },
    },
    ours: () => endpointOf({ name: 'nat', type: 'nat', ipam: { subnet: '172.20.0.0/16' }, dns }),
    reasons: {
      ...ownId,
      ...endpointStructs,
      '- document.Routes':
        "nat repeats the gateway it would give the network (cni/cni.go GetEndpointInfo), which is wrong if the network exists with another one; HNS gives the endpoint its network's.",
    },
  },
];
