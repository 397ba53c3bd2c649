// Two simulated Windows nodes, a Linux node and a router on one segment, for the tests of recipes.

import { type Node, startNode } from '../e2e/node.ts';
import type { Cluster } from './judge.ts';
import { type LinuxNodeOptions, linuxNode } from './linux-node.ts';
import { router } from './router.ts';
import { windowsNode } from './windows-node.ts';

/** The addresses of the Windows nodes; their pods are in 10.244.1.0/24 and 10.244.2.0/24. */
export const windowsAddresses = ['10.0.0.11', '10.0.0.12'] as const;
/** The address of the Linux node; its pods are in 10.244.0.0/24. */
export const linuxAddress = '10.0.0.2';
const routerAddress = '10.0.0.1';
const outsideAddress = '8.8.8.8';

/** Starts both Windows nodes, without networks. `more` has the other addresses of each. */
export function startWindowsNodes(more: readonly string[] = []): Promise<readonly Node[]> {
  return Promise.all(
    windowsAddresses.map(async (managementIp, index) => {
      const otherAddresses = more.slice(index, index + 1);
      const adapters = [{ name: 'Ethernet', managementIp, otherAddresses, gateway: routerAddress }];
      const node = await startNode({ adapters });
      node.ipam.prefix = `10.244.${index + 1}.`;
      return node;
    }),
  );
}

/** The cluster as it is now, with what a recipe sets on the Linux node, and more addresses of the router. */
export function clusterWith(
  windows: readonly Node[],
  linux: Pick<LinuxNodeOptions, 'vtep' | 'routes' | 'podSubnets'> &
    Partial<Pick<LinuxNodeOptions, 'addresses'>>,
  routed: readonly string[] = [],
): Cluster {
  return {
    nodes: [
      ...windows.map(({ hns }, index) => windowsNode(`win-${index + 1}`, hns)),
      linuxNode({
        name: 'linux',
        addresses: [`${linuxAddress}/24`],
        gateways: [routerAddress],
        podSubnets: ['10.244.0.0/24'],
        masqueradeExcept: ['10.244.0.0/16'],
        ...linux,
      }),
      router({ addresses: [`${routerAddress}/24`, ...routed], outside: [outsideAddress] }),
    ],
  };
}

/** Connections that every cluster needs: sender, receiver, and the source that the receiver sees. */
export const needed: readonly (readonly [from: string, to: string, as: string])[] = [
  ['10.244.1.10', '10.244.2.10:80', '10.244.1.10'],
  ['10.244.2.10', '10.244.1.10:80', '10.244.2.10'],
  ['10.244.1.10', '10.244.0.9:80', '10.244.1.10'],
  ['10.244.0.9', '10.244.1.10:80', '10.244.0.9'],
  ['10.244.1.10', `${linuxAddress}:6443`, '10.0.0.11'],
  ['10.244.1.10', '10.0.0.12:10250', '10.0.0.11'],
  ['10.244.1.10', `${outsideAddress}:443`, '10.0.0.11'],
];
