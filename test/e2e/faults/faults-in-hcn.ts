import type { Fault } from './fault.ts';
import { containerOf, network, plugin, reserve } from './faulty-node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

/** Objects of HCN that differ from what the node needs. */
export const faultsInHcn = {
  'network with another subnet': {
    story: 'The conflist got the subnet of another node.',
    plant: (node) =>
      node.configure((conf) => ({
        ...conf,
        subnets: [{ subnet: '10.244.3.0/24', gateway: '10.244.3.1' }],
        ipam: { type: 'host-local', subnet: '10.244.3.0/24', rangeStart: '10.244.3.10' },
      })),
    namedBy: 'doctor',
    words: ['FAIL', 'subnets are 10.244.1.0/24, expected 10.244.3.0/24'],
  },
  'adapter in use': {
    story: 'The conflist became one for an Overlay network, but the L2Bridge network still has the adapter.',
    plant: (node) =>
      node.configure(
        ({ hostEndpoint: _, ...conf }) => ({
          ...conf,
          networkType: 'Overlay',
          remoteSubnets: [],
          subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.1', vsid: 4096 }],
        }),
        'vxlan0',
      ),
    namedBy: 'doctor',
    words: ['FAIL', '2 pods', '"vxlan0"', 'adapter "Ethernet"', 'L2Bridge network "l2bridge"'],
  },
  'overlapping networks': {
    story: "A second network on the adapter has a part of the pods' subnet.",
    plant: (node) =>
      node.createNetwork('6f1c2b3a-4d5e-4f60-8a7b-9c0d1e2f3a41', {
        Name: 'storage',
        Type: 'L2Bridge',
        Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '10.244.1.128/25' }] }],
        Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
      }),
    namedBy: 'doctor',
    words: ['WARN', '10.244.1.128/25', '10.244.1.0/24', 'overlap'],
  },
  'duplicate address': {
    story: 'A script created an endpoint with the address of pod web, on a second network of the adapter.',
    plant: async (node) => {
      const id = '51c8e02f-3b7a-4d19-9e64-2a8f7b1c0d42';
      await node.createNetwork(id, {
        Name: 'spare',
        Type: 'L2Bridge',
        Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }] }],
        Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
      });
      await node.hcn.createEndpoint(id, '7a2d3c4b-5e6f-4071-9b8c-0d1e2f3a4b52', {
        Name: 'by-hand',
        HostComputeNetwork: id,
        IpConfigurations: [{ IpAddress: '10.244.1.10' }],
        SchemaVersion,
      });
    },
    namedBy: 'doctor',
    words: ['FAIL', '10.244.1.10', '7a2d3c4b'],
  },
  'leftover endpoint': {
    story: 'A container died, and nobody deleted its endpoint.',
    plant: async (node) => {
      const pod = node.newPod(containerOf('shop/report'));
      const { ipam: _, ...conf } = plugin;
      const requested = { runtimeConfig: { ips: ['10.244.1.60/24'] }, capabilities: { ips: true } };
      const config = { cniVersion: '1.1.0', name: 'l2bridge', ...conf, ...requested };
      const { exitCode, stdout } = await node.add(config, pod);
      if (exitCode !== 0) throw new Error(stdout);
      await node.hcn.deleteNamespace(pod.netns);
    },
    namedBy: 'doctor',
    words: ['WARN', 'leftover', containerOf('shop/report').slice(0, 13), 'in no namespace'],
  },
  'pod without endpoint': {
    story: 'HNS lost the endpoint of a running pod.',
    plant: (node) => node.startForeignPod('shop/cart'),
    namedBy: 'doctor',
    words: ['FAIL', 'shop/cart', 'without an endpoint'],
  },
  'wrong gateway': {
    story: 'A script gave a pod a gateway that does not exist.',
    plant: (node) =>
      node.startForeignPod('shop/mail', {
        ID: '92d4f6a8-0b1c-4e3d-8f5a-6b7c8d9e0f53',
        IpConfigurations: [{ IpAddress: '10.244.1.61', PrefixLength: 24 }],
        Routes: [{ NextHop: '10.244.1.254', DestinationPrefix: '0.0.0.0/0' }],
      }),
    namedBy: 'doctor',
    words: ['FAIL', 'shop/mail', 'gateway 10.244.1.254'],
  },
  'ACL that blocks DNS': {
    story: 'An ACL of a pod blocks UDP port 53.',
    plant: (node) =>
      node.startPod('shop/search', {
        acls: [{ action: 'Block', direction: 'Out', protocols: ['udp'], remotePorts: ['53'], priority: 100 }],
      }),
    namedBy: 'doctor',
    words: ['FAIL', 'shop/search', 'blocks', 'DNS', '10.96.0.10'],
  },
  'load balancer without backend': {
    story: 'A service still refers to the endpoint of a deleted pod.',
    plant: async (node) => {
      const id = 'c03e5a79-8d6b-4f21-a94c-1e5d3b7f2a54';
      await node.hcn.createEndpoint(network, id, {
        Name: 'old-backend',
        HostComputeNetwork: network,
        IpConfigurations: [{ IpAddress: '10.244.1.62' }],
        SchemaVersion,
      });
      await node.hcn.createLoadBalancer('8b3e4d5c-6f70-4182-8c9d-1e2f3a4b5c61', {
        HostComputeEndpoints: [id],
        FrontendVIPs: ['10.96.0.77'],
        PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80, DistributionType: 0 }],
        SchemaVersion,
      });
      await node.hcn.deleteEndpoint(id);
    },
    namedBy: 'doctor',
    words: ['WARN', '8b3e4d5c', '10.96.0.77', 'backend', 'c03e5a79'],
  },
  'missing NAT exception': {
    story: 'A pod is older than an exception of the conflist.',
    plant: (node) => node.startPod('shop/stock', { outboundNat: { exceptions: ['10.244.0.0/16'] } }),
    namedBy: 'doctor',
    words: ['WARN', 'shop/stock', 'exception', '10.96.0.0/12'],
  },
  'stale lease': {
    story: 'host-local did not release the address of a deleted pod.',
    plant: ({ files }) => reserve(files, '10.244.1.27', containerOf('shop/backup')),
    namedBy: 'doctor',
    words: ['WARN', 'stale lease', '10.244.1.27', containerOf('shop/backup').slice(0, 13)],
  },
} as const satisfies Readonly<Record<string, Fault>>;
