import { expect, test } from 'vitest';
import { readAdapters, readRoutes } from '../../../../src/cli/inventory/read-inventory.ts';
import type { IpHelper } from '../../../../src/iphlpapi/ip-helper.ts';

const never = () => new Promise<never>(() => undefined);
const hanging: IpHelper = {
  readAdapters: never,
  readRoutes: never,
  enableForwarding: never,
  removeDefaultRoutes: never,
  createRoute: never,
  deleteRoute: never,
};

test.each([
  ['network adapters', readAdapters, 'listing the network adapters of this host'],
  ['routes', readRoutes, 'listing the routes of this host'],
])('the node has 10 s to return its %s', async (_, read, action) => {
  const limits: number[] = [];
  const reading = read({
    loadIpHelper: async () => hanging,
    now: () => 0,
    timer: (milliseconds, call) => {
      limits.push(milliseconds);
      call();
      return { cancel: () => undefined };
    },
  });
  await expect(reading).rejects.toThrow(action);
  expect(limits).toEqual([10_000]);
});
