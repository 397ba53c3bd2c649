import { createNamespace } from '../../../../src/commands/namespaces.ts';
import { endpointId, networkId } from '../../../../src/model/identity.ts';
import { creation, l2bridge, SchemaVersion, zeroId } from '../inputs.ts';
import { emptyStructs, ownId } from '../reasons.ts';
import type { Row } from '../row.ts';
import { sentBy, sentFor } from '../win-hcn.ts';

const other = '99999999-2222-4333-8444-555555555555';
const pod = endpointId({ containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' });
const attach = (EndpointId: string) => ({
  ResourceType: 'Endpoint',
  RequestType: 'Add',
  Settings: { EndpointId },
});

export const namespaceRows: readonly Row[] = [
  {
    intent: 'attaching an endpoint to a namespace',
    peer: 'hcsshim',
    source: 'microsoft/hcsshim hcn/hcnnamespace.go AddNamespaceEndpoint',
    theirs: [{ call: 'HcnModifyNamespace', document: attach(pod) }],
    ours: () => sentBy('ADD', l2bridge, ['HcnModifyNamespace']),
    reasons: {},
  },
  {
    intent: 'a namespace for a pod',
    peer: 'hcsshim',
    source: 'microsoft/hcsshim hcn/hcnnamespace.go NewNamespace',
    theirs: [{ call: 'HcnCreateNamespace', id: zeroId, document: { Type: 'Host', SchemaVersion } }],
    ours: () => sentFor((context) => createNamespace(other, context), ['HcnCreateNamespace']),
    reasons: {
      '~ [HcnCreateNamespace].id':
        "hcsshim passes the zero GUID and HNS chooses (hcn/hcnnamespace.go createNamespace); win-hcn passes the operator's GUID, so that repeating the command finds the namespace.",
    },
  },
  {
    intent: 'the host endpoint of a network',
    peer: 'Terway',
    source: 'AliyunContainerService/terway pkg/windows/apis/network_bridge.go AddBridgeHCNNetwork',
    theirs: creation('Endpoint', {
      Name: 'cbr0_gw',
      HostComputeNetwork: networkId('cbr0'),
      IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 32 }],
      Dns: {},
      Health: { Extra: {} },
      SchemaVersion,
    }),
    ours: async () => (await sentBy('ADD', { ...l2bridge, hostEndpoint: {} }, ['HcnCreateEndpoint']))[0],
    reasons: {
      ...ownId,
      ...emptyStructs('document.Dns', 'document.Health'),
      '+ document.Routes':
        "The next hop 0.0.0.0 keeps HNS from adding a default route (microsoft/windows-container-networking's CreateGatewayEp; Azure/azure-container-networking#4213); peers delete the one that HNS adds.",
      '~ document.Name':
        'win-hcn uses the same name as flannel and Calico (flannel-io/flannel pkg/backend/hostgw/hostgw_windows.go RegisterNetwork), so that it adopts their endpoint.',
      '~ document.IpConfigurations[10.244.1.2].PrefixLength':
        "Terway sends the length of a single address, while flannel and Calico leave the length to HNS (projectcalico/calico cni-plugin/pkg/dataplane/windows/dataplane_windows.go CreateAndAttachHostEP); win-hcn sends the subnet's, so that the node has a route to its pods.",
    },
  },
];
