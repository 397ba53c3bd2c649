import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/cli/traffic/node-state.ts';
import { arrivingFrame } from '../../../../src/cli/trace/arriving-frame.ts';
import { nodeAddresses } from '../../../../src/cli/trace/command.ts';
import { findTarget } from '../../../../src/cli/trace/find-target.ts';
import { otherSideNeeds } from '../../../../src/cli/trace/other-side.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { bridgeState, overlayState, policy, withPolicy } from '../../../cluster/states.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const pod = (ID: string, Name: string, ...addresses: readonly string[]): ObservedEndpoint => ({
  ID,
  Name,
  HostComputeNetwork: 'bridge-1',
  HostComputeNamespace: `namespace of ${ID}`,
  IpConfigurations: addresses.map((IpAddress) => ({ IpAddress, PrefixLength: 24 })),
  SchemaVersion,
});
const bridge = bridgeState(1, {
  others: [
    pod('both', 'a91100_cbr0', '10.244.1.6', 'fd00::6'),
    pod('none', 'b92200_cbr0'),
    { ...pod('far', 'c93300_cbr0', '10.244.2.6'), Flags: 1 },
  ],
});
const inventory = {
  ...bridge.inventory,
  pods: new Map([
    ['a91100', { name: 'shop/api', added: '' }],
    ['b92200', { name: 'shop/new', added: '' }],
  ]),
};
const target = (text: string, ...own: readonly string[]) => findTarget(text, own, inventory);

const overlay = overlayState(1);
const frameOf = (node: NodeState, source: string, destination: string) =>
  arrivingFrame({ source, destination }, node);
const secondAdapter = (node: NodeState, ...addresses: readonly string[]): NodeState => ({
  ...node,
  adapters: [
    ...node.adapters,
    ...node.adapters.slice(0, 1).map((one) => ({
      ...one,
      index: 10 + node.adapters.length,
      alias: 'Ethernet 2',
      addresses: addresses.map((address) => ({ address, length: 24 })),
    })),
  ],
});
const needs = (node: NodeState, source: string, nextHop: string, destination: string, interfaceIndex = 5) =>
  otherSideNeeds({ interfaceIndex, nextHop, packet: { source, destination } }, node);
const tunnel = { source: '10.0.0.1', destination: '10.0.0.2', vsid: 4096, port: 4789 };

/** A second network of the node, on an adapter of the given name. */
const withNetwork = (node: NodeState, adapter: string): NodeState => ({
  ...node,
  inventory: {
    ...node.inventory,
    networks: [
      ...node.inventory.networks,
      ...node.inventory.networks.map((one) => ({
        ...one,
        ID: 'second',
        Name: 'second',
        Policies: [policy('NetAdapterName', { NetworkAdapterName: adapter })],
      })),
    ],
  },
});
const twoNetworks = withNetwork(secondAdapter(bridge, '10.9.0.1', 'fd00:9::1'), 'Ethernet 2');
const sameAdapter = withNetwork(bridge, 'Ethernet');

const otherAddress: NodeState = {
  ...bridge,
  adapters: bridge.adapters.map((one) => ({
    ...one,
    addresses: [...one.addresses, { address: '10.9.0.1', length: 24 }],
  })),
  inventory: { ...bridge.inventory, endpoints: [pod('lan', 'lan', '10.9.0.9')] },
};

