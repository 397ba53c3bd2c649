import { describe, expect, test } from 'vitest';
import { expectReach, journey, reaches } from './judge.ts';
import { bridgeState, clusterOf, overlayState } from './states.ts';

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
