import { describe, expect, test } from 'vitest';
import { endpointId } from '../../../src/model/identity.ts';
import type { Inventory } from '../../../src/model/inventory.ts';
import { findUnused } from '../../../src/model/reservations.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const network = { ID: '22222222-2222-3333-4444-555555555555', Name: 'cbr0', Type: 'L2Bridge', SchemaVersion };
const endpointOf = (containerId: string, IpAddress: string, change: object = {}) => ({
  ID: endpointId({ containerId, ifname: 'eth0', network: 'cbr0' }),
  Name: `${containerId}_cbr0_eth0`,
  HostComputeNetwork: network.ID,
  IpConfigurations: [{ IpAddress }],
  SchemaVersion,
  ...change,
});
const holder = endpointOf('c0ffee', '10.244.1.5');
const second = endpointOf('C0FFEE', '10.244.1.6', {
  ID: endpointId({ containerId: 'C0FFEE', ifname: 'eth1', network: 'cbr0' }),
  Name: 'C0FFEE_cbr0_eth1',
});

const inventory = (change: Partial<Inventory> = {}): Inventory => ({
  networks: [network],
  endpoints: [],
  namespaces: [],
  loadBalancers: [],
  ...change,
});
const address = '10.244.1.5';

describe('a reservation is unused', () => {
  test.each<
    [
      string,
      Partial<Inventory>,
      { readonly address: string; readonly container?: string; readonly interface?: string },
      string,
    ]
  >([
    [
      'without a container',
      { endpoints: [endpointOf('decaf', '10.244.1.9')] },
      { address },
      'no container named',
    ],
    [
      'if its container alone is that of a source VIP',
      {},
      { address, container: 'kube-proxy', interface: 'dummy' },
      'container gone',
    ],
  ])('%s', (_, change, reservation, reason) => {
    expect(findUnused(inventory(change), new Set())(reservation)).toBe(reason);
  });

  test('if all endpoints that have its address or container are deleted', () => {
    const find = (...deleted: readonly string[]) =>
      findUnused(
        inventory({ endpoints: [holder, second] }),
        new Set(deleted),
      )({ address, container: 'c0ffee' });
    expect(find(holder.ID, second.ID)).toBe('endpoint left over');
    const only = findUnused(inventory({ endpoints: [holder] }), new Set([holder.ID]));
    expect(only({ address })).toBe('endpoint left over');
    expect(find(holder.ID)).toBeUndefined();
    expect(find(second.ID)).toBeUndefined();
  });
});

test('a reservation is in use while its container is in a namespace, or while an object is unreadable', () => {
  const container = { Type: 'Container', Data: { Id: 'c0ffee' } };
  const namespaces = [{ ID: network.ID, Resources: [container], SchemaVersion }];
  const reserved = { address, container: 'C0FFEE' };
  expect(findUnused(inventory({ namespaces }), new Set())(reserved)).toBeUndefined();
  const unreadable = [{ kind: 'Endpoint', id: holder.ID, error: new Error('unreadable') }] as const;
  expect(findUnused(inventory({ unreadable }), new Set())(reserved)).toBeUndefined();
  expect(findUnused(inventory(), new Set())(reserved)).toBe('container gone');
});
