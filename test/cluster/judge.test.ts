import { describe, expect, test } from 'vitest';
import { expectReach, journey, reaches } from './judge.ts';
import { prefixOf } from './node.ts';
import { router } from './router.ts';
import { bridgeState, clusterOf, overlayState, policy, remoteSubnet, withPolicy } from './states.ts';
import { newWindowsNode } from './windows-node.ts';

const overlay = clusterOf(overlayState(1), overlayState(2));
const bridge = clusterOf(bridgeState(1), bridgeState(2));

describe.each([
  ['an Overlay cluster', overlay],
  ['an L2Bridge cluster', bridge],
])('in %s', (_, cluster) => {
  test.each([
    ['a pod reaches a pod on the other node', '10.244.1.5', '10.244.2.5:80'],
    ['a pod reaches an address outside', '10.244.1.5', '8.8.8.8:443'],
  ])('%s', (_name, from, to) => {
    expectReach(cluster, from, to);
    expect(reaches(cluster, from, to)).toBe(true);
  });

  test('an outside host sees the address of the node', () => {
    expect(journey(cluster, '10.244.1.5', '8.8.8.8:443').worst.seenAs).toBe('10.0.0.1');
  });
});

test('Overlay networks reach from one segment to another through a router', () => {
  const other = overlayState(2);
  const moved = withPolicy(
    other,
    'ProviderAddress',
    policy('ProviderAddress', { ProviderAddress: '10.0.1.2' }),
  );
  const two = {
    ...moved,
    adapters: moved.adapters.map((adapter) => ({ ...adapter, addresses: [prefixOf('10.0.1.2/24')] })),
    routes: [
      { interfaceIndex: 5, prefix: '0.0.0.0/0', nextHop: '10.0.1.254', metric: 0 },
      { interfaceIndex: 5, prefix: '10.0.1.0/24', nextHop: '0.0.0.0', metric: 256 },
    ],
  };
  const one = withPolicy(
    overlayState(1),
    'RemoteSubnetRoute',
    remoteSubnet(2, { ProviderAddress: '10.0.1.2' }),
  );
  const nodes = [newWindowsNode('win-1', one), newWindowsNode('win-2', two)];
  const between = router({ addresses: ['10.0.0.254/24', '10.0.1.254/24'] });
  expectReach({ nodes: [...nodes, between] }, '10.244.1.5', '10.244.2.5');
  expect(journey({ nodes }, '10.244.1.5', '10.244.2.5').worst.because).toBe(
    'No machine on the segment of win-1 has the next hop 10.0.0.254.',
  );
});
