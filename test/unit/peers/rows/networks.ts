import { creation, dualStack, ipams, l2bridge, overlay, SchemaVersion, through } from '../inputs.ts';
import { emptyStructs, networkStructs, ownId } from '../reasons.ts';
import type { Row } from '../row.ts';
import { networkOf } from '../win-hcn.ts';

const adapterNamed = { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } };
const subnet = '10.244.1.0/24';
const ours = () => networkOf(l2bridge);

const nonPersistent =
  'azure-vnet and flannel recreate their network after a restart of the node and have HNS discard it (Azure/azure-container-networking network/network_windows.go configureHcnNetwork); win-hcn keeps networks unless networkFlags has EnableNonPersistent.';
const boundAdapter =
  'Without the policy HNS chooses an adapter, possibly the wrong one of several (Azure/azure-container-networking network/network_windows.go newNetworkImplHnsV1); win-hcn names the one with the default route.';
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
    intent: 'an L2Bridge network',
    peer: 'sdnbridge',
    source: 'microsoft/windows-container-networking network/network.go GetHostComputeNetworkConfig',
    theirs: creation('Network', {
      Name: 'cbr0',
      Type: 'L2Bridge',
      MacPool: {},
      Dns: { Search: ['svc.cluster.local'], ServerList: ['10.96.0.10'] },
      Ipams: ipams({ IpAddressPrefix: subnet, Routes: through('10.244.1.2') }),
      Health: { Extra: {} },
      SchemaVersion,
    }),
    ours: () =>
      networkOf({
        type: 'sdnbridge',
        ipam: { subnet, routes: [{ GW: '10.244.1.2' }] },
        dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
      }),
    reasons: {
      ...ownId,
      ...emptyStructs('document.MacPool', 'document.Health'),
      '- document.Dns':
        "sdnbridge gives the network the first pod's DNS settings (cni/cni.go GetNetworkInfo), which other pods then inherit; win-hcn sets them only on endpoints.",
      '+ document.Policies': boundAdapter,
    },
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
  {
    intent: 'a NAT network',
    peer: 'nat',
    source: 'microsoft/windows-container-networking network/network.go GetHostComputeNetworkConfig',
    theirs: creation('Network', {
      Name: 'nat',
      Type: 'NAT',
      MacPool: {},
      Dns: {},
      Ipams: ipams({ IpAddressPrefix: '172.20.0.0/16', Routes: through('172.20.0.1') }),
      Health: { Extra: {} },
      SchemaVersion,
    }),
    ours: () =>
      networkOf({
        name: 'nat',
        type: 'nat',
        master: 'Ethernet',
        ipam: { subnet: '172.20.0.0/16', routes: [{ gw: '172.20.0.1' }] },
      }),
    reasons: { ...ownId, ...networkStructs },
  },
  {
    intent: 'a dual-stack L2Bridge network',
    peer: 'azure-vnet',
    source: 'Azure/azure-container-networking network/network_windows.go configureHcnNetwork',
    theirs: creation('Network', {
      Name: 'cbr0',
      Type: 'L2Bridge',
      Policies: [adapterNamed],
      MacPool: {},
      Dns: {},
      Ipams: ipams(
        { IpAddressPrefix: '10.244.1.0/24', Routes: through('10.244.1.1') },
        { IpAddressPrefix: 'fd00:10:244:1::/64', Routes: through('fd00:10:244:1::1', '::/0') },
      ),
      Flags: 8,
      Health: { Extra: {} },
      SchemaVersion,
    }),
    ours: () => networkOf(dualStack),
    reasons: {
      ...ownId,
      ...networkStructs,
      '- document.Flags': nonPersistent,
    },
  },
];
