import { endpointId, networkId } from '../../../../src/model/identity.ts';
import { creation, dualStack, ipv4, ipv6, l2bridge, SchemaVersion } from '../inputs.ts';
import { emptyStructs, endpointNamed, endpointStructs, ownId } from '../reasons.ts';
import type { Row } from '../row.ts';
import { endpointOf, sentBy } from '../win-hcn.ts';

const dns = { nameservers: ['10.96.0.10'], search: ['default.svc.cluster.local'] };
const Dns = { Search: ['default.svc.cluster.local'], ServerList: ['10.96.0.10'] };

const pod = endpointId({ containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' });
const outOfNamespace = {
  call: 'HcnModifyNamespace',
  document: { ResourceType: 'Endpoint', RequestType: 'Remove', Settings: { EndpointId: pod } },
};
const deleted = { call: 'HcnDeleteEndpoint', id: pod };
export const endpointRows: readonly Row[] = [
  {
    intent: "deleting a pod's endpoint",
    peer: 'win-bridge, win-overlay and Calico',
    source: 'containernetworking/plugins pkg/hns/endpoint_windows.go RemoveHcnEndpoint',
    theirs: [outOfNamespace, deleted],
    ours: () => sentBy('DEL', l2bridge, ['HcnModifyNamespace', 'HcnDeleteEndpoint']),
    reasons: {},
  },
  {
    intent: "a pod's endpoint with one address",
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/endpoint_windows.go configureHcnEndpoint',
    theirs: creation('Endpoint', {
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
    }),
    ours: () =>
      endpointOf(
        {
          ...l2bridge,
          outboundNat: { exceptions: ['10.244.0.0/16'] },
          sdnRoutes: [{ destinationPrefix: '10.96.0.0/12', needEncap: true }],
          dns,
        },
        { ips: [ipv4] },
      ),
    reasons: { ...ownId, ...endpointStructs, '~ document.Name': endpointNamed },
  },
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
];
