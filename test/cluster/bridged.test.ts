import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../src/cli/traffic/node-state.ts';
import type { ObservedEndpoint } from '../../src/hcn/documents.ts';
import { expectReach, journey, reaches } from './judge.ts';
import { bridgeState, clusterOf, outboundNat } from './states.ts';

/** Node `n` with pods 10.0.0.n5 and 10.0.0.n6 in the subnet of the nodes, whose gateway is the router. */
function bridged(n: number, Type: string): NodeState {
  const state = bridgeState(n, {
    network: {
      Type,
      Ipams: [
        {
          Subnets: [
            {
              IpAddressPrefix: '10.0.0.0/24',
              Routes: [{ NextHop: '10.0.0.254', DestinationPrefix: '0.0.0.0/0' }],
            },
          ],
        },
      ],
    },
    routes: [
      { interfaceIndex: 5, prefix: '0.0.0.0/0', nextHop: '10.0.0.254', metric: 0 },
      { interfaceIndex: 5, prefix: '10.0.0.0/24', nextHop: '0.0.0.0', metric: 256 },
    ],
    forwarding: [],
  });
  const pods = state.inventory.endpoints.filter(({ Name }) => Name.startsWith('pod'));
  const podAt = (host: number): readonly ObservedEndpoint[] =>
    pods.map((pod) => ({
      ...pod,
      ID: `pod-${host}`,
      Policies: [outboundNat('10.0.0.0/24')],
      IpConfigurations: [{ IpAddress: `10.0.0.${host}`, PrefixLength: 24 }],
      Routes: [{ NextHop: '10.0.0.254', DestinationPrefix: '0.0.0.0/0' }],
    }));
  return {
    ...state,
    adapters: state.adapters.slice(0, 1),
    inventory: { ...state.inventory, endpoints: [...podAt(n * 10 + 5), ...podAt(n * 10 + 6)] },
  };
}

describe.each(['L2Bridge', 'L2Tunnel', 'Transparent'])(
  'a pod in the subnet of the nodes, on an %s network',
  (type) => {
    const cluster = clusterOf(bridged(1, type), bridged(2, type));

    test.each([
      ['a pod on its node', '10.0.0.16', '10.0.0.15'],
      ['a pod on another node', '10.0.0.25', '10.0.0.15'],
      ['another node', '10.0.0.2', '10.0.0.15'],
      ['a host outside', '8.8.8.8', '10.0.0.1'],
    ])('reaches %s without forwarding on the nodes', (_, to, as) => {
      expectReach(cluster, '10.0.0.15', `${to}:80`, { as });
    });

    test('is reached by the other node', () => expectReach(cluster, 'win-2', '10.0.0.15:80'));

    test('does not reach an address of no machine', () => {
      expect(reaches(cluster, '10.0.0.15', '10.0.0.99:80')).toBe(false);
    });
  },
);

test('only L2Tunnel networks send packets between pods of a node over the cable', () => {
  const machines = (type: string) =>
    journey(clusterOf(bridged(1, type)), '10.0.0.15', '10.0.0.16').worst.there.map(({ node }) => node);
  expect(['L2Bridge', 'L2Tunnel', 'Transparent'].map(machines)).toEqual([
    ['win-1'],
    ['win-1', 'win-1'],
    ['win-1'],
  ]);
});
