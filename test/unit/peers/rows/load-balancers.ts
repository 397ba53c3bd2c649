import { remoteEndpointId, sourceVipId } from '../../../../src/model/identity.ts';
import { sourceVipDocument } from '../../../../src/plan/host-endpoint.ts';
import { creation, l2bridgeNetwork, overlayNetwork, SchemaVersion } from '../inputs.ts';
import { emptyStructs, ownId, ownLoadBalancerId } from '../reasons.ts';
import type { Row } from '../row.ts';
import { existingNetworkId, sentForLoadBalancer } from '../win-hcn.ts';

const remote = remoteEndpointId(existingNetworkId, '10.244.2.5');
const service = {
  name: 'web',
  network: 'cbr0',
  frontendVIPs: ['10.96.0.10'],
  ports: [{ protocol: 'tcp', port: 80, targetPort: 8080 }],
  backends: [{ address: '10.244.2.5' }],
};
const onOverlay = {
  ...service,
  sourceVIP: '10.244.1.2',
  backends: [{ address: '10.244.2.5', providerAddress: '10.0.0.5' }],
};
const only = async (call: string, config: object, network: object) =>
  (await sentForLoadBalancer({ ...config }, [call], { ...network }))[0];

const remoteReasons = {
  ...ownId,
  ...emptyStructs('document.Dns', 'document.Health'),
  '+ document.Name':
    "kube-proxy gives no name (pkg/proxy/winkernel/hns.go createEndpoint); win-hcn's name identifies it for operators, and Calico names remote endpoints too (projectcalico/calico cni-plugin/pkg/dataplane/windows/dataplane_windows.go createAndAttachVxlanHostEP).",
  '~ document.MacAddress':
    "kube-proxy writes the address's octets in lower case (pkg/proxy/winkernel/proxier.go conjureMac), which HNS keeps (Azure/AKS#1367); MAC addresses are case-insensitive, and HNS writes its own in upper case.",
};

/** What kube-proxy sends for a backend on another node. */
const remoteEndpoint = {
  HostComputeNetwork: existingNetworkId,
  IpConfigurations: [{ IpAddress: '10.244.2.5' }],
  Dns: {},
  MacAddress: '02-11-0a-f4-02-05',
  Flags: 1,
  Health: { Extra: {} },
  SchemaVersion,
};

export const loadBalancerRows: readonly Row[] = [
  {
    intent: 'the source VIP of kube-proxy on an Overlay network',
    peer: 'kube-proxy',
    source: 'kubernetes/kubernetes pkg/proxy/winkernel/proxier.go newSourceVIP and hns.go createEndpoint',
    theirs: creation('Endpoint', {
      HostComputeNetwork: existingNetworkId,
      IpConfigurations: [{ IpAddress: '10.244.1.2' }],
      Dns: {},
      MacAddress: '00:15:5d:0a:0b:0c',
      Health: { Extra: {} },
      SchemaVersion,
    }),
    ours: async () => ({
      call: 'HcnCreateEndpoint',
      id: sourceVipId('cbr0'),
      document: sourceVipDocument(
        { ID: existingNetworkId, Name: 'cbr0', SchemaVersion },
        '10.244.1.2',
        '00-15-5D-0A-0B-0C',
      ),
    }),
    reasons: {
      ...ownId,
      ...emptyStructs('document.Dns', 'document.Health'),
      '+ document.Name':
        'kube-proxy gives no name; it finds the endpoint by its address on the network and then creates none (pkg/proxy/winkernel/hns.go getEndpointByIpAddress). The name tells operators what the endpoint is.',
    },
  },
  {
    intent: 'the endpoint of a backend on another node of an Overlay network',
    peer: 'kube-proxy',
    source: 'kubernetes/kubernetes pkg/proxy/winkernel/hns.go createEndpoint',
    theirs: creation('Endpoint', {
      ...remoteEndpoint,
      Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.5' } }],
    }),
    ours: () => only('HcnCreateEndpoint', onOverlay, overlayNetwork),
    reasons: remoteReasons,
  },
  {
    intent: 'the load balancer of a ClusterIP on an Overlay network',
    peer: 'kube-proxy',
    source: 'kubernetes/kubernetes pkg/proxy/winkernel/hns.go getLoadBalancer',
    theirs: creation('LoadBalancer', {
      HostComputeEndpoints: [remote],
      SourceVIP: '10.244.1.2',
      FrontendVIPs: ['10.96.0.10'],
      PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
      SchemaVersion,
    }),
    ours: () => only('HcnCreateLoadBalancer', onOverlay, overlayNetwork),
    reasons: ownLoadBalancerId,
  },
  {
    intent: 'the load balancer of a ClusterIP with direct server return and session affinity',
    peer: 'kube-proxy',
    source: 'kubernetes/kubernetes pkg/proxy/winkernel/hns.go getLoadBalancer',
    theirs: creation('LoadBalancer', {
      HostComputeEndpoints: [remote],
      FrontendVIPs: ['10.96.0.10'],
      PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80, DistributionType: 2 }],
      SchemaVersion,
      Flags: 1,
    }),
    ours: () =>
      only(
        'HcnCreateLoadBalancer',
        { ...service, directServerReturn: true, sessionAffinity: 'SourceIP' },
        l2bridgeNetwork,
      ),
    reasons: ownLoadBalancerId,
  },
  {
    intent: 'the load balancer of a NodePort',
    peer: 'kube-proxy',
    source: 'kubernetes/kubernetes pkg/proxy/winkernel/hns.go getLoadBalancer',
    theirs: creation('LoadBalancer', {
      HostComputeEndpoints: [remote],
      PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 30080, Flags: 18 }],
      SchemaVersion,
    }),
    ours: () =>
      only(
        'HcnCreateLoadBalancer',
        {
          ...service,
          frontendVIPs: [],
          localRoutedVip: true,
          ports: [{ protocol: 'tcp', port: 30080, targetPort: 8080 }],
        },
        l2bridgeNetwork,
      ),
    reasons: {
      ...ownLoadBalancerId,
      '~ document.PortMappings[0].Flags':
        "kube-proxy adds VipExternalIP (16) to LocalRoutedVip (2) (pkg/proxy/winkernel/proxier.go syncProxyRules); Microsoft's schema lacks that flag, and so does win-hcn's configuration.",
    },
  },
];
