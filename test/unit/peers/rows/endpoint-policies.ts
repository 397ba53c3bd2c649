import { ipv4, l2bridge, overlay, overlayNetwork } from '../inputs.ts';
import type { Row } from '../row.ts';
import { policiesOf } from '../win-hcn.ts';

const routes = (sdnRoutes: readonly object[]) => policiesOf({ ...l2bridge, sdnRoutes }, ['SDNRoute']);
const provider = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };

const typeName =
  "Calico passes the type as its configuration has it; HNS matches types without case, and hcsshim's name is SDNRoute (hcn/hcnpolicy.go EndpointPolicyType).";

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
    intent: 'a route through the virtual filter without encapsulation',
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/policy/policy_windows.go GetHcnRoutePolicy',
    theirs: {
      Policies: [{ Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12' } }],
    },
    ours: () => routes([{ destinationPrefix: '10.96.0.0/12', needEncap: false }]),
    reasons: {
      '+ Policies[SDNRoute].Settings.NeedEncap':
        "Go's omitempty omits false (microsoft/hcsshim hcn/hcnpolicy.go SDNRoutePolicySetting), which is the default; win-hcn sends it explicitly.",
    },
  },
  {
    intent: 'a route through the virtual filter',
    peer: 'Calico',
    source:
      'projectcalico/calico cni-plugin/internal/pkg/utils/winpol/windows_policy.go convertToHcnEndpointPolicy',
    theirs: {
      Policies: [{ Type: 'SDNROUTE', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } }],
    },
    ours: () => routes([{ destinationPrefix: '10.96.0.0/12', needEncap: true }]),
    reasons: { '- Policies[SDNROUTE]': typeName, '+ Policies[SDNRoute]': typeName },
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
  {
    intent: "the node's address on an Overlay endpoint",
    peer: 'win-overlay',
    source: 'containernetworking/plugins pkg/hns/netconf_windows.go ApplyDefaultPAPolicy',
    theirs: { Policies: [provider] },
    ours: () =>
      policiesOf({ type: 'win-overlay', apiVersion: 2 }, ['ProviderAddress'], {
        network: overlayNetwork,
        ips: [ipv4],
      }),
    reasons: {},
  },
];
