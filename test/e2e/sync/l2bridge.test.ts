import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkId } from '../../../src/model/identity.ts';
import { success } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';
import { createNetwork, l2bridge, plainNode, routes, sync } from './sync-node.ts';

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
const outcome = (counts: string) => `remote subnets of network "pods" ${id}: ${counts}`;
const changes = () => node.hns.ipHelperCalls.filter((name) => /^(Create|Delete)/.test(name));

describe('network sync of an L2Bridge network', () => {
  test('creates one route for each other node, and has nothing to change the second time', async () => {
    expect(await sync(node, l2bridge(), cluster(1, 2, 3))).toEqual(
      success(create(1, 2), create(2, 3), outcome('2 added')),
    );
    expect(routes(node)).toEqual(['10.244.2.0/24 via 10.0.0.5', '10.244.3.0/24 via 10.0.0.6']);
    expect(await sync(node, l2bridge(), cluster(1, 2, 3))).toEqual(success('Nothing to change.'));
    expect(changes()).toEqual(['CreateIpForwardEntry2', 'CreateIpForwardEntry2']);
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
