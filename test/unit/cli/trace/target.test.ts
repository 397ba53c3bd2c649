import { describe, expect, test } from 'vitest';
import { findTarget } from '../../../../src/cli/trace/command.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { bridgeState } from '../../../cluster/states.ts';

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
describe('the destination of a trace', () => {
  test.each<[string, () => unknown, unknown]>([
    [
      'is an address',
      () => target('10.244.2.7:80'),
      { found: [{ address: '10.244.2.7', port: 80, protocol: 6 }] },
    ],
    [
      'is this node',
      () => target('NODE', '10.0.0.1', 'fd00::1'),
      { found: [{ address: '10.0.0.1' }, { address: 'fd00::1' }] },
    ],
    [
      'is a port of this node',
      () => target('node:53/udp', '10.0.0.1', 'fd00::1'),
      {
        found: [
          { address: '10.0.0.1', port: 53, protocol: 17 },
          { address: 'fd00::1', port: 53, protocol: 17 },
        ],
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
      { found: [{ address: '10.244.1.6' }, { address: 'fd00::6' }] },
    ],
    [
      'is a port of a pod',
      () => target('shop/api:8080'),
      {
        found: [
          { address: '10.244.1.6', port: 8080, protocol: 6 },
          { address: 'fd00::6', port: 8080, protocol: 6 },
        ],
      },
    ],
    [
      'is a container without a known pod',
      () => findTarget('a911:80', [], bridge.inventory),
      {
        found: [
          { address: '10.244.1.6', port: 80, protocol: 6 },
          { address: 'fd00::6', port: 80, protocol: 6 },
        ],
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
