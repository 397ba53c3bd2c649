// Faults of services, of Windows, and of the node's adapters and routes.

import type { ExamFault } from './exam.ts';

export const examOfNode = {
  'disabled HNS': {
    story: 'HNS runs, but its start type is Disabled: after the next restart no pod gets a network.',
    plant: (node) => node.report('service', { startMode: 'Disabled' }),
    words: [/hns|Host Network Service/i, /disabled/i],
    stops: false,
  },
  'no UDP ports': {
    story: 'Almost all dynamic UDP ports are excluded, so NAT has none for DNS; TCP has enough.',
    plant: (node) => {
      const [tcp, udp] = Object(node.scripts.ports).protocols;
      const excluded = [...udp.excluded.slice(0, -1), '     49152       65500', ''];
      node.report('ports', { protocols: [tcp, { ...udp, excluded }] });
    },
    words: [/\budp\b/i, /port/i],
    stops: true,
  },
  'next hop of a remote subnet': {
    story: "Another node got a new address: the conflist has it, this node's route has the old one.",
    plant: (node) =>
      node.configure((plugin) => ({
        ...plugin,
        remoteSubnets: [
          { subnet: '10.244.2.0/24', nextHop: '10.0.0.15' },
          { subnet: '10.244.4.0/24', nextHop: '10.0.0.6' },
        ],
      })),
    words: ['10.244.2.0/24', '10.0.0.15'],
    stops: true,
  },
  'route of a VPN': {
    story: 'A VPN added a longer prefix on another adapter, which takes the traffic to half a remote subnet.',
    plant: ({ hns }) => {
      const vpn = hns.hostInterfaces().find(({ alias }) => alias === 'Ethernet 2');
      hns.addNodeRoute({
        interfaceIndex: vpn?.index ?? 0,
        prefix: '10.244.2.0/25',
        nextHop: '192.168.7.1',
        metric: 1,
        protocol: 3,
      });
    },
    words: [/10\.244\.2\.0\/25/],
    stops: true,
  },
  'automatic address': {
    story: 'The adapter lost its static address when the virtual switch took it over.',
    plant: (node) =>
      node.changeAdapter('Ethernet', { managementIp: '169.254.12.9', prefixLength: 16, gateway: '' }),
    words: ['169.254.12.9'],
    stops: true,
  },
} satisfies Record<string, ExamFault>;
