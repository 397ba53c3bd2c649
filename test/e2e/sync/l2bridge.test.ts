import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkId } from '../../../src/model/identity.ts';
import { problem, success } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';
import { addForeignRoute, createNetwork, l2bridge, plainNode, routes, sync } from './sync-node.ts';

const id = networkId('pods');

let node: Node;
beforeEach(async () => {
  node = await startNode();
  await createNetwork(node, l2bridge());
  node.hns.clearCalls();
});
afterEach(() => node.stop());

const cluster = (...numbers: readonly number[]) => numbers.map((n) => plainNode(n));
/** The interface with the node's address. */
const index = () => node.hns.hostInterfaces().find(({ alias }) => alias === 'vEthernet (Ethernet)')?.index;
const create = (n: number, number: number, nextHop = `10.0.0.${number + 3}`) =>
  `${n}. create the route to 10.244.${number}.0/24 through ${nextHop} on interface ${index()}`;
const remove = (n: number, number: number) =>
  `${n}. delete the route to 10.244.${number}.0/24 through 10.0.0.${number + 3} on interface ${index()}`;
const outcome = (counts: string) => `remote subnets of network "pods" ${id}: ${counts}`;
const changes = () => node.hns.ipHelperCalls.filter((name) => /^(Create|Delete)/.test(name));

