import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cliNode } from '../../unit/cli/node-without-hns.ts';
import { config, type InventoryNode, loadBalancer, startInventoryNode, web } from './inventory-node.ts';
import { problem, runCli, success } from './run-cli.ts';

/** The endpoint of a second pod with the same configuration. */
const twin = '09e417c1-0ef3-5d2b-8bfe-e827b1433470';

let node: InventoryNode;
let netns: string;
beforeEach(async () => {
  node = await startInventoryNode();
  const pod = node.newPod('twin');
  await node.add(config, pod);
  node.hns.attachContainer(pod.netns, 'twin');
  netns = pod.netns;
});
afterEach(() => node.stop());

const diff = (left: string, right: string, ...words: readonly string[]) =>
  runCli(['show', left, '--diff', right, ...words], { system: node.outside });
const natPolicies = (Destination: string, ...Exceptions: readonly string[]) => [
  { Type: 'OutBoundNAT', Settings: { Exceptions } },
  { Type: 'OutBoundNAT', Settings: { Destinations: [Destination] } },
];

describe('show --diff', () => {
  test('ignores the own addresses and the order of lists', async () => {
    await node.hcn.deleteLoadBalancer(loadBalancer);
    await node.hcn.addPolicies(web, natPolicies('10.244.1.2', '10.96.0.0/12', '10.244.0.0/16'));
    await node.hcn.addPolicies(twin, natPolicies('10.244.1.4/32', '10.244.0.0/16', '10.96.0.0/12'));
    expect(await diff('0e12d1', 'twin')).toEqual(success('No differences.'));
  });

  test('ignores own IPv6 addresses', async () => {
    const network = { ID: twin, Name: 'pods', Type: 'L2Bridge' };
    const endpoints = [1, 2].map((number) => ({
      ...{ ID: `${number}2345678-0000-4000-8000-000000000000`, Name: `pod${number}_pods_eth0` },
      ...{ HostComputeNetwork: network.ID, Policies: natPolicies(`fd00::${number}/128`, '10.96.0.0/12') },
      IpConfigurations: [{ IpAddress: `fd00::${number}`, PrefixLength: 64 }],
    }));
    const pods = cliNode({ networks: [network], endpoints });
    expect(await pods.run('show pod1 --diff pod2')).toEqual(success('No differences.'));
  });

  test('shows policies and load balancers of only one pod', async () => {
    await node.hcn.addPolicies(web, [
      ...natPolicies('10.244.1.2', '10.244.0.0/16', '10.96.0.0/12'),
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
    ]);
    await node.hcn.addPolicies(twin, [
      ...natPolicies('10.244.1.4', '10.96.0.0/12', '10.0.0.0/24'),
      {
        Type: 'ACL',
        Settings: { Direction: 'Out', Action: 'Block', Priority: 100, LocalAddresses: '10.244.1.4' },
      },
    ]);
    expect(await diff('0e12d1', 'twin')).toEqual(
      problem(
        'property                    0e12d1                                twin',
        'ACL                         none                                  Out 100 Block: any protocol, local <pod address> (no RuleType)',
        'OutBoundNAT Exceptions      10.244.0.0/16                         10.0.0.0/24',
        'SDNRoute DestinationPrefix  10.96.0.0/12                          none',
        'SDNRoute NeedEncap          true                                  none',
        `load balancer               ${loadBalancer}  none`,
      ),
    );
  });

  test('compares a leftover with an endpoint of another plugin', async () => {
    const { exitCode, stdout } = await diff('gone', 'c0ffee');
    expect({ exitCode, lines: stdout.split('\n').slice(0, 4) }).toEqual({
      exitCode: 1,
      lines: [
        'property  gone                                                     c0ffee',
        'owner     win-hcn                                                  another plugin',
        'state     Detached                                                 Created',
        'ACL       In 200 Block: any protocol, remote 10.9.0.0/16 (Switch)  none',
      ],
    });
  });

  test('prints JSON', async () => {
    const { stdout, ...rest } = await diff('0e12d1', 'twin', '-o', 'json');
    expect(rest).toEqual({ exitCode: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      kind: 'comparison',
      left: '0e12d1',
      right: 'twin',
      equal: false,
      differences: [{ property: 'load balancer', left: loadBalancer, right: 'none' }],
    });
  });

  test('compares endpoints by interface', async () => {
    await node.cni('ADD', { config, pod: { containerId: 'twin', netns }, ifname: 'eth1' });
    await node.cni('ADD', { config, pod: node.pod, ifname: 'eth1' });
    expect(await diff('0e12d1', 'twin')).toEqual(
      problem(
        'property            0e12d1                                twin',
        `eth0 load balancer  ${loadBalancer}  none`,
      ),
    );
  });
});
