import { addHostGwRoute, startHostGw } from '../../cluster/agents/flannel.ts';
import { type Fixture, podEndpoint, policy, services } from './foreign-node.ts';

const policies = [
  policy('OutBoundNAT', { Exceptions: [services, '10.244.0.0/16', '10.0.0.0/24'] }),
  policy('SDNRoute', { DestinationPrefix: services, NeedEncap: true }),
  policy('SDNRoute', { DestinationPrefix: '10.0.0.4/32', NeedEncap: true }),
];

/** flannel with the backend host-gw and the delegate sdnbridge, as the scripts of kubernetes-sigs/sig-windows-tools install it. */
export const flannel: Fixture = {
  plugin: 'flannel',
  nodeIp: '10.0.0.4',
  folders: ['C:\\opt\\cni\\bin', 'C:\\etc\\cni\\net.d'],
  confs: {
    '10-flannel.conf': {
      name: 'cbr0',
      cniVersion: '0.2.0',
      type: 'flannel',
      capabilities: { portMappings: true, dns: true },
      delegate: {
        type: 'sdnbridge',
        dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
        optionalFlags: { forceBridgeGateway: true },
        AdditionalArgs: policies.map((Value) => ({ Name: 'EndpointPolicy', Value })),
      },
    },
  },
  programs: ['flannel', 'sdnbridge', 'host-local'],
  network: 'cbr0',
  prepare: ({ hns }) => {
    startHostGw(hns, '10.244.1.0/24', '10.0.0.4');
    addHostGwRoute(hns, { subnet: '10.244.0.0/24', publicIp: '10.0.0.20' });
    addHostGwRoute(hns, { subnet: '10.244.2.0/24', publicIp: '10.0.0.5' });
  },
  addresses: ['10.244.1.3', '10.244.1.4'],
  endpoint: (container, address) => ({
    Name: `${container}_cbr0`,
    ...podEndpoint(address, '10.244.1.2', ...policies),
  }),
  kubeProxy: { dsr: false },
  endpoints: 4,
  findings: {
    'leftover endpoints': 'PASS 0 of 3 local endpoints',
    'default route':
      'PASS via 10.0.0.1 on "vEthernet (Ethernet)", by its interface metric before via 10.244.1.1 on "vEthernet (cbr0_ep)"',
    'IP forwarding': 'PASS on for "vEthernet (cbr0_ep)" and "vEthernet (Ethernet)"',
    'pod gateways': 'PASS 2 endpoints, gateway 10.244.1.2 (this node)',
  },
};
