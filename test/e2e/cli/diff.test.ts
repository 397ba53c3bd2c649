import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  config,
  container,
  type InventoryNode,
  legacy,
  loadBalancer,
  startInventoryNode,
  web,
} from './inventory-node.ts';
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

const diff = (...words: readonly string[]) => runCli(['diff', ...words], { system: node.outside });
const natPolicies = (Destination: string, ...Exceptions: readonly string[]) => [
  { Type: 'OutBoundNAT', Settings: { Exceptions } },
  { Type: 'OutBoundNAT', Settings: { Destinations: [Destination] } },
];

const expected = () => [
  'Expected differences',
  'property   0e12d1d5a8cfb                                                     twin',
  `endpoint   ${web}                              ${twin}`,
  'name       0e12d1d5a8cfb..._l2bridge_eth0                                    twin_l2bridge_eth0',
  `container  ${container}  twin`,
  'addresses  10.244.1.2/24                                                     10.244.1.4/24',
  'MAC        00-15-5D-52-C0-00                                                 00-15-5D-52-C0-04',
  `namespace  ${node.pod.netns}                              ${netns}`,
];

describe('diff', () => {
  test('reports no unexpected differences if only the pod address differs in policies', async () => {
    await node.hcn.deleteLoadBalancer(loadBalancer);
    await node.hcn.addPolicies(web, natPolicies('10.244.1.2', '10.96.0.0/12', '10.244.0.0/16'));
    await node.hcn.addPolicies(twin, natPolicies('10.244.1.4/32', '10.244.0.0/16', '10.96.0.0/12'));
    expect(await diff('0e12d1', 'twin')).toEqual(success('No unexpected differences.', '', ...expected()));
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
        'property                0e12d1d5a8cfb               twin',
        'ACL                     none                        Out 100 Block: any protocol, local <pod address> (no RuleType)',
        'OutBoundNAT Exceptions  10.244.0.0/16               10.0.0.0/24',
        'SDNRoute                10.96.0.0/12, encapsulated  none',
        'load balancer           10.96.0.10 80->8080/tcp     none',
        '',
        ...expected(),
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
        '',
        'Expected differences',
        'property   gone                                  c0ffee',
        `endpoint   f472cb12-5818-55ac-8fd0-70832a4a207f  ${legacy}`,
        'name       gone_l2bridge_eth0                    c0ffee_l2bridge',
        'container  gone                                  c0ffee',
        'addresses  10.244.1.3/24                         10.244.1.30/24',
        'MAC        00-15-5D-52-C0-01                     00-15-5D-52-C0-02',
      ),
    );
  });

  test('shows whole names of endpoints with -o wide', async () => {
    expect((await diff('0e12d1', 'twin', '-o', 'wide')).stdout).toContain(
      `\nname       ${container}_l2bridge_eth0  twin_l2bridge_eth0\n`,
    );
  });

  test('prints JSON and YAML', async () => {
    const { stdout, ...rest } = await diff('0e12d1', 'twin', '-o', 'json');
    expect(rest).toEqual({ exitCode: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      left: container,
      right: 'twin',
      equal: false,
      endpoints: [
        {
          left: 'eth0',
          right: 'eth0',
          differences: [{ what: 'load balancer', left: '10.96.0.10 80->8080/tcp', right: 'none' }],
          asItShould: [
            { what: 'endpoint', left: web, right: twin },
            { what: 'name', left: `${container}_l2bridge_eth0`, right: 'twin_l2bridge_eth0' },
            { what: 'container', left: container, right: 'twin' },
            { what: 'addresses', left: '10.244.1.2/24', right: '10.244.1.4/24' },
            { what: 'MAC', left: '00-15-5D-52-C0-00', right: '00-15-5D-52-C0-04' },
            { what: 'namespace', left: node.pod.netns, right: netns },
          ],
        },
      ],
      onlyLeft: [],
      onlyRight: [],
    });
    expect((await diff('0e12d1', 'twin', '-o', 'yaml')).stdout).toContain('\nequal: false\n');
  });

  test('compares endpoints with the same interface, and shows those of only one pod', async () => {
    await node.hcn.deleteLoadBalancer(loadBalancer);
    const pod = { containerId: 'twin', netns };
    await node.cni('ADD', { config, pod, ifname: 'eth1' });
    await node.cni('ADD', { config, pod: node.pod, ifname: 'eth1' });
    await node.cni('ADD', { config, pod: node.pod, ifname: 'eth2' });
    expect(await diff('0e12d1', 'twin')).toEqual(
      problem(
        'property  0e12d1d5a8cfb  twin',
        'endpoint  eth2           none',
        '',
        'endpoints eth0 and eth0',
        '',
        'No unexpected differences.',
        '',
        ...expected(),
        '',
        'endpoints eth1 and eth1',
        '',
        'No unexpected differences.',
        '',
        'Expected differences',
        'property   0e12d1d5a8cfb                                                     twin',
        'endpoint   a0929bd9-aa7f-5bae-b571-759e8e9b8ad0                              f6c08442-576d-5d7e-b0b5-b991e3df9707',
        'name       0e12d1d5a8cfb..._l2bridge_eth1                                    twin_l2bridge_eth1',
        `container  ${container}  twin`,
        'addresses  10.244.1.6/24                                                     10.244.1.5/24',
        'MAC        00-15-5D-52-C0-06                                                 00-15-5D-52-C0-05',
        `namespace  ${node.pod.netns}                              ${netns}`,
      ),
    );
  });

  test('shows unexpected differences in yellow and expected ones dim on a terminal', async () => {
    const { stdout } = await runCli(['diff', '0e12d1', 'twin'], { system: node.outside, width: 120 });
    expect(stdout).toContain('\u001b[33m10.96.0.10 80->8080/tcp\u001b[39m  \u001b[33mnone\u001b[39m\n');
    expect(stdout).toContain('\u001b[2m10.244.1.4/24\u001b[22m\n');
  });
});