describe('the destination of a trace', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'is an address',
      () => target('10.244.2.7:80'),
      { found: { destinations: [{ address: '10.244.2.7', port: 80, protocol: 6 }] } },
    ],
    [
      'is this node',
      () => target('NODE', '10.0.0.1', 'fd00::1'),
      { found: { name: 'this node', destinations: [{ address: '10.0.0.1' }, { address: 'fd00::1' }] } },
    ],
    [
      'is a port of this node',
      () => target('node:53/udp', '10.0.0.1', 'fd00::1'),
      {
        found: {
          name: 'this node',
          destinations: [
            { address: '10.0.0.1', port: 53, protocol: 17 },
            { address: 'fd00::1', port: 53, protocol: 17 },
          ],
        },
      },
    ],
    [
      'is refused for a node without addresses',
      () => target('node'),
      {
        problem: "the node's address on the pod's network is unknown",
        fix: 'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide',
      },
    ],
    [
      'is a pod with all its addresses',
      () => target('shop/api'),
      { found: { name: 'pod shop/api', destinations: [{ address: '10.244.1.6' }, { address: 'fd00::6' }] } },
    ],
    [
      'is a port of a pod',
      () => target('shop/api:8080'),
      {
        found: {
          name: 'pod shop/api',
          destinations: [
            { address: '10.244.1.6', port: 8080, protocol: 6 },
            { address: 'fd00::6', port: 8080, protocol: 6 },
          ],
        },
      },
    ],
    [
      'is a container without a known pod',
      () => findTarget('a911:80', [], bridge.inventory),
      {
        found: {
          name: 'container a91100',
          destinations: [
            { address: '10.244.1.6', port: 80, protocol: 6 },
            { address: 'fd00::6', port: 80, protocol: 6 },
          ],
        },
      },
    ],
    [
      'is refused for a pod with a colon and no port',
      () => target('shop/api:'),
      {
        problem: 'HCN has no pod "shop/api:"',
        fix: 'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide',
      },
    ],
    ['is refused for a pod with an invalid port', () => target('shop/api:70000'), undefined],
    ...['shop/api:80/', 'x\nshop/api:80', ':80'].map((text): [string, () => unknown, unknown] => [
      `is refused for a pod that does not exist: ${JSON.stringify(text)}`,
      () => target(text),
      {
        problem: `HCN has no pod "${text}"`,
        fix: 'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide',
      },
    ]),
    [
      'is refused for a pod with a port of a protocol without ports',
      () => target('shop/api:80/icmp'),
      undefined,
    ],
    [
      'is refused for a pod without an address',
      () => target('shop/new:80'),
      {
        problem: 'pod shop/new has no address',
        fix: 'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide',
      },
    ],
    [
      'is refused for a container without an address',
      () => findTarget('b922', [], bridge.inventory),
      {
        problem: 'container b92200 has no address',
        fix: 'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide',
      },
    ],
    [
      'is refused for a pod of another node',
      () => target('shop/other'),
      {
        problem: 'HCN has no pod "shop/other"',
        fix: 'Pods of other nodes and services need their address: kubectl get pods,services --all-namespaces -o wide',
      },
    ],
    [
      'is refused for an ambiguous name',
      () =>
        findTarget('api', [], {
          ...inventory,
          pods: new Map([
            ['a91100', { name: 'shop/api', added: '' }],
            ['b92200', { name: 'test/api', added: '' }],
          ]),
        }),
      { problem: '"api" matches 2 pods: add the namespace (shop/api, test/api)', isAmbiguous: true },
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('the frame in which a packet from elsewhere arrives', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'is plain for an address of the node',
      () => frameOf(bridge, '10.0.0.9', '10.0.0.1'),
      { interfaceIndex: 5, nextHop: '10.0.0.1', packet: { source: '10.0.0.9', destination: '10.0.0.1' } },
    ],
    [
      'is plain for the host endpoint, at its interface',
      () => frameOf(bridge, '10.0.0.9', '10.244.1.2'),
      { interfaceIndex: 9, nextHop: '10.244.1.2', packet: { source: '10.0.0.9', destination: '10.244.1.2' } },
    ],
    [
      'is plain for a pod of an L2Bridge network, at the adapter of the network',
      () => frameOf(secondAdapter(bridge, '10.9.0.1'), '10.9.0.9', '10.244.1.5'),
      { interfaceIndex: 5, nextHop: '10.244.1.5', packet: { source: '10.9.0.9', destination: '10.244.1.5' } },
    ],
    [
      'is plain for another address, at the adapter in the subnet of the sender',
      () => frameOf(secondAdapter(bridge, '10.9.0.1'), '10.9.0.9', '10.96.0.10'),
      {
        interfaceIndex: 12,
        nextHop: '10.96.0.10',
        packet: { source: '10.9.0.9', destination: '10.96.0.10' },
      },
    ],
    [
      'is plain for another address, at the first adapter of which one address is in the subnet of the sender',
      () =>
        frameOf(
          secondAdapter(secondAdapter(bridge, 'fd00:9::1', '10.9.0.1'), '10.9.0.2'),
          '10.9.0.9',
          '10.96.0.10',
        )?.interfaceIndex,
      12,
    ],
    [
      'is none if no adapter is in the subnet of the sender',
      () => frameOf(bridge, '10.9.0.9', '10.96.0.10'),
      undefined,
    ],
    [
      'is encapsulated from a remote subnet of an Overlay network',
      () => frameOf(overlay, '10.244.2.5', '10.244.1.5'),
      {
        interfaceIndex: 5,
        nextHop: '10.0.0.1',
        packet: { source: '10.244.2.5', destination: '10.244.1.5' },
        tunnel: {
          source: '10.0.0.2',
          destination: '10.0.0.1',
          vsid: 4096,
          port: 4789,
          macAddress: '00-15-5D-00-00-01',
        },
      },
    ],
    [
      'has no MAC address if that of the distributed router is unknown',
      () => frameOf(withPolicy(overlay, 'DrMacAddress'), '10.244.2.5', '10.244.1.5'),
      {
        interfaceIndex: 5,
        nextHop: '10.0.0.1',
        packet: { source: '10.244.2.5', destination: '10.244.1.5' },
        tunnel: { source: '10.0.0.2', destination: '10.0.0.1', vsid: 4096, port: 4789 },
      },
    ],
    [
      'is plain from another subnet',
      () => frameOf(overlay, '10.0.0.9', '10.244.1.5'),
      { interfaceIndex: 5, nextHop: '10.244.1.5', packet: { source: '10.0.0.9', destination: '10.244.1.5' } },
    ],
    [
      'is plain if the network has no provider address',
      () => frameOf(withPolicy(overlay, 'ProviderAddress'), '10.244.2.5', '10.244.1.5'),
      {
        interfaceIndex: 5,
        nextHop: '10.244.1.5',
        packet: { source: '10.244.2.5', destination: '10.244.1.5' },
      },
    ],
    [
      'is plain if the remote subnet has no provider address',
      () =>
        frameOf(
          withPolicy(
            overlay,
            'RemoteSubnetRoute',
            policy('RemoteSubnetRoute', { DestinationPrefix: '10.244.2.0/24' }),
          ),
          '10.244.2.5',
          '10.244.1.5',
        ),
      {
        interfaceIndex: 5,
        nextHop: '10.244.1.5',
        packet: { source: '10.244.2.5', destination: '10.244.1.5' },
      },
    ],
    [
      'is plain if the network has no VSID',
      () => frameOf(overlayState(1, { network: { Ipams: [] } }), '10.244.2.5', '10.244.1.5'),
      {
        interfaceIndex: 5,
        nextHop: '10.244.1.5',
        packet: { source: '10.244.2.5', destination: '10.244.1.5' },
      },
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('the next node needs', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'to have the destination itself, if it is on-link',
      () => needs(bridge, '10.0.0.1', '10.0.0.9', '10.0.0.9'),
      [],
    ],
    [
      'to forward it, and a route to the pod subnet via the node',
      () => needs(bridge, '10.244.1.5', '10.0.0.2', '10.244.2.5'),
      [
        '10.0.0.2 must forward it to 10.244.2.5.',
        'For replies, 10.0.0.2 needs a route to 10.244.1.0/24 via 10.0.0.1.',
      ],
    ],
    [
      "no route for the node's own source",
      () => needs(bridge, '10.0.0.1', '10.0.0.254', '8.8.8.8'),
      ['10.0.0.254 must forward it to 8.8.8.8.'],
    ],
    [
      "an address outside of the adapter's subnet",
      () => needs(bridge, '10.244.1.5', '10.244.1.1', '8.8.8.8'),
      [
        'A router on the physical network must have the address 10.244.1.1: it is not in the subnet of "vEthernet (Ethernet)", and this node does not have it.',
        '10.244.1.1 must forward it to 8.8.8.8.',
        'For replies, 10.244.1.1 needs a route to 10.244.1.0/24.',
      ],
    ],
    [
      'no router in any of several subnets of the adapter',
      () => needs(otherAddress, '10.9.0.9', '10.0.0.2', '10.0.0.2'),
      [],
    ],
    [
      'a route via the first address of the node in the subnet of the next hop',
      () =>
        needs(
          {
            ...bridge,
            adapters: bridge.adapters.map((one) => ({
              ...one,
              addresses: ['fd00::1', '10.0.0.7', '10.0.0.8'].map((address) => ({ address, length: 24 })),
            })),
          },
          '10.244.1.5',
          '10.0.0.2',
          '10.244.2.5',
        ),
      [
        '10.0.0.2 must forward it to 10.244.2.5.',
        'For replies, 10.0.0.2 needs a route to 10.244.1.0/24 via 10.0.0.7.',
      ],
    ],
    [
      'a route without a next hop for an unknown adapter',
      () => needs(bridge, '10.244.1.5', '10.0.0.2', '10.244.2.5', 77),
      ['10.0.0.2 must forward it to 10.244.2.5.', 'For replies, 10.0.0.2 needs a route to 10.244.1.0/24.'],
    ],
    [
      'a route to the address of a pod without a prefix length',
      () =>
        needs(
          bridgeState(1, { endpoint: { IpConfigurations: [{ IpAddress: '10.244.1.5' }] } }),
          '10.244.1.5',
          '10.0.0.2',
          '10.244.2.5',
        ),
      [
        '10.0.0.2 must forward it to 10.244.2.5.',
        'For replies, 10.0.0.2 needs a route to 10.244.1.5 via 10.0.0.1.',
      ],
    ],
    [
      'the MAC addresses, also those that this node does not know',
      () =>
        otherSideNeeds(
          {
            interfaceIndex: 5,
            nextHop: '10.0.0.2',
            packet: { source: '10.244.1.5', destination: '10.244.2.5' },
            tunnel,
          },
          withPolicy(overlay, 'DrMacAddress'),
        ),
      [
        'Node 10.0.0.2 must receive it: VSID 4096, distributed router (DrMacAddress, on Linux the VTEP) with the MAC address of the inner frame, and a firewall that allows UDP 4789.',
        "For replies, node 10.0.0.2 needs a remote subnet 10.244.1.0/24 with provider address 10.0.0.1, VSID 4096 and the MAC address of this node's distributed router.",
      ],
    ],
    [
      'the pod subnets of the network with the provider address',
      () =>
        otherSideNeeds(
          {
            interfaceIndex: 5,
            nextHop: '10.0.0.2',
            packet: { source: '10.244.1.5', destination: '10.244.2.5' },
            tunnel: { ...tunnel, macAddress: '00-15-5D-00-00-02' },
          },
          overlayState(1, {
            network: {
              Ipams: [
                { Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }, { IpAddressPrefix: '10.244.3.0/24' }] },
              ],
            },
          }),
        ),
      [
        'Node 10.0.0.2 must receive it: VSID 4096, distributed router (DrMacAddress, on Linux the VTEP) with MAC address 00-15-5D-00-00-02, and a firewall that allows UDP 4789.',
        'For replies, node 10.0.0.2 needs a remote subnet 10.244.1.0/24, 10.244.3.0/24 with provider address 10.0.0.1, VSID 4096 and MAC address 00-15-5D-00-00-01.',
      ],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('the addresses of the node', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'are those on all networks for a sender without a pod',
      () => nodeAddresses([{ is: 'node' }], { node: twoNetworks, unread: [] }),
      ['10.0.0.1', '10.9.0.1', 'fd00:9::1'],
    ],
    [
      'are those on the network of a sending pod',
      () =>
        nodeAddresses([{ is: 'pod', endpoint: pod('p', 'p', '10.244.1.6') }], {
          node: twoNetworks,
          unread: [],
        }),
      ['10.0.0.1'],
    ],
    [
      'are listed once',
      () => nodeAddresses([{ is: 'node' }], { node: sameAdapter, unread: [] }),
      ['10.0.0.1'],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});
