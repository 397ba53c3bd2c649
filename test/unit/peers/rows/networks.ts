import { creation, ipams, l2bridge, overlay, SchemaVersion, through } from '../inputs.ts';
import { networkStructs, ownId } from '../reasons.ts';
import type { Row } from '../row.ts';
import { networkOf } from '../win-hcn.ts';

const adapterNamed = { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } };
const subnet = '10.244.1.0/24';
const ours = () => networkOf(l2bridge);

const nonPersistent =
  'azure-vnet and flannel recreate their network after a restart of the node and have HNS discard it (Azure/azure-container-networking network/network_windows.go configureHcnNetwork); win-hcn keeps networks unless networkFlags has EnableNonPersistent.';
export const networkRows: readonly Row[] = [
  {
    intent: 'an L2Bridge network',
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/network_windows.go configureHcnNetwork',
    theirs: creation('Network', {
      Name: 'cbr0',
      Type: 'L2Bridge',
      Policies: [adapterNamed],
      MacPool: {},
      Dns: {},
      Ipams: ipams({ IpAddressPrefix: subnet, Routes: through('10.244.1.1') }),
      Flags: 8,
      Health: { Extra: {} },
      SchemaVersion,
    }),
    ours,
    reasons: { ...ownId, ...networkStructs, '- document.Flags': nonPersistent },
  },
  {
    intent: 'an Overlay network with a VSID',
    peer: 'flannel',
    source: 'flannel-io/flannel pkg/backend/vxlan/device_windows.go newVXLANDevice',
    theirs: creation('Network', {
      Name: 'vxlan0',
      Type: 'Overlay',
      Policies: [adapterNamed],
      MacPool: {},
      Dns: {},
      Ipams: ipams({
        IpAddressPrefix: subnet,
        Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
        Routes: through('10.244.1.1'),
      }),
      Flags: 8,
      Health: { Extra: {} },
      SchemaVersion,
    }),
    ours: () => networkOf({ ...overlay, name: 'vxlan0' }),
    reasons: { ...ownId, ...networkStructs, '- document.Flags': nonPersistent },
  },
];
