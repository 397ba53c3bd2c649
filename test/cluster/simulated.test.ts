import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { example } from '../e2e/example.ts';
import { type Node, startNode } from '../e2e/node.ts';
import { type Cluster, expectReach, reaches } from './judge.ts';
import { linuxNode, type VtepRemote } from './linux-node.ts';
import { router } from './router.ts';
import { policy } from './states.ts';
import { newWindowsNode, windowsNode } from './windows-node.ts';

const gateway = router({ addresses: ['10.0.0.1/24'], outside: ['8.8.8.8'] });

/** Two nodes, 10.0.0.4 and 10.0.0.5, each with a pod that win-hcn added: 10.245.1.10 and 10.245.2.10. */
describe('pods on Overlay networks that win-hcn created', () => {
  const nodes: Node[] = [];
  beforeAll(async () => {
    for (const n of [1, 2]) {
      const node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: `10.0.0.${n + 3}` }] });
      nodes.push(node);
      node.ipam.prefix = `10.245.${n}.`;
      const subnets = [{ subnet: `10.245.${n}.0/24`, gateway: `10.245.${n}.1`, vsid: 4096 }];
      const added = await node.add(example('overlay', { subnets, ipam: { type: 'test-ipam' } }));
      expect(added).toMatchObject({ exitCode: 0 });
    }
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
  });

  const vtepMac = '86:1b:2c:3d:4e:5f';
  const clusterNow = (): Cluster => ({
    nodes: [
      ...nodes.map((node, index) => windowsNode(`win-${index + 1}`, node.hns)),
      linuxNode({
        name: 'linux',
        addresses: ['10.0.0.6/24'],
        gateways: ['10.0.0.1'],
        podSubnets: ['10.245.3.0/24'],
        vtep: {
          address: '10.245.3.0',
          mac: vtepMac,
          vni: 4096,
          remotes: nodes.map((_, index) => vtepRemote(index + 1)),
        },
      }),
      gateway,
    ],
  });
  const networkIn = (n: number) => nodes[n - 1]?.hns.dump().networks[0];
  const routerMac = (n: number): string => {
    const text = JSON.stringify(networkIn(n)?.['Policies']);
    return /"DrMacAddress","Settings":\{"Address":"([^"]+)"/.exec(text)?.[1] ?? '';
  };
  const vtepRemote = (n: number): VtepRemote => ({
    subnet: `10.245.${n}.0/24`,
    mac: routerMac(n).replaceAll('-', ':').toLowerCase(),
    publicIp: `10.0.0.${n + 3}`,
  });
  const addRemote = async (on: number, subnet: string, ProviderAddress: string, mac: string) => {
    await nodes[on - 1]?.hcn.addNetworkPolicies(String(networkIn(on)?.['ID']), [
      policy('RemoteSubnetRoute', {
        DestinationPrefix: subnet,
        IsolationId: 4096,
        ProviderAddress,
        DistributedRouterMacAddress: mac,
      }),
    ]);
  };

  test('do not reach each other without RemoteSubnetRoutes', () => {
    expect(reaches(clusterNow(), '10.245.1.10', '10.245.2.10')).toBe(false);
  });

  test('reach pods on the other node, on a Linux node, and outside hosts', async () => {
    for (const [on, other] of [
      [1, 2],
      [2, 1],
    ] as const) {
      await addRemote(on, `10.245.${other}.0/24`, `10.0.0.${other + 3}`, routerMac(other));
      await addRemote(on, '10.245.3.0/24', '10.0.0.6', vtepMac);
    }
    const pods = ['10.245.1.10', '10.245.2.10', '10.245.3.7'];
    const cluster = clusterNow();
    for (const from of pods) for (const to of pods) if (from !== to) expectReach(cluster, from, to);
    expectReach(cluster, '10.245.1.10', '8.8.8.8:443', { as: '10.0.0.4' });
    expectReach(cluster, 'linux', '10.245.1.10', { as: '10.245.3.0' });
  });
});

/** Two nodes, 10.0.0.4 and 10.0.0.5, with host endpoints 10.244.n.2 and pods 10.244.n.10. */
describe('pods on L2Bridge networks that win-hcn created', () => {
  test('reach pods on the other node by node routes, and outside hosts', async () => {
    const nodes: Node[] = [];
    for (const n of [1, 2]) {
      const node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: `10.0.0.${n + 3}` }] });
      nodes.push(node);
      node.ipam.prefix = `10.244.${n}.`;
      const subnets = [{ subnet: `10.244.${n}.0/24` }];
      const given = { subnets, hostEndpoint: { address: `10.244.${n}.2` }, ipam: { type: 'test-ipam' } };
      const added = await node.add(example('l2bridge-host-endpoint', given));
      expect(added).toMatchObject({ exitCode: 0 });
    }
    const routed = nodes.map((node, index) => {
      const n = index + 1;
      const windows = windowsNode(`win-${n}`, node.hns);
      const interfaceIndex =
        windows.state.adapters.find(({ alias }) => alias === 'vEthernet (Ethernet)')?.index ?? 0;
      const route = {
        interfaceIndex,
        prefix: `10.244.${3 - n}.0/24`,
        nextHop: `10.0.0.${6 - n}`,
        metric: 256,
      };
      return { ...windows.state, routes: [...windows.state.routes, route] };
    });
    await Promise.all(nodes.map((node) => node.stop()));
    const cluster = {
      nodes: [...routed.map((state, index) => newWindowsNode(`win-${index + 1}`, state)), gateway],
    };
    expectReach(cluster, '10.244.1.10', '10.244.2.10');
    expectReach(cluster, '10.244.2.10', '10.244.1.10');
    expectReach(cluster, '10.244.1.10', '8.8.8.8:443', { as: '10.0.0.4' });
    expectReach(cluster, 'win-1', '10.244.2.10', { as: '10.0.0.4' });
    expectReach(cluster, 'win-2', '10.244.2.10');
  });
});
