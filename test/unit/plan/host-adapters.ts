import type { HostAdapter } from '../../../src/net/host-adapter.ts';

/** A node with a virtual switch on its first adapter; the adapter of the switch has the address. */
export const hostAdapters: readonly [HostAdapter, HostAdapter, HostAdapter] = [
  {
    index: 5,
    alias: 'Ethernet',
    description: 'Microsoft Hyper-V Network Adapter',
    mac: '00-15-5D-00-00-00',
    mtu: 1500,
    isUp: true,
    mediaType: 6,
    addresses: [],
    gateways: [],
    metric: 0,
  },
  {
    index: 7,
    alias: 'Ethernet 2',
    description: 'Microsoft Hyper-V Network Adapter #2',
    mac: '00-15-5D-00-00-01',
    mtu: 1500,
    isUp: true,
    mediaType: 6,
    addresses: [{ address: '172.16.0.4', length: 24 }],
    gateways: [],
    metric: 25,
  },
  {
    index: 12,
    alias: 'vEthernet (Ethernet)',
    description: 'Hyper-V Virtual Ethernet Adapter',
    mac: '00-15-5D-00-00-00',
    mtu: 1500,
    isUp: true,
    mediaType: 6,
    addresses: [{ address: '10.0.0.4', length: 24 }],
    gateways: ['10.0.0.1'],
    metric: 15,
  },
];

/** The interface of the host endpoint of network "cbr0". */
export const hostEndpointInterface: HostAdapter = {
  ...hostAdapters[2],
  index: 20,
  alias: 'vEthernet (cbr0_ep)',
  mac: '00-15-5D-00-00-09',
  addresses: [{ address: '10.244.2.2', length: 24 }],
  gateways: [],
};
