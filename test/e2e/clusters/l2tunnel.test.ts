import { afterEach, expect, test } from 'vitest';
import { recipeFile } from '../../cluster/recipe-file.ts';
import { problem, runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

let node: Node | undefined;
afterEach(() => node?.stop());

test('the L2Tunnel file creates a network without remote subnets, and excepts the virtual network from NAT', async () => {
  node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: '10.0.0.4', prefixLength: 16 }] });
  node.ipam.prefix = '10.0.1.';
  expect(await node.add(recipeFile('conflist-examples/l2tunnel.conflist'))).toMatchObject({ exitCode: 0 });
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

test.each(['azure-vnet', 'antrea'])(
  'validate refuses a file of %s, which win-hcn does not replace',
  async (type) => {
    const files = {
      'net.conflist': JSON.stringify({ cniVersion: '0.3.0', name: 'net', plugins: [{ type }] }),
    };
    expect(await runCli(['validate', 'net.conflist'], { files })).toEqual(
      problem(
        'net.conflist:1:46: problem: no plugin in the list is win-hcn or one that it replaces',
        `net.conflist: /plugins/0: ${type}, not checked`,
        'net.conflist: 1 problem',
      ),
    );
  },
);
