import { describe, expect, test } from 'vitest';
import { readNodeList } from '../../../../src/cli/network/cluster-node.ts';
import { chooseGoal } from '../../../../src/cli/network/sync-goal.ts';
import type { RoutingState } from '../../../../src/commands/sync-remote-subnets.ts';
import { normalizeConfig } from '../../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../../src/config/read-config.ts';
import { policy } from '../../../cluster/states.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';
import { type GivenNode, nodeList, vxlanNode } from './node-list.ts';

const remote = (subnet: string, providerAddress: string) => ({
  subnet,
  providerAddress,
  macAddress: '00-15-5D-00-00-09',
});
const routed = (DestinationPrefix: string) =>
  policy('RemoteSubnetRoute', {
    DestinationPrefix,
    IsolationId: 4096,
    ProviderAddress: '10.0.0.8',
    DistributedRouterMacAddress: '00-15-5D-00-00-08',
  });
const configOf = (changes: object = {}) =>
  readNetworkConfig(
    normalizeConfig({
      cniVersion: '1.0.0',
      name: 'vxlan0',
      type: 'win-hcn',
      networkType: 'Overlay',
      subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
      ...changes,
    }),
  );
const overlay = (...prefixes: readonly string[]): RoutingState => ({
  network: {
    ID: 'a7a2c4b0-0000-4000-8000-000000000000',
    Name: 'vxlan0',
    Type: 'Overlay',
    Ipams: [
      {
        Subnets: prefixes.map((IpAddressPrefix) => ({
          IpAddressPrefix,
          Policies: [policy('VSID', { IsolationId: 4096 })],
        })),
      },
    ],
    SchemaVersion: { Major: 2, Minor: 0 },
  },
  adapters: hostAdapters,
  table: undefined,
});
const node = (n: number, changes: Partial<GivenNode> & { readonly mac?: string | null } = {}) =>
  vxlanNode({
    name: `win-${n}`,
    podCIDRs: [`10.244.${n}.0/24`],
    address: `10.0.0.${n + 3}`,
    mac: `00:15:5d:00:00:0${n}`,
    ...changes,
  });
const own = node(1);
const toNode = (n: number) => ({
  subnet: `10.244.${n}.0/24`,
  providerAddress: `10.0.0.${n + 3}`,
  macAddress: `00-15-5D-00-00-0${n}`,
});

function goal(
  nodes: readonly object[] | undefined,
  { config = {}, state = overlay('10.244.1.0/24'), isForced = false } = {},
) {
  const list = nodes && readNodeList(new TextEncoder().encode(nodeList(...nodes)), 'nodes.json');
  return chooseGoal(configOf(config), list, state, isForced);
}

describe('the goal of a sync contains the remote subnets', () => {
  test('of the configuration if there is no list of nodes', () => {
    const remoteSubnets = [remote('10.244.7.0/24', '10.0.0.7')];
    expect(goal(undefined, { config: { remoteSubnets } })).toMatchObject({
      wanted: [{ ...remoteSubnets[0] }],
      skipped: [],
      isUnconnected: false,
      warnings: [],
    });
  });

  test('of the configuration, then of the nodes', () => {
    const remoteSubnets = [remote('10.244.7.0/24', '10.0.0.7')];
    const { wanted, skipped } = goal([own, node(2), node(3)], { config: { remoteSubnets } });
    expect({ wanted, skipped }).toEqual({
      wanted: [...remoteSubnets, toNode(2), toNode(3)],
      skipped: [],
    });
  });

  test('not of a node whose subnet the configuration has, even as a policy', () => {
    const config = {
      remoteSubnets: [remote('10.244.2.0/24', '10.0.0.7')],
      networkPolicies: [routed('10.244.3.7/24'), policy('AutomaticDNS', { Enable: true })],
    };
    const { wanted, skipped, isUnconnected } = goal([own, node(2), node(3)], { config });
    expect({ wanted, skipped: skipped.map(({ reason }) => reason), isUnconnected }).toEqual({
      wanted: config.remoteSubnets,
      skipped: [
        'has pod subnet 10.244.2.0/24, and 10.244.2.0/24 of the configuration takes precedence',
        'has pod subnet 10.244.3.0/24, and 10.244.3.0/24 of the configuration takes precedence',
      ],
      isUnconnected: false,
    });
  });
});

describe('no node is connected', () => {
  test.each<[string, readonly object[], boolean]>([
    ['if all others are skipped', [own, node(2, { mac: null })], true],
    ['unless one is not', [own, node(2, { mac: null }), node(3)], false],
    ['unless there is no other', [own], false],
  ])('%s', (_, nodes, expected) => {
    expect(goal(nodes).isUnconnected).toBe(expected);
  });

  test('unless the configuration has the subnet of one of them', () => {
    const config = { remoteSubnets: [remote('10.244.2.0/24', '10.0.0.7')] };
    expect(goal([own, node(2), node(3, { mac: null })], { config }).isUnconnected).toBe(false);
  });
});

describe('a remote subnet that is not wanted', () => {
  const config = {
    networkPolicies: [routed('10.244.3.0/24')],
  };
  const { keeps, holder } = goal([own, node(2, { mac: null }), node(3, { mac: null })], { config });
  test.each([
    ['stays for a skipped node', '10.244.2.0/24', true, 'win-2'],
    ['stays for a policy of the configuration, and no node', '10.244.3.0/24', true, undefined],
    ['goes otherwise', '10.244.9.0/24', false, undefined],
  ])('%s', (_, subnet, stays, name) => {
    const current = { subnet, via: '10.0.0.99' };
    expect([keeps(current), holder(current)]).toEqual([stays, name]);
  });
});

describe('a list in which this node has other pod subnets than the network', () => {
  const dualStack = overlay('10.244.1.0/24', 'fd00:10:244:1::/64');
  const moved = node(1, { podCIDRs: ['10.244.8.0/24', 'fd00:10:244:8::/64'] });
  const mismatch =
    'node "win-1", which is this one, has pod subnet 10.244.8.0/24 and fd00:10:244:8::/64, but network "vxlan0" has 10.244.1.0/24 and fd00:10:244:1::/64';

  test('is refused', () => {
    expect(() => goal([moved], { state: dualStack })).toThrow(
      expect.objectContaining({
        code: 7,
        message: mismatch,
        details:
          'Either the list of nodes is of another cluster, or the network is older than the pod subnet of this node: then delete the network, ' +
          'and create it with the pod subnet. --force uses the list anyway.',
      }),
    );
  });

  test('is used with a warning if it is forced', () => {
    expect(goal([moved], { state: dualStack, isForced: true }).warnings).toEqual([
      `${mismatch}: other nodes cannot reach its pods`,
    ]);
  });

  test.each([
    ['one of the subnets is that of the network', ['10.244.8.0/24', 'fd00:10:244:1::/64']],
    ['the subnet contains that of the network', ['10.244.0.0/16']],
    ['the node has no pod subnet yet', []],
  ])('is used if %s', (_, podCIDRs) => {
    expect(goal([node(1, { podCIDRs })], { state: dualStack }).warnings).toEqual([]);
  });
});
