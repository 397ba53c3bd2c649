import type { Row } from '../row.ts';
import { sentAbout } from '../win-hcn.ts';

const overlay = {
  networkType: 'Overlay',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
};
const hostRoute = {
  ResourceType: 'Policy',
  RequestType: 'Add',
  Settings: { Policies: [{ Type: 'HostRoute', Settings: {} }] },
};

const clients = [
  { peer: 'flannel', source: 'flannel-io/flannel pkg/backend/vxlan/device_windows.go ensureNetwork' },
  {
    peer: 'Calico',
    source:
      'projectcalico/calico cni-plugin/pkg/dataplane/windows/dataplane_windows.go ensureVxlanNetworkExists',
  },
  { peer: 'hns.v2.psm1', source: 'microsoft/SDN Kubernetes/windows/hns.v2.psm1 New-HnsHostRoutePolicy' },
];

export const hostRouteRows: readonly Row[] = clients.map((client) => ({
  intent: 'the node itself reaches the pods of an Overlay network',
  ...client,
  theirs: [{ call: 'HcnModifyNetwork', document: hostRoute }],
  ours: () => sentAbout('HostRoute', { ...overlay, networkPolicies: [{ Type: 'HostRoute' }] }),
  reasons: {},
}));
