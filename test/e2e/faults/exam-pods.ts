// Faults of the endpoints of running pods.

import type { ExamFault } from './exam.ts';
import type { FaultyNode } from './faulty-node.ts';

const web = /\bweb\b/;

/** Adds policies to the endpoint of a pod. */
function addPolicies(node: FaultyNode, pod: string, added: readonly object[]): Promise<void> {
  return node.changeEndpoint(node.endpointOf(pod), ({ Policies = [] }) => ({
    Policies: [...Policies, ...(added as typeof Policies)],
  }));
}

export const examOfPods = {
  'no default route': {
    story: 'shop/web has a route to the services, but no default route.',
    plant: (node) =>
      node.changeEndpoint(node.endpointOf('shop/web'), () => ({
        Routes: [{ NextHop: '10.244.1.2', DestinationPrefix: '10.96.0.0/12' }],
      })),
    words: [web, /default (route|gateway)|gateway|0\.0\.0\.0\/0/i],
    stops: true,
  },
  'another resolver': {
    story: "shop/web has the node's DNS server: it was created before the conflist named the cluster's.",
    plant: (node) =>
      node.changeEndpoint(node.endpointOf('shop/web'), () => ({ Dns: { ServerList: ['10.0.0.53'] } })),
    words: [web, '10.0.0.53'],
    stops: false,
  },
  'surplus route': {
    story: 'shop/web has the default route, and one to the services through a router that is gone.',
    plant: (node) =>
      node.changeEndpoint(node.endpointOf('shop/web'), ({ Routes = [] }) => ({
        Routes: [...Routes, { NextHop: '10.244.1.99', DestinationPrefix: '10.96.0.0/12' }],
      })),
    words: [web, '10.244.1.99'],
    stops: true,
  },
  'MAC address used twice': {
    story: 'shop/api was restored with the MAC address of shop/web.',
    plant: async (node) => {
      const { MacAddress = '' } = (await node.hcn.findEndpoint(node.endpointOf('shop/web'))) ?? {};
      await node.changeEndpoint(node.endpointOf('shop/api'), () => ({ MacAddress }));
    },
    words: [web, /\bapi\b/, /MAC|00-15-5D/],
    stops: true,
  },
  'direction of an ACL': {
    story: "shop/web's ACL blocks what comes from 10.0.3.0/24, not what goes there.",
    plant: (node) =>
      node.changeEndpoint(node.endpointOf('shop/web'), ({ Policies = [] }) => ({
        Policies: Policies.map(({ Type, Settings = {} }) =>
          Settings['RemoteAddresses'] === '10.0.3.0/24'
            ? { Type, Settings: { ...Settings, Direction: 'In' } }
            : { Type, Settings },
        ),
      })),
    words: [web, '10.0.3.0/24'],
    stops: false,
  },
  'proxy that is gone': {
    story:
      "A removed service mesh left a redirection to the sidecar's ports in shop/web, which has no sidecar.",
    plant: (node) =>
      addPolicies(node, 'shop/web', [
        {
          Type: 'L4WFPPROXY',
          Settings: {
            InboundProxyPort: '15003',
            OutboundProxyPort: '15001',
            FilterTuple: { Protocols: '6' },
            UserSID: 'S-1-5-32-556',
          },
        },
      ]),
    words: [web, /L4WFPPROXY|1500[13]/i],
    stops: true,
  },
  "another pod's loopback": {
    story: "loopbackDSR of shop/web names the address of shop/api, so shop/web's own service fails for it.",
    plant: async (node) => {
      const own = { Type: 'OutBoundNAT', Settings: { Destinations: ['10.244.1.11'] } };
      node.configure((plugin) => ({ ...plugin, loopbackDSR: true }));
      for (const pod of ['shop/web', 'shop/api']) await addPolicies(node, pod, [own]);
    },
    words: [web, /10\.244\.1\.1[01]/, /OutBoundNAT|NAT|loopback/i],
    stops: false,
  },
  'host port of a former address': {
    story: 'shop/cart has a host port on 10.0.0.99, an address that the node no longer has.',
    plant: (node) => {
      const mapping = { hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP: '10.0.0.99' };
      return node.startPod('shop/cart', { runtimeConfig: { portMappings: [mapping] } });
    },
    words: [/\bcart\b/, '10.0.0.99'],
    stops: false,
  },
} satisfies Record<string, ExamFault>;
