import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { doctorEnvironment } from './doctor-node.ts';
import { container, type InventoryNode, startInventoryNode, web } from './inventory-node.ts';
import { problem, runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const run = (command: string) => runCli(command.split(' '), doctorEnvironment(node));

const noGateway =
  "Lost. Nothing on this node has the pods' gateway 10.244.1.1: create a host endpoint (hostEndpoint).";

describe('trace shows', () => {
  test('where a packet is lost, and each hop until there', async () => {
    expect(await run('trace 0e12d1 10.244.2.7:80')).toEqual(
      problem(
        noGateway,
        '',
        'endpoint 5efcf8b5 on l2bridge, 10.244.1.2 -> 10.244.2.7:80/tcp',
        'hop  where             does                             rule',
        '1    pod               sends it to next hop 10.244.1.1  route 0.0.0.0/0 via 10.244.1.1',
        '2    port              allows it                        Out ACL with priority 65500 (everything)',
        '3    port              keeps the source                 no OutBoundNAT policy',
        '4    network l2bridge  drops it                         -',
        '',
        'see: win-hcn trace 0e12d1 10.244.2.7:80 --live 10',
      ),
    );
  });

  test('with -o wide all paths, and the packet that leaves each hop', async () => {
    await node.hcn.addPolicies(web, [
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16', '10.96.0.0/12'] } },
      { Type: 'OutBoundNAT', Settings: { Destinations: ['10.244.1.2'] } },
    ]);
    const { stdout } = await run('trace 0e12d1 10.96.0.10:80 -o wide');
    const [, , first, second = ''] = stdout.split('\n\n');
    expect(first).toContain('path 1 of 2: Nothing on this node has');
    expect(second.replaceAll(/ {2,}/g, ' | ').split('\n')).toEqual([
      'path 2 of 2: The pod receives it.',
      'hop | where | does | rule | packet',
      '1 | pod | sends it to next hop 10.244.1.1 | route 0.0.0.0/0 via 10.244.1.1 | 10.244.1.2 -> 10.96.0.10:80/tcp',
      '2 | port | allows it | Out ACL with priority 65500 (everything) | 10.244.1.2 -> 10.96.0.10:80/tcp',
      '3 | port | translates the source to 10.0.0.4 and the destination to 10.244.1.2 and the port to 8080 | load balancer d4e6032f, OutBoundNAT policy 6: destination 10.244.1.2 | 10.0.0.4 -> 10.244.1.2:8080/tcp',
      '4 | network l2bridge | sends it to a local endpoint | - | 10.0.0.4 -> 10.244.1.2:8080/tcp',
      '5 | port | allows it | In ACL with priority 65500 (everything) | 10.0.0.4 -> 10.244.1.2:8080/tcp',
      '6 | pod | receives it | - | 10.0.0.4 -> 10.244.1.2:8080/tcp',
    ]);
  });

  test('the same as JSON', async () => {
    const { stdout, ...rest } = await run('trace 0e12d1 10.244.2.7:80 -o json');
    expect(rest).toEqual({ exitCode: 1, stderr: '' });
    const packet = { source: '10.244.1.2', destination: '10.244.2.7', protocol: 6, destinationPort: 80 };
    const because = noGateway.replace('Lost. ', '');
    const hops = ['pod', 'port', 'port', 'virtual switch'].map((place) =>
      expect.objectContaining({ place, packet }),
    );
    const paths = [{ outcome: 'lost', because, hops, packet }];
    const about = { endpoint: web, network: 'l2bridge', packet };
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      container,
      traces: [{ ...about, outcome: 'lost', summary: [noGateway], paths }],
    });
  });
});

describe('trace accepts', () => {
  test.each<[string, number, string]>([
    ['trace 0e12d1 c0ffee:80', 1, 'Lost. The endpoint is in no namespace: no pod receives the packet.'],
    ['trace 10.0.0.4 0e12d1:80', 0, 'Leaves this node to next hop 10.0.0.1.'],
    ['trace 10.244.1.40 10.244.2.7:80', 1, 'Lost. The endpoint is in no namespace: no pod uses it.'],
    ['trace 10.0.0.9 10.0.0.4:80', 0, 'Arrives at this node.'],
  ])('%s', async (command, exitCode, verdict) => {
    const printed = await run(command);
    expect({ exitCode: printed.exitCode, verdict: printed.stdout.split('\n')[0] }).toEqual({
      exitCode,
      verdict,
    });
  });
});
