import { afterEach, expect, test } from 'vitest';
import { expectReach } from '../../cluster/judge.ts';
import { recipeFile } from '../../cluster/recipe-file.ts';
import { router } from '../../cluster/router.ts';
import { windowsNode } from '../../cluster/windows-node.ts';
import { problem, runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

const nodes: Node[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});

/** Node `n` of the virtual network 10.0.0.0/16, with a range of its own, and a pod of the recipe's file. */
async function startVm(n: number): Promise<{ readonly node: Node; readonly pod: string }> {
  const adapter = { name: 'Ethernet', managementIp: `10.0.0.${n + 3}`, prefixLength: 16 };
  const node = await startNode({ adapters: [adapter] });
  nodes.push(node);
  node.ipam.prefix = `10.0.${n}.`;
  const { exitCode, json } = await node.add(recipeFile('conflist-examples/l2tunnel.conflist'));
  expect(exitCode).toBe(0);
  return { node, pod: json.ips[0].address.split('/')[0] };
}

test('the L2Tunnel file creates a network without remote subnets, and excepts the virtual network from NAT', async () => {
  const { node } = await startVm(1);
  const { networks, endpoints } = node.hns.dump();
  expect(networks).toMatchObject([
    {
      Name: 'l2tunnel',
      Type: 'L2Tunnel',
      Flags: 8,
      Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
    },
  ]);
  expect(endpoints).toMatchObject([
    {
      Routes: [{ NextHop: '10.0.0.1', DestinationPrefix: '0.0.0.0/0' }],
      Policies: [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } }],
    },
  ]);
});

test('pods of two nodes reach each other without remote subnets, and the outside from the address of their node', async () => {
  const vms = [await startVm(1), await startVm(2)];
  const [one = '', two = ''] = vms.map(({ pod }) => pod);
  const machines = vms.map(({ node }, index) => windowsNode(`vm-${index + 1}`, node.hns));
  const gateway = router({ addresses: ['10.0.0.1/16'], outside: ['8.8.8.8'] });
  const cluster = { nodes: [...machines, gateway] };
  expectReach(cluster, one, two);
  expectReach(cluster, two, one);
  expectReach(cluster, one, '8.8.8.8:443', { as: '10.0.0.4' });
});

test.each(['azure-vnet', 'antrea'])(
  'validate refuses a file of %s, which win-hcn does not replace',
  async (type) => {
    const files = {
      'net.conflist': JSON.stringify({ cniVersion: '0.3.0', name: 'net', plugins: [{ type }] }),
    };
    expect(await runCli(['config', 'check', 'net.conflist'], { files })).toEqual(
      problem(
        'net.conflist:1:46: problem: no plugin in the list is win-hcn or one that it replaces',
        `net.conflist: /plugins/0: ${type}, not checked`,
        'net.conflist: 1 problem',
      ),
    );
  },
);
