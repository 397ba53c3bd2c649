import { expect, test } from 'vitest';
import { describeNodeRoute, isOurRoute, newInterface, newNodeRoute } from '../../../src/net/node-route.ts';

test('a route that win-hcn creates is static and has its metric, and is told from others by both', () => {
  const route = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
  expect(route).toEqual({
    interfaceIndex: 7,
    prefix: '10.244.2.0/24',
    nextHop: '10.0.0.5',
    metric: 4242,
    protocol: 3,
  });
  const onNew = { ...route, interfaceIndex: newInterface };
  expect([route, onNew].map(describeNodeRoute)).toEqual([
    'route to 10.244.2.0/24 through 10.0.0.5 on interface 7',
    'route to 10.244.2.0/24 through 10.0.0.5 on the new interface',
  ]);
  expect(isOurRoute(route)).toBe(true);
  expect(isOurRoute({ ...route, metric: 256 })).toBe(false);
  expect(isOurRoute({ ...route, protocol: 2 })).toBe(false);
});
