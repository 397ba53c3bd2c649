import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Trace } from '../../../src/cli/trace/trace.ts';
import { doctorEnvironment } from './doctor-node.ts';
import { container, type InventoryNode, legacy, startInventoryNode, web } from './inventory-node.ts';
import { second, startPopulatedNode } from './populated-node.ts';
import { type CliEnvironment, problem, runCli, success } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const run = (command: string, more: CliEnvironment = {}) =>
  runCli(command.split(' '), { ...doctorEnvironment(node), ...more });

const note =
  'The virtual switch (VFP) can enforce different rules: run vfpctrl /port PORT /list-rule for the port with MAC address ' +
  '00-15-5D-52-C0-00 (vfpctrl /list-vmswitch-port).';
const leaving = [
  'Leaves this node to next hop 10.244.1.1.',
  'A router on the physical network must have the address 10.244.1.1: it is not in the subnet of "vEthernet (Ethernet)", and this ' +
    'node does not have it.',
  '10.244.1.1 must forward it to 10.244.2.7.',
  'For replies, 10.244.1.1 needs a route to 10.244.1.0/24.',
];

describe('trace shows', () => {
  test('the verdict, what the next hop needs, a command that shows more, and each hop', async () => {
    expect(await run('trace 0e12d1 10.244.2.7:80')).toEqual(
      success(
        ...leaving,
        'see: win-hcn explain-nat 0e12d1 10.244.2.7:80/tcp',
        'see: win-hcn capture 0e12d1 10.244.2.7:80/tcp',
        '',
        'endpoint 5efcf8b5 on l2bridge, 10.244.1.2 -> 10.244.2.7:80/tcp',
        'hop  where             does                              rule (evidence)',
        '1    pod               sends it to next hop 10.244.1.1   route 0.0.0.0/0 via 10.244.1.1 (documented)',
        '2    port              allows it                         Out ACL with priority 65500 (everything) (documented)',
        '3    port              keeps the source                  no OutBoundNAT policy (documented)',
        '4    network l2bridge  sends it to the physical network  (documented)',
        '',
        note,
      ),
    );
  });

  test('commands with the name of the pod if its address is given', async () => {
    const { stdout } = await run('trace 10.244.1.2 10.244.2.7:80');
    expect(stdout.split('\n').slice(4, 6)).toEqual([
      `see: win-hcn explain-nat ${container} 10.244.2.7:80/tcp`,
      `see: win-hcn capture ${container} 10.244.2.7:80/tcp`,
    ]);
    const { stdout: ofNoPod } = await run('trace 10.244.1.40 10.244.2.7:80');
    expect(ofNoPod).not.toContain('see: ');
  });

  test('the hops in 80 columns', async () => {
    const { stdout } = await run('trace 0e12d1 10.244.2.7:80', { width: 80, environment: { NO_COLOR: '1' } });
    expect(stdout.split('\n').slice(8, 18)).toEqual([
      'endpoint 5efcf8b5 on l2bridge, 10.244.1.2 -> 10.244.2.7:80/tcp',
      'hop  where             does                      rule (evidence)',
      '1    pod               sends it to next hop      route 0.0.0.0/0 via',
      '                       10.244.1.1                10.244.1.1 (documented)',
      '2    port              allows it                 Out ACL with priority 65500',
      '                                                 (everything) (documented)',
      '3    port              keeps the source          no OutBoundNAT policy',
      '                                                 (documented)',
      '4    network l2bridge  sends it to the physical  (documented)',
      '                       network',
    ]);
  });

  test('with -o wide also the packet that leaves each hop', async () => {
    await node.hcn.addPolicies(web, [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } }]);
    const { stdout } = await run('trace 0e12d1 8.8.8.8:53/udp -o wide');
    expect(stdout.split('\n').slice(7, 12)).toEqual([
      'hop  where             does                               rule (evidence)                                            packet',
      '1    pod               sends it to next hop 10.244.1.1    route 0.0.0.0/0 via 10.244.1.1 (documented)                10.244.1.2 -> 8.8.8.8:53/udp',
      '2    port              allows it                          Out ACL with priority 65500 (everything) (documented)      10.244.1.2 -> 8.8.8.8:53/udp',
      '3    port              translates the source to 10.0.0.4  OutBoundNAT policy 5: all other destinations (documented)  10.0.0.4 -> 8.8.8.8:53/udp',
      '4    network l2bridge  sends it to the physical network   (documented)                                               10.0.0.4 -> 8.8.8.8:53/udp',
    ]);
  });

  test('the same as JSON', async () => {
    const { stdout, ...rest } = await run('trace 0e12d1 10.244.2.7:80 -o json');
    expect(rest).toEqual({ exitCode: 0, stderr: '' });
    const packet = { source: '10.244.1.2', destination: '10.244.2.7', protocol: 6, destinationPort: 80 };
    const hop = { evidence: 'documented', packet };
    expect(JSON.parse(stdout)).toEqual({
      container,
      traces: [
        {
          endpoint: web,
          network: 'l2bridge',
          destination: { address: '10.244.2.7', port: 80, protocol: 6 },
          packet,
          outcome: 'leaves',
          says: leaving,
          paths: [
            {
              outcome: 'leaves',
              because: 'It leaves the node to next hop 10.244.1.1.',
              hops: [
                expect.objectContaining({ place: 'pod', id: web, ...hop }),
                expect.objectContaining({ place: 'port', id: web, ...hop }),
                expect.objectContaining({ place: 'port', id: web, ...hop }),
                expect.objectContaining({ place: 'virtual switch', name: 'l2bridge', ...hop }),
              ],
              packet,
              frame: { interfaceIndex: 6, nextHop: '10.244.1.1', packet },
            },
          ],
        },
      ],
      note,
    });
  });

  test('that a pod of the node is a leftover, with the command that shows it', async () => {
    const { exitCode, stdout } = await run('trace 0e12d1 c0ffee:80');
    expect({ exitCode, lines: stdout.split('\n').slice(0, 3) }).toEqual({
      exitCode: 0,
      lines: [
        'Lost. The endpoint is in no namespace: no pod receives the packet.',
        `see: win-hcn show endpoint ${legacy}`,
        'see: win-hcn explain-nat 0e12d1 10.244.1.30:80/tcp',
      ],
    });
  });

  test('the ACL that blocks a packet, with the command that explains it', async () => {
    await node.hcn.addPolicies(web, [
      {
        Type: 'ACL',
        Settings: {
          Direction: 'Out',
          Action: 'Block',
          Priority: 100,
          RemotePorts: '1433',
          Protocols: '6',
          RuleType: 'Switch',
        },
      },
    ]);
    const { exitCode, stdout } = await run('trace 0e12d1 10.0.3.9:1433');
    expect({ exitCode, lines: stdout.split('\n').slice(0, 2) }).toEqual({
      exitCode: 0,
      lines: [
        'Lost. Out ACL with priority 100 (tcp, remote port 1433) blocks it.',
        'see: win-hcn explain-acl 0e12d1 out 10.0.3.9:1433/tcp',
      ],
    });
  });
});