describe('network sync of an L2Bridge network', () => {
  test('shows its steps, and changes nothing without --yes', async () => {
    expect(await sync(node, l2bridge(), cluster(1, 2, 3), [])).toEqual(
      problem(create(1, 2), create(2, 3), 'No changes made. Rerun with --yes to apply.'),
    );
    expect({ routes: routes(node), changes: changes() }).toEqual({ routes: [], changes: [] });
  });

  test('creates one route for each other node, and has nothing to change the second time', async () => {
    expect(await sync(node, l2bridge(), cluster(1, 2, 3))).toEqual(
      success(create(1, 2), create(2, 3), outcome('2 added')),
    );
    expect(routes(node)).toEqual(['10.244.2.0/24 via 10.0.0.5', '10.244.3.0/24 via 10.0.0.6']);
    expect(await sync(node, l2bridge(), cluster(1, 2, 3))).toEqual(success('Nothing to change.'));
    expect(changes()).toEqual(['CreateIpForwardEntry2', 'CreateIpForwardEntry2']);
  });

  test.each([
    ['joins', cluster(1, 2, 3, 4), ['CreateIpForwardEntry2']],
    ['leaves', cluster(1, 3), ['DeleteIpForwardEntry2']],
    [
      'changes its address',
      [...cluster(1, 3), plainNode(2, { address: '10.0.0.22' })],
      ['DeleteIpForwardEntry2', 'CreateIpForwardEntry2'],
    ],
  ])('changes only its route when a node %s', async (_, nodes, expected) => {
    await sync(node, l2bridge(), cluster(1, 2, 3));
    const before = changes().length;
    expect(await sync(node, l2bridge(), nodes)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(changes().slice(before)).toEqual(expected);
    expect(routes(node)).toContain('10.244.3.0/24 via 10.0.0.6');
  });

  test("leaves other programs' routes alone, and counts one with the same next hop as its own", async () => {
    addForeignRoute(node, '10.244.2.0/24', '10.0.0.5');
    addForeignRoute(node, '10.244.77.0/24', '10.0.0.99');
    expect(await sync(node, l2bridge(), cluster(1, 2, 3))).toEqual(success(create(1, 3), outcome('1 added')));
    expect(await sync(node, l2bridge(), cluster(1))).toEqual(success(remove(1, 3), outcome('1 removed')));
    expect(routes(node)).toEqual(['10.244.2.0/24 via 10.0.0.5', '10.244.77.0/24 via 10.0.0.99']);
  });

  test("reports another program's route to the same subnet with another next hop, and does not change it", async () => {
    addForeignRoute(node, '10.244.2.0/24', '10.0.0.99');
    const conflict =
      'win-hcn: 10.244.2.0/24 is not changed: another program has a route to it through 10.0.0.99, expected 10.0.0.5\n';
    expect(await sync(node, l2bridge(), cluster(1, 2, 3))).toEqual({
      ...problem(create(1, 3), outcome('1 added')),
      stderr: conflict,
    });
    expect(await sync(node, l2bridge(), cluster(1, 2, 3))).toEqual({
      ...problem('Nothing to change.'),
      stderr: conflict,
    });
    expect(routes(node)).toEqual(['10.244.2.0/24 via 10.0.0.99', '10.244.3.0/24 via 10.0.0.6']);
  });

  test('removes no route that another network on the same interface may need, without --force', async () => {
    const other = l2bridge({ name: 'other', subnets: [{ subnet: '10.245.1.0/24' }] });
    const remoteSubnets = [{ subnet: '10.244.9.0/24', nextHop: '10.0.0.9' }];
    await createNetwork(node, other);
    await sync(node, { ...other, remoteSubnets }, undefined);
    await sync(node, l2bridge(), cluster(1, 2));
    expect(await sync(node, l2bridge(), cluster(1, 3))).toEqual({
      ...success(create(1, 3), outcome('1 added')),
      stderr:
        'win-hcn: 10.244.9.0/24 via 10.0.0.9 is kept: network "other" uses the same interface; use --force to remove it\n' +
        'win-hcn: 10.244.2.0/24 via 10.0.0.5 is kept: network "other" uses the same interface; use --force to remove it\n',
    });
    expect(await sync(node, l2bridge(), cluster(1, 3), ['--yes', '--force'])).toMatchObject({ exitCode: 0 });
    expect(routes(node)).toEqual(['10.244.3.0/24 via 10.0.0.6']);
  });

  test("skips a node whose address is in the subnet of an adapter other than the network's", async () => {
    await node.stop();
    node = await startNode({
      adapters: [
        { name: 'Ethernet', managementIp: '10.0.0.4' },
        { name: 'Storage', managementIp: '10.0.9.4' },
      ],
    });
    const config = l2bridge({ adapter: 'Ethernet' });
    await createNetwork(node, config);
    expect(await sync(node, config, [...cluster(1, 3), plainNode(2, { address: '10.0.9.5' })])).toEqual({
      ...success(create(1, 3), outcome('1 added')),
      stderr:
        'win-hcn: node "node-2" is skipped: it has 10.0.9.5, which is no host address in a subnet of the network\'s interface, so no route can lead there\n',
    });
  });

  test('connects the other nodes if Windows refuses the route to one', async () => {
    await sync(node, l2bridge(), cluster(1, 2));
    node.hns.inject({ function: 'CreateIpForwardEntry2', ordinal: 2, effect: { hresult: 87 } });
    const moved = plainNode(2, { address: '10.0.0.22' });
    expect(await sync(node, l2bridge(), [moved, ...cluster(1, 3, 4)])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('remote subnets: 2 changed, 1 failed, 0 skipped'),
    });
    expect(routes(node)).toEqual(['10.244.2.0/24 via 10.0.0.22', '10.244.4.0/24 via 10.0.0.7']);
  });

  test('accepts a route that another process creates at the same time', async () => {
    node.hns.inject({ function: 'CreateIpForwardEntry2', effect: { hold: 'before' } });
    const standing = node.hns.nextStanding();
    const first = sync(node, l2bridge(), cluster(1, 2));
    await standing;
    expect(await sync(node, l2bridge(), cluster(1, 2))).toMatchObject({ exitCode: 0 });
    node.hns.release();
    expect(await first).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('routes the IPv6 subnets of a dual-stack network', async () => {
    await node.stop();
    node = await startNode();
    const config = l2bridge({ subnets: [{ subnet: '10.244.1.0/24' }, { subnet: 'fd00:10:244:1::/64' }] });
    await createNetwork(node, config);
    const remoteSubnets = [{ subnet: 'fd00:10:244:2::/64', nextHop: 'fd00::5' }];
    expect(await sync(node, { ...config, remoteSubnets }, undefined)).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    expect(node.hns.nodeRoutes()).toContainEqual(
      expect.objectContaining({ prefix: 'fd00:10:244:2::/64', nextHop: 'fd00::5' }),
    );
  });

  test('creates all routes again after the node restarted', async () => {
    await sync(node, l2bridge(), cluster(1, 2, 3));
    node.hns.reboot();
    expect(routes(node)).toEqual([]);
    expect(await sync(node, l2bridge(), cluster(1, 2, 3))).toEqual(
      success(create(1, 2), create(2, 3), outcome('2 added')),
    );
  });
});
