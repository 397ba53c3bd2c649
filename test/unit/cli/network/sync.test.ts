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

  test('if a change has no effect', async () => {
    const { sync } = small({ onCreateRoute: ({ prefix }) => prefix !== '10.244.2.0/24' });
    expect(await sync('--nodes nodes.json --yes')).toEqual({
      ...problem(`1. ${step('create', 2)}`, `2. ${step('create', 3)}`, outcome('2 added')),
      stderr:
        'win-hcn: network "cbr0" differs again after the sync: 10.244.2.0/24. Another program changes its remote subnets at the same ' +
        'time, or HNS accepted changes without effect.\n',
    });
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
  const mismatch =
    'node "win-1", which is this one, has pod subnet 10.244.8.0/24 and 10.244.9.0/24, but network "cbr0" has 10.244.1.0/24';

  test('for a list in which this node has other pod subnets than the network', async () => {
    const nodes = moved('10.244.8.0/24', '10.244.9.0/24');
    const { sync } = small();
    const refused = await sync('--nodes nodes.json --yes', { nodes });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/ the network\b.*--force uses the list anyway\.\n$/);
    expect(refused.stderr).toContain(`win-hcn: ${mismatch}\n`);
    expect(await sync('--nodes nodes.json --yes --force', { nodes })).toMatchObject({
      exitCode: 0,
      stderr: `win-hcn: ${mismatch}: other nodes cannot reach its pods\n`,
    });
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
        'Two programs that set the remote subnets of one network overwrite each other. Stop the other one on this node, then use --force.',
      ),
    ],
  ])('%s', async (_, options, words, conf, expected) => {
    expect(await small(options).sync(`${words} --yes`.trim(), { conf })).toEqual(expected);
  });
});

describe('a route that is not wanted stays', () => {
  const other = (changes: Partial<ObservedNetwork> = {}): ObservedNetwork => ({
    ...cbr0,
    ID: 'b7a2c4b0-0000-4000-8000-000000000000',
    Name: 'other',
    Type: 'l2bridge',
    ...changes,
  });
  const second = [policy('NetAdapterName', { NetworkAdapterName: 'Ethernet 2' })];

  test.each<[string, ObservedNetwork, string, boolean]>([
    ['for another network on the interface', other(), '', true],
    ['not if it is forced', other(), ' --force', false],
    ["not for Calico's network without pods", other({ Name: 'External' }), '', false],
    ['not for a network of another type', other({ Type: 'Overlay' }), '', false],
    ['not for a network on another interface', other({ Policies: second }), '', false],
  ])('%s', async (_, neighbor, words, isKept) => {
    const { sync, routes, table } = small({ networks: [cbr0, neighbor] });
    table.push(route(2));
    const { exitCode, stderr } = await sync(`--nodes nodes.json --yes${words}`, { nodes: nodesOf(1, 3) });
    expect({ exitCode, stderr, routes: routes() }).toEqual({
      exitCode: 0,
      stderr: isKept
        ? 'win-hcn: 10.244.2.0/24 via 10.0.0.5 is kept: network "other" uses the same interface; use --force to remove it\n'
        : '',
      routes: [...(isKept ? ['10.244.2.0/24 via 10.0.0.5'] : []), '10.244.3.0/24 via 10.0.0.6'],
    });
  });

  test('and no other network is read if nothing is unwanted', async () => {
    const { sync, calls } = small({ networks: [cbr0, other()] });
    await sync('--nodes nodes.json --yes');
    expect(calls.filter((call) => call === 'enumerate Network {}')).toEqual([]);
  });
});

describe('Ctrl+C during network sync', () => {
  test('finishes the current remote subnet, skips the others, and fails', async () => {
    const interrupt = new AbortController();
    const { sync, routes } = small({
      onCreateRoute: () => {
        interrupt.abort();
        return true;
      },
    });
    const printed = await sync('--nodes nodes.json --yes', {}, { signal: interrupt.signal });
    expect(printed.stderr.split('\n').slice(0, 2)).toEqual([
      'win-hcn: finishing the current remote subnet. Press Ctrl+C again to exit before it is complete.',
      'win-hcn: interrupted: remote subnets: 1 changed, 0 failed, 1 skipped',
    ]);
    expect(routes()).toEqual(['10.244.2.0/24 via 10.0.0.5']);
  });
});

describe('network sync --watch', () => {
  const watch = (
    pauses: readonly (() => unknown)[],
    files: Record<string, string>,
    options: CliNodeOptions = {},
  ) => {
    const node = small(options);
    const printed = node.run('network sync net.conf --nodes nodes.json --yes --watch 10', { files, pauses });
    return printed.then(({ stdout, ...rest }) => ({
      ...rest,
      log: stdout.replaceAll('2026-01-01T00:00:00.000Z ', '').trimEnd().split('\n'),
      routes: node.routes(),
    }));
  };
  const nothing = () => undefined;

  test('logs each change and each problem once', async () => {
    const files = { 'net.conf': config(), 'nodes.json': nodesOf(1, 2) };
    const set = (changes: Partial<typeof files>) => () => void Object.assign(files, changes);
    expect(
      await watch(
        [
          nothing,
          set({ 'nodes.json': '{"kind": "L' }),
          set({ 'nodes.json': '{"kind": "List' }),
          set({ 'nodes.json': nodesOf(1, 3) }),
          set({ 'net.conf': '{' }),
          nothing,
          set({ 'net.conf': config() }),
        ],
        files,
      ),
    ).toEqual({
      exitCode: 0,
      stderr: '',
      log: [
        '+ 10.244.2.0/24 via 10.0.0.5',
        'All remote subnets are in place.',
        'Not synced: nodes.json is not JSON: Unterminated string in JSON at position 11 (line 1 column 12)',
        'pass the output of kubectl get nodes -o json',
        '- 10.244.2.0/24 via 10.0.0.5',
        '+ 10.244.3.0/24 via 10.0.0.6',
        'All remote subnets are in place.',
        'Not synced: net.conf cannot be used',
        'net.conf:1:2: problem: unexpected end of file: a bracket or brace is not closed',
        'net.conf: 1 problem',
        'All remote subnets are in place.',
        'Stopped. The remote subnets are kept.',
      ],
      routes: ['10.244.3.0/24 via 10.0.0.6'],
    });
  });

  test('exits with 1 if the last sync was not complete', async () => {
    const files = { 'net.conf': config(), 'nodes.json': nodesOf(1, 2) };
    const { exitCode, log } = await watch([nothing], files, { networks: [] });
    expect(exitCode).toBe(1);
    expect(log[0]).toBe('Not synced: HCN has no network "cbr0"');
  });
});
