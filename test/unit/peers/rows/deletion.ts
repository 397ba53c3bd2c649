import { endpointId } from '../../../../src/model/identity.ts';
import type { Row } from '../row.ts';
import { sentBy } from '../win-hcn.ts';

const l2bridge = { networkType: 'L2Bridge', adapter: 'Ethernet', subnets: [{ subnet: '10.244.1.0/24' }] };
const pod = endpointId({ containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' });
const outOfNamespace = {
  call: 'HcnModifyNamespace',
  document: { ResourceType: 'Endpoint', RequestType: 'Remove', Settings: { EndpointId: pod } },
};
const deleted = { call: 'HcnDeleteEndpoint', id: pod };
const clients = [
  {
    peer: 'win-bridge, win-overlay and Calico',
    source: 'containernetworking/plugins pkg/hns/endpoint_windows.go RemoveHcnEndpoint',
  },
  {
    peer: 'sdnbridge, sdnoverlay and nat',
    source: 'microsoft/windows-container-networking network/manager.go DeleteEndpoint',
  },
  {
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/endpoint_windows.go deleteEndpointImplHnsV2',
  },
  {
    peer: 'Terway',
    source: 'AliyunContainerService/terway pkg/windows/apis/endpoint.go deleteHCNEndpoint',
  },
];

export const deletionRows: readonly Row[] = clients.map((client) => ({
  intent: "the end of a pod's endpoint",
  ...client,
  theirs: [outOfNamespace, deleted],
  ours: () => sentBy('DEL', l2bridge, ['HcnModifyNamespace', 'HcnDeleteEndpoint']),
  reasons: {},
}));
