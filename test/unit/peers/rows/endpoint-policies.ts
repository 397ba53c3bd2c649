import { l2bridge, overlay } from '../inputs.ts';
import type { Row } from '../row.ts';
import { policiesOf } from '../win-hcn.ts';

const routes = (sdnRoutes: readonly object[]) => policiesOf({ ...l2bridge, sdnRoutes }, ['SDNRoute']);
const provider = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };

export const endpointPolicyRows: readonly Row[] = [
  {
    intent: 'a route through the virtual filter',
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/policy/policy_windows.go GetHcnRoutePolicy',
    theirs: {
      Policies: [{ Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } }],
    },
    ours: () => routes([{ destinationPrefix: '10.96.0.0/12', needEncap: true }]),
    reasons: {},
  },
  {
    intent: "an MTU 100 bytes smaller than the adapter's",
    peer: 'hcsshim',
    source: 'microsoft/hcsshim hcn/hcnpolicy.go EncapOverheadEndpointPolicySetting',
    theirs: { Policies: [{ Type: 'EncapOverhead', Settings: { Overhead: 100 } }] },
    ours: () => policiesOf({ ...l2bridge, mtu: 1400 }, ['EncapOverhead']),
    reasons: {},
  },
  {
    intent: "the node's address on an Overlay endpoint",
    peer: 'Calico',
    source:
      'projectcalico/calico cni-plugin/pkg/dataplane/windows/dataplane_windows.go createAndAttachContainerEP',
    theirs: { Policies: [provider] },
    ours: () => policiesOf(overlay, ['ProviderAddress']),
    reasons: {},
  },
];
