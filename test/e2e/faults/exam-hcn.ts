// Faults of networks, the host endpoint and kube-proxy's load balancers.

import { hostEndpointId } from '../../../src/model/identity.ts';
import type { ExamFault } from './exam.ts';
import { network } from './faulty-node.ts';
import { createBackend, createService, services } from './kube-proxy.ts';

const nat = (name: string, third: number) => ({
  Name: name,
  Type: 'NAT',
  Ipams: [
    {
      Type: 'Static',
      Subnets: [
        {
          IpAddressPrefix: `10.4.${third}.0/24`,
          Routes: [{ NextHop: `10.4.${third}.1`, DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
});

/** The plugin of an Overlay network; the resolver is outside of the cluster. */
const overlay = (macAddress: string) => ({
  networkType: 'Overlay',
  hostEndpoint: undefined,
  subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.1', vsid: 4096 }],
  remoteSubnets: [{ subnet: '10.244.2.0/24', providerAddress: '10.0.0.5', macAddress }],
  dns: { nameservers: ['10.0.0.53'] },
});

export const examOfHcn = {
  'another adapter': {
    story: 'The conflist names the new network card, but the network of the pods is on the old one.',
    plant: (node) => node.configure((plugin) => ({ ...plugin, adapter: 'Ethernet 2' })),
    words: ['Ethernet 2', /"?\bEthernet\b"?(?! 2)/],
    stops: true,
  },
  'router of a remote subnet': {
    story: 'A node of the overlay was reinstalled: the conflist has its new MAC address, HNS the old one.',
    plant: async (node) => {
      for (const pod of ['shop/web', 'shop/api']) await node.stopPod(pod);
      await node.hcn.deleteNetwork(network);
      for (const pod of ['shop/web', 'shop/api']) await node.startPod(pod, overlay('00-15-5D-0A-0B-05'));
      node.configure((plugin) => ({ ...plugin, ...overlay('00-15-5D-0A-0B-99') }));
    },
    words: ['10.244.2.0/24', /00-15-5D-0A-0B-(05|99)/i],
    stops: true,
  },
  'two NAT networks': {
    story: 'Docker and nerdctl each created a NAT network; published ports of both can hang HNS.',
    plant: async (node) => {
      await node.createNetwork('0f7b6f0e-3a94-4c0f-8d6e-6f1f6a0c5b01', nat('nat', 0));
      await node.createNetwork('1c2a5d11-90be-4e37-a1c4-2b5c7d8e9f02', nat('nerdctl', 1));
    },
    words: [/\bnat\b/, /\bnerdctl\b/, /NAT/],
    stops: false,
  },
  'address of the host endpoint': {
    story: "flanneld created the host endpoint again with .3; the pods' gateway is .2.",
    plant: async (node) => {
      await node.changeEndpoint(hostEndpointId('l2bridge'), () => ({
        IpConfigurations: [{ IpAddress: '10.244.1.3', PrefixLength: 24 }],
        Routes: [{ NextHop: '0.0.0.0', DestinationPrefix: '0.0.0.0/0' }],
      }));
      node.hns.others.enableForwarding('10.244.1.3');
    },
    words: [/\b10\.244\.1\.2\b/, /l2bridge_ep|host endpoint|10\.244\.1\.3\b/],
    stops: true,
  },
  'forwarding of one interface': {
    story: 'A hardening script disabled forwarding on vEthernet (Ethernet), not on the host endpoint.',
    plant: ({ hns }) => {
      hns.disableForwarding();
      hns.others.enableForwarding('10.244.1.2');
    },
    words: ['vEthernet (Ethernet)', /forwarding/i],
    stops: true,
  },
  'detached host endpoint': {
    story: "The host endpoint is in no namespace since HNS restarted, so the node lacks the pods' gateway.",
    plant: async ({ hcn }) => {
      const [host] = await hcn.findDefaultNamespaces();
      await hcn.removeEndpoint(host?.ID ?? '', hostEndpointId('l2bridge'));
    },
    words: [/l2bridge_ep|host endpoint/, /\b10\.244\.1\.2\b/],
    stops: true,
  },
  'DNS over TCP': {
    story: 'kube-proxy lost the load balancer of DNS over TCP: only large responses fail.',
    plant: async ({ hcn }) => void (await hcn.deleteLoadBalancer(services.dnsTcp.id)),
    words: ['10.96.0.10', /\btcp\b/i],
    stops: false,
  },
  'backend without route': {
    story: 'A service has a backend on a node that joined later, to whose subnet this node has no route.',
    plant: async ({ hcn }) => {
      await createBackend(hcn, network, '10.244.9.5');
      const service = { id: 'b1f4a0c2-6d1e-4f57-8a3b-5e2d7c9f0a11', vip: '10.96.34.12', protocol: 6 };
      await createService(hcn, { ...service, port: 80, backends: ['10.244.9.5'], backendPort: 8080 });
    },
    words: [/10\.244\.9\.(5|0\/24)/],
    stops: false,
  },
  'no load balancers': {
    story: 'kube-proxy deleted all load balancers at its start, as it does, and then crashed.',
    plant: async ({ hcn }) => {
      for (const { id } of Object.values(services)) await hcn.deleteLoadBalancer(id);
    },
    words: ['10.96.0.10', /load balancer|kube-proxy/i],
    stops: true,
  },
} satisfies Record<string, ExamFault>;
