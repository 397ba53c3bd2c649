import { startHostGw } from '../../cluster/agents/flannel.ts';
import { type Fixture, podEndpoint, policy, services } from './foreign-node.ts';

const policies = [
  policy('OutBoundNAT', { Exceptions: [services, '10.244.0.0/16'] }),
  policy('SDNRoute', { DestinationPrefix: services, NeedEncap: true }),
];

/** win-bridge of containernetworking with host-local, on a network with a host endpoint that a script created as GCE's does. */
export const winBridge: Fixture = {
  plugin: 'win-bridge',
  nodeIp: '10.0.0.4',
  folders: ['C:\\k\\cni', 'C:\\k\\cni\\config'],
  confs: {
    '10-win-bridge.conflist': {
      cniVersion: '1.0.0',
      name: 'l2bridge',
      plugins: [
        {
          type: 'win-bridge',
          apiVersion: 2,
          capabilities: { portMappings: true, dns: true },
          dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
          loopbackDSR: true,
          ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.1.0/24', rangeStart: '10.244.1.3' }]] },
          policies: policies.map((value) => ({ name: 'EndpointPolicy', value })),
        },
      ],
    },
  },
  programs: ['win-bridge', 'host-local'],
  network: 'l2bridge',
  prepare: ({ hns }) =>
    startHostGw(hns, '10.244.1.0/24', '10.0.0.4', {
      network: { Name: 'l2bridge', Policies: [policy('NetAdapterName', { NetworkAdapterName: 'Ethernet' })] },
      endpoint: { Name: 'cbr0', Routes: [{ NextHop: '0.0.0.0', DestinationPrefix: '0.0.0.0/0' }] },
    }),
  addresses: ['10.244.1.3', '10.244.1.4'],
  endpoint: (container, address) => {
    const loopback = policy('OutBoundNAT', { Destinations: [address] });
    return { Name: `${container}_l2bridge`, ...podEndpoint(address, '10.244.1.2', ...policies, loopback) };
  },
  kubeProxy: { dsr: true },
  endpoints: 4,
  findings: {
    'management address':
      'PASS network "l2bridge" on adapter "Ethernet": "vEthernet (Ethernet)" has 10.0.0.4',
    'IP forwarding': 'PASS on for "vEthernet (cbr0)" and "vEthernet (Ethernet)"',
    'pod gateways': 'PASS 2 endpoints, gateway 10.244.1.2 (this node)',
  },
};
