import { createNamespace, detachEndpoint } from '../../../../src/commands/namespaces.ts';
import { endpointId, hostEndpointId, networkId } from '../../../../src/model/identity.ts';
import { emptyStructs, ownId } from '../reasons.ts';
import type { Row } from '../row.ts';
import { namespace, sentBy, sentFor } from '../win-hcn.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const other = '99999999-2222-4333-8444-555555555555';
const zeroId = '00000000-0000-0000-0000-000000000000';
const l2bridge = { networkType: 'L2Bridge', adapter: 'Ethernet', subnets: [{ subnet: '10.244.1.0/24' }] };
const pod = endpointId({ containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' });
const attach = (EndpointId: string) => ({
  ResourceType: 'Endpoint',
  RequestType: 'Add',
  Settings: { EndpointId },
});

export const namespaceRows: readonly Row[] = [
  {
    intent: 'an endpoint in a namespace',
    peer: 'hcsshim',
    source: 'microsoft/hcsshim hcn/hcnnamespace.go AddNamespaceEndpoint',
    theirs: [{ call: 'HcnModifyNamespace', document: attach(pod) }],
    ours: () => sentBy('ADD', l2bridge, ['HcnModifyNamespace']),
    reasons: {},
  },
  {
    intent: 'an endpoint out of its namespace',
    peer: 'hcsshim',
    source: 'microsoft/hcsshim hcn/hcnnamespace.go RemoveNamespaceEndpoint',
    theirs: [
      {
        call: 'HcnModifyNamespace',
        document: { ResourceType: 'Endpoint', RequestType: 'Remove', Settings: { EndpointId: pod } },
      },
    ],
    ours: () => sentFor((hcn) => detachEndpoint(pod, namespace, { hcn }), ['HcnModifyNamespace']),
    reasons: {},
  },
  {
    intent: 'a namespace for a pod',
    peer: 'hcsshim',
    source: 'microsoft/hcsshim hcn/hcnnamespace.go NewNamespace',
    theirs: [{ call: 'HcnCreateNamespace', id: zeroId, document: { Type: 'Host', SchemaVersion } }],
    ours: () => sentFor((hcn) => createNamespace(other, { hcn }), ['HcnCreateNamespace']),
    reasons: {
      '~ [HcnCreateNamespace].id':
        'hcsshim passes the zero GUID and HNS chooses (hcn/hcnnamespace.go createNamespace); ours is the one that the operator gives, so repeating the command finds the namespace.',
    },
  },
  {
    intent: "the node's own endpoint on a network",
    peer: 'Terway',
    source: 'AliyunContainerService/terway pkg/windows/apis/network_bridge.go AddBridgeHCNNetwork',
    theirs: {
      call: 'HcnCreateEndpoint',
      id: zeroId,
      document: {
        Name: 'cbr0_gw',
        HostComputeNetwork: networkId('cbr0'),
        IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 32 }],
        Dns: {},
        Health: { Extra: {} },
        SchemaVersion,
      },
    },
    ours: async () => (await sentBy('ADD', { ...l2bridge, hostEndpoint: {} }, ['HcnCreateEndpoint']))[0],
    reasons: {
      ...ownId,
      ...emptyStructs('document.Dns', 'document.Health'),
      '~ document.Name':
        'Ours has the name that flannel and Calico use (flannel-io/flannel pkg/backend/hostgw/hostgw_windows.go RegisterNetwork), so win-hcn adopts theirs.',
      '~ document.IpConfigurations[10.244.1.2].PrefixLength':
        "Terway sends the length of a single address, while flannel and Calico leave the length to HNS (projectcalico/calico cni-plugin/pkg/dataplane/windows/dataplane_windows.go CreateAndAttachHostEP); ours is the subnet's, so that the node has a route to its pods.",
    },
  },
  {
    intent: "the node's own endpoint in the node's namespace",
    peer: 'Terway',
    source: 'AliyunContainerService/terway pkg/windows/apis/network_bridge.go AddBridgeHCNNetwork',
    theirs: [{ call: 'HcnModifyNamespace', document: attach(hostEndpointId('cbr0')) }],
    ours: async () =>
      (await sentBy('ADD', { ...l2bridge, hostEndpoint: {} }, ['HcnModifyNamespace'])).slice(0, 1),
    reasons: {},
  },
];