describe('trace accepts', () => {
  const verdictOf = async (command: string) => {
    const { exitCode, stdout } = await run(command);
    return { exitCode, verdict: stdout.split('\n')[0] };
  };

  test.each([
    ['trace 0e12d1 node:53', 'Leaves this node to next hop 10.244.1.1.'],
    ['trace node 0e12d1:80', 'Leaves this node to next hop 10.0.0.1.'],
    ['trace 10.0.0.4 0e12d1:80', 'Leaves this node to next hop 10.0.0.1.'],
    ['trace 10.244.1.2 10.244.2.7:80', 'Leaves this node to next hop 10.244.1.1.'],
    ['trace 10.244.1.40 10.244.2.7:80', 'Lost. The endpoint is in no namespace: no pod uses it.'],
    ['trace 10.0.0.9 node:80', 'Arrives at this node, and the reply leaves this node to 10.0.0.9.'],
  ])('%s', async (command, verdict) => {
    expect(await verdictOf(command)).toEqual({ exitCode: 0, verdict });
  });
});

test('trace follows one packet for each address of a pod of both families', async () => {
  const populated = await startPopulatedNode();
  const traced = async (command: string) => {
    const { exitCode, stdout } = await runCli(
      [...command.split(' '), '-o', 'json'],
      doctorEnvironment(populated),
    );
    const { traces } = JSON.parse(stdout);
    const packets = traces.map(
      ({ packet, outcome }: Trace) => `${packet?.source} ${packet?.destination} ${outcome}`,
    );
    return { exitCode, packets };
  };
  const both = await traced(`trace ${second} ${second}`);
  const common = await traced(`trace 0e12d1 ${second}`);
  await populated.stop();
  expect(both).toEqual({
    exitCode: 0,
    packets: ['10.245.16.2 10.245.16.2 arrives', 'fd00:10:245:16::2 fd00:10:245:16::2 arrives'],
  });
  expect(common).toEqual({ exitCode: 0, packets: ['10.244.1.2 10.245.16.2 leaves'] });
});

test('trace says what it cannot read, with exit code 1', async () => {
  const refused = async () => {
    throw new Error('GetIpForwardTable2 is missing');
  };
  const { loadIpHelper = refused } = node.outside;
  const system = {
    ...node.outside,
    loadIpHelper: async () => ({ ...(await loadIpHelper()), readRoutes: refused }),
  };
  expect(await run('trace node 10.244.2.7:80', { system })).toEqual(
    problem(
      'Unknown. What happens next depends on the routes of the node, which could not be read.',
      '',
      'to 10.244.2.7:80/tcp',
      '',
      'The routes of the node could not be read: GetIpForwardTable2 is missing',
    ),
  );
});
