import { describe, expect, test } from 'vitest';
import type { ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { newNodeRoute } from '../../../../src/net/node-route.ts';
import { policy } from '../../../cluster/states.ts';
import { type CliEnvironment, failure, problem, success } from '../../../e2e/cli/run-cli.ts';
import { type CliNodeOptions, cliNode } from '../node-without-hns.ts';
import { hostGwNode, nodeList } from './node-list.ts';

const id = 'a7a2c4b0-0000-4000-8000-000000000000';
const cbr0: ObservedNetwork = {
  ID: id,
  Name: 'cbr0',
  Type: 'L2Bridge',
  Policies: [policy('NetAdapterName', { NetworkAdapterName: 'Ethernet' })],
  Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }] }],
  SchemaVersion: { Major: 2, Minor: 0 },
};
const config = (changes: object = {}) =>
  JSON.stringify({
    cniVersion: '1.0.0',
    name: 'cbr0',
    type: 'win-hcn',
    networkType: 'L2Bridge',
    subnets: [{ subnet: '10.244.1.0/24' }],
    ...changes,
  });
const nodesOf = (...numbers: readonly number[]) =>
  nodeList(
    ...numbers.map((n) =>
      hostGwNode({ name: `win-${n}`, podCIDRs: [`10.244.${n}.0/24`], address: `10.0.0.${n + 3}` }),
    ),
  );
const route = (n: number, nextHop = `10.0.0.${n + 3}`) => newNodeRoute(12, `10.244.${n}.0/24`, nextHop);
const foreign = (n: number, nextHop: string) => ({ ...route(n, nextHop), metric: 256 });
const step = (verb: string, n: number, nextHop = `10.0.0.${n + 3}`) =>
  `${verb} the route to 10.244.${n}.0/24 through ${nextHop} on interface 12`;
const outcome = (counts: string) => `remote subnets of network "cbr0" ${id}: ${counts}`;

function small(options: CliNodeOptions = {}) {
  const node = cliNode({ networks: [cbr0], ...options });
  const sync = (
    words: string,
    files: { readonly conf?: string; readonly nodes?: string } = {},
    environment: CliEnvironment = {},
  ) =>
    node.run(`network sync net.conf ${words}`.trim(), {
      files: { 'net.conf': files.conf ?? config(), 'nodes.json': files.nodes ?? nodesOf(1, 2, 3) },
      ...environment,
    });
  const routes = () => node.routes.map(({ prefix, nextHop }) => `${prefix} via ${nextHop}`);
  return { ...node, sync, routes, table: node.routes };
}

describe('network sync', () => {
  test('adds, changes and removes remote subnets that differ; the next run changes nothing', async () => {
    const { sync, routes, table } = small();
    table.push(route(2), route(3, '10.0.0.99'), route(7));
    const nodes = nodesOf(1, 3, 4);
    expect(await sync('--nodes nodes.json --yes', { nodes })).toEqual(
      success(
        `1. ${step('delete', 2)}`,
        `2. ${step('delete', 7)}`,
        `3. ${step('delete', 3, '10.0.0.99')}`,
        `4. ${step('create', 3)}`,
        `5. ${step('create', 4)}`,
        outcome('2 removed, 1 changed, 1 added'),
      ),
    );
    expect(routes()).toEqual(['10.244.3.0/24 via 10.0.0.6', '10.244.4.0/24 via 10.0.0.7']);
    expect(await sync('--nodes nodes.json --yes', { nodes })).toEqual(success('Nothing to change.'));
  });

  test('lists the nodes that it skips, and the remote subnets that it keeps for them', async () => {
    const { sync, routes, table } = small();
    table.push(route(3));
    const nodes = nodeList(
      ...JSON.parse(nodesOf(1, 2)).items,
      hostGwNode({ name: 'win-3', podCIDRs: ['10.244.3.0/24'], address: '10.9.0.6' }),
    );
    const reason =
      "has 10.9.0.6, which is no host address in a subnet of the network's interface, so no route can lead there";
    expect(await sync('--nodes nodes.json --yes', { nodes })).toEqual({
      ...success(`1. ${step('create', 2)}`, outcome('1 added')),
      stderr:
        `win-hcn: node "win-3" is skipped: it ${reason}\n` +
        'win-hcn: 10.244.3.0/24 via 10.0.0.6 is kept: it may belong to a skipped node\n',
    });
    expect(routes()).toEqual(['10.244.3.0/24 via 10.0.0.6', '10.244.2.0/24 via 10.0.0.5']);
  });
});

