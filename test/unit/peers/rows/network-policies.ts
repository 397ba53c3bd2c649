import { overlay } from '../inputs.ts';
import type { Row } from '../row.ts';
import { networkOf, sentAbout } from '../win-hcn.ts';

const adapterAddress = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };

async function policiesOf(config: Readonly<Record<string, unknown>>): Promise<unknown> {
  return Reflect.get((await networkOf(config))?.document ?? {}, 'Policies');
}

const hostRoute = {
  ResourceType: 'Policy',
  RequestType: 'Add',
  Settings: { Policies: [{ Type: 'HostRoute', Settings: {} }] },
};

const hostRouteClients = [
  { peer: 'flannel', source: 'flannel-io/flannel pkg/backend/vxlan/device_windows.go ensureNetwork' },
  {
    peer: 'Calico',
    source:
      'projectcalico/calico cni-plugin/pkg/dataplane/windows/dataplane_windows.go ensureVxlanNetworkExists',
  },
  { peer: 'hns.v2.psm1', source: 'microsoft/SDN Kubernetes/windows/hns.v2.psm1 New-HnsHostRoutePolicy' },
];

const remoteSubnet = (DistributedRouterMacAddress: string) => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix: '10.244.2.0/24',
    IsolationId: 4096,
    ProviderAddress: '10.0.0.5',
    DistributedRouterMacAddress,
  },
});

/** The request that adds one remote subnet, in all its members. */
const requestFor = (mac: string) => [
  {
    call: 'HcnModifyNetwork',
    document: { ResourceType: 'Policy', RequestType: 'Add', Settings: { Policies: [remoteSubnet(mac)] } },
  },
];
const remoteSubnets = [
  { subnet: '10.244.2.0/24', providerAddress: '10.0.0.5', macAddress: '00:15:5d:01:02:03' },
];
const remoteSubnetClients = [
  {
    peer: 'flannel',
    source: 'flannel-io/flannel pkg/backend/vxlan/vxlan_network_windows.go handleSubnetEvents',
    mac: '00:15:5d:01:02:03',
    form: 'flannel writes colons and lower case',
  },
  {
    peer: 'Calico',
    source: 'projectcalico/calico felix/dataplane/windows/vxlan_mgr.go CompleteDeferredWork',
    mac: '00-15-5d-01-02-03',
    form: 'Calico writes dashes and lower case',
  },
  {
    peer: 'hns.v2.psm1',
    source: 'microsoft/SDN Kubernetes/windows/hns.v2.psm1 New-HnsRemoteSubnetRoutePolicy',
    mac: '00-15-5D-01-02-03',
    form: undefined,
  },
];

export const networkPolicyRows: readonly Row[] = [
  {
    intent: 'a network on the adapter with an address',
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/policy/policy_windows.go GetHcnNetAdapterAddressPolicy',
    theirs: { Policies: [adapterAddress] },
    ours: async () => ({
      Policies: await policiesOf({
        networkType: 'L2Bridge',
        subnets: [{ subnet: '10.244.1.0/24' }],
        networkPolicies: [adapterAddress],
      }),
    }),
    reasons: {},
  },
  ...hostRouteClients.map((client) => ({
    intent: 'access from the node to the pods of an Overlay network',
    ...client,
    theirs: [{ call: 'HcnModifyNetwork', document: hostRoute }],
    ours: () => sentAbout('HostRoute', { ...overlay, networkPolicies: [{ Type: 'HostRoute' }] }),
    reasons: {},
  })),
  ...remoteSubnetClients.map(({ peer, source, mac, form }) => ({
    intent: 'a remote subnet of an Overlay network',
    peer,
    source,
    theirs: requestFor(mac),
    ours: () => sentAbout('RemoteSubnetRoute', { ...overlay, remoteSubnets }),
    reasons:
      form === undefined
        ? {}
        : {
            '~ [HcnModifyNetwork].document.Settings.Policies[RemoteSubnetRoute].Settings.DistributedRouterMacAddress': `${form}, win-hcn HNS's own form; HNS accepts each, and win-hcn compares them in one form.`,
          },
  })),
];
