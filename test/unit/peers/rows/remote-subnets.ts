import type { Row } from '../row.ts';
import { sentAbout } from '../win-hcn.ts';

const overlay = {
  networkType: 'Overlay',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
};
const policy = (DistributedRouterMacAddress: string) => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix: '10.244.2.0/24',
    IsolationId: 4096,
    ProviderAddress: '10.0.0.5',
    DistributedRouterMacAddress,
  },
});

/** The call that sends the policy, and the policy as it is sent. */
const ours = async (mac: string) => {
  const [sent] = await sentAbout('RemoteSubnetRoute', { ...overlay, networkPolicies: [policy(mac)] });
  const { Policies = [] } = Object(sent?.document) as { Policies?: readonly { readonly Type: string }[] };
  return { call: sent?.call, policy: Policies.find(({ Type }) => Type === 'RemoteSubnetRoute') };
};

const withCreation =
  'Others learn of the other nodes later; ours are in the configuration, and go with the creation, so that no pod comes onto the network before (docs/decisions/attachments.md).';

export const remoteSubnetRows: readonly Row[] = [
  {
    intent: 'the subnet of another node of an Overlay network',
    peer: 'Calico',
    source: 'projectcalico/calico felix/dataplane/windows/vxlan_mgr.go CompleteDeferredWork',
    theirs: { call: 'HcnModifyNetwork', policy: policy('00-15-5D-01-02-03') },
    ours: () => ours('00-15-5D-01-02-03'),
    reasons: { '~ call': withCreation },
  },
  {
    intent: 'the subnet of another node of an Overlay network',
    peer: 'flannel',
    source: 'flannel-io/flannel pkg/backend/vxlan/vxlan_network_windows.go handleSubnetEvents',
    theirs: { call: 'HcnModifyNetwork', policy: policy('00:15:5d:01:02:03') },
    ours: () => ours('00:15:5d:01:02:03'),
    reasons: {
      '~ call': withCreation,
      '~ policy.Settings.DistributedRouterMacAddress':
        'flannel writes colons and lower case, Calico dashes (felix/dataplane/windows/vxlan_mgr.go macToWindowsFormat); HNS takes either from them.',
    },
  },
];
