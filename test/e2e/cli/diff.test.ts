import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  config,
  container,
  type InventoryNode,
  loadBalancer,
  startInventoryNode,
  web,
} from './inventory-node.ts';
import { failure, problem, runCli, success } from './run-cli.ts';

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
  test('reports no unexpected differences if only the pod address differs in policies', async () => {
    await node.hcn.deleteLoadBalancer(loadBalancer);
    await node.hcn.addPolicies(web, natPolicies('10.244.1.2', '10.96.0.0/12', '10.244.0.0/16'));
    await node.hcn.addPolicies(twin, natPolicies('10.244.1.4/32', '10.244.0.0/16', '10.96.0.0/12'));
    expect(await diff('0e12d1', 'twin')).toEqual(success('No differences.'));
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
        'property                    0e12d1d5a8cfb            twin',
        'ACL                         none                     Out 100 Block: any protocol, local <pod address> (no RuleType)',
        'OutBoundNAT Exceptions      10.244.0.0/16            10.0.0.0/24',
        'SDNRoute DestinationPrefix  10.96.0.0/12             none',
        'SDNRoute NeedEncap          true                     none',
        'load balancer               10.96.0.10 80->8080/tcp  none',
      ),
    );
  });

  test('compares a leftover with an endpoint of another plugin', async () => {
    expect(await diff('gone', 'c0ffee')).toEqual(
      problem(
        'property  gone                                                     c0ffee',
        'owner     win-hcn                                                  another plugin',
        'state     Detached                                                 Created',
        'ACL       In 200 Block: any protocol, remote 10.9.0.0/16 (Switch)  none',
        'ACL       In 300 Allow: tcp, local port 80 (Switch)                none',
        'ACL       In 65500 Allow: everything (Switch)                      none',
        'ACL       In Block: everything (HNS default)                       none',
        'ACL       Out 65500 Allow: everything (Switch)                     none',
        'ACL       Out Block: everything (HNS default)                      none',
      ),
    );
  });

  test('prints JSON', async () => {
    const { stdout, ...rest } = await diff('0e12d1', 'twin', '-o', 'json');
    expect(rest).toEqual({ exitCode: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      kind: 'comparison',
      left: container,
      right: 'twin',
      equal: false,
      differences: [{ what: 'load balancer', left: '10.96.0.10 80->8080/tcp', right: 'none' }],
    });
  });

  test('compares endpoints with the same interface, and shows those of only one pod', async () => {
    const pod = { containerId: 'twin', netns };
    await node.cni('ADD', { config, pod, ifname: 'eth1' });
    await node.cni('ADD', { config, pod: node.pod, ifname: 'eth1' });
    await node.cni('ADD', { config, pod: node.pod, ifname: 'eth2' });
    expect(await diff('0e12d1', 'twin')).toEqual(
      problem(
        'property            0e12d1d5a8cfb            twin',
        'eth0 load balancer  10.96.0.10 80->8080/tcp  none',
        'endpoint            eth2                     none',
      ),
    );
  });

  test('refuses a kind that is no pod', async () => {
    expect(await runCli(['show', 'network', 'l2bridge', '--diff', 'twin'], { system: node.outside })).toEqual(
      failure(2, 'win-hcn: --diff compares pods', "Run 'win-hcn show --help' for usage."),
    );
  });
});