test('network sync removes routes although it skips a node, if the file has the node', async () => {
  const { sync, routes, table } = small();
  table.push(route(7));
  const conf = config({ remoteSubnets: [{ subnet: '10.244.3.0/24', nextHop: '10.0.0.6' }] });
  expect(await sync('--nodes nodes.json --yes', { conf, nodes: nodesOf(1, 3) })).toMatchObject({
    exitCode: 0,
  });
  expect(routes()).toEqual(['10.244.3.0/24 via 10.0.0.6']);
});

describe('network sync exits with 1', () => {
  test('if another program has a route with another next hop', async () => {
    const { sync, table, routes } = small();
    table.push(foreign(2, '10.0.0.99'));
    expect(await sync('--nodes nodes.json --yes', { nodes: nodesOf(1, 2) })).toEqual({
      ...problem('Nothing to change.'),
      stderr:
        'win-hcn: 10.244.2.0/24 is not changed: another program has a route to it through 10.0.0.99, expected 10.0.0.5\n',
    });
    expect(routes()).toEqual(['10.244.2.0/24 via 10.0.0.99']);
  });

  test('if all other nodes are skipped', async () => {
    const nodes = nodeList(...JSON.parse(nodesOf(1)).items, hostGwNode({ name: 'win-2' }));
    expect(await small().sync('--nodes nodes.json --yes', { nodes })).toEqual({
      ...problem('Nothing to change.'),
      stderr:
        'win-hcn: node "win-2" is skipped: it has no pod subnet yet\nwin-hcn: all other nodes are skipped\n',
    });
  });

  const moved = (...podCIDRs: readonly string[]) =>
    nodeList(hostGwNode({ name: 'win-1', podCIDRs, address: '10.0.0.4' }), ...JSON.parse(nodesOf(2)).items);

  test('for a list in which this node has other pod subnets than the network', async () => {
    const nodes = moved('10.244.8.0/24', '10.244.9.0/24');
    expect(await small().sync('--nodes nodes.json --yes', { nodes })).toEqual(
      failure(
        1,
        'win-hcn: node "win-1", which is this one, has pod subnet 10.244.8.0/24 and 10.244.9.0/24, but network "cbr0" has 10.244.1.0/24',
        'Either the list of nodes is of another cluster, or the network is older than the pod subnet of this node: then delete the network, and create it with the pod subnet.',
      ),
    );
  });

  test('but not if one of the subnets contains that of the network', async () => {
    const nodes = moved('10.244.8.0/24', '10.244.0.0/23');
    const printed = await small().sync('--nodes nodes.json --yes', { nodes });
    expect(printed).toMatchObject({ exitCode: 0, stderr: '' });
  });

  const ofAgent = { ...cbr0, Name: 'Calico', ID: id };
  test.each<[string, CliNodeOptions, string, string, ReturnType<typeof failure>]>([
    [
      'without remote subnets',
      {},
      '',
      config(),
      failure(
        1,
        'win-hcn: the configuration has no remoteSubnets',
        'add "remoteSubnets" ([] deletes all), or pass the nodes of the cluster with --nodes',
      ),
    ],
    [
      'without the network',
      { networks: [] },
      '--nodes nodes.json',
      config(),
      failure(
        1,
        'win-hcn: HCN has no network "cbr0"',
        'create it with win-hcn network ensure FILE, or let the first ADD create it',
      ),
    ],
    [
      'for a network of another agent',
      { networks: [ofAgent] },
      '--nodes nodes.json',
      config({ name: 'Calico' }),
      failure(
        1,
        'win-hcn: network "Calico" is not changed: Calico\'s agent manages its remote subnets, as its name shows',
        'Two programs that set the remote subnets of one network overwrite each other. To use win-hcn, stop the other one, delete the network, and create it with win-hcn network ensure.',
      ),
    ],
  ])('%s', async (_, options, words, conf, expected) => {
    expect(await small(options).sync(`${words} --yes`.trim(), { conf })).toEqual(expected);
  });
});
