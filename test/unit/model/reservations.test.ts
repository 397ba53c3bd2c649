import { describe, expect, test } from 'vitest';
import { endpointId } from '../../../src/model/identity.ts';
import type { Inventory } from '../../../src/model/inventory.ts';
import { findUnused, unusedTexts } from '../../../src/model/reservations.ts';

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
const second = endpointOf('c0ffee', '10.244.1.6', {
  ID: endpointId({ containerId: 'c0ffee', ifname: 'eth1', network: 'cbr0' }),
  Name: 'c0ffee_cbr0_eth1',
});
const namespaceOf = (container: string) => ({
  ID: 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444',
  Resources: [{ Type: 'Container', Data: { Id: container } }],
  SchemaVersion,
});
const inventory = (change: Partial<Inventory> = {}): Inventory => ({
  networks: [network],
  endpoints: [],
  namespaces: [],
  loadBalancers: [],
  ...change,
});
const address = '10.244.1.5';
const error = new Error('x');

describe('a reservation is in use', () => {
  test.each<
    [
      string,
      Partial<Inventory>,
      { readonly address: string; readonly container?: string; readonly interface?: string },
    ]
  >([
    ['if an endpoint has its address', { endpoints: [holder] }, { address }],
    [
      'if an endpoint has its address, whatever its container is',
      { endpoints: [holder] },
      { address, container: 'decaf' },
    ],
    [
      'if an endpoint has its container',
      { endpoints: [holder] },
      { address: '10.244.1.9', container: 'c0ffee' },
    ],
    [
      'if an endpoint has its container in another case',
      { endpoints: [holder] },
      { address: '10.244.1.9', container: 'C0FFEE' },
    ],
    [
      'if its container is in a namespace',
      { namespaces: [namespaceOf('C0ffee')] },
      { address, container: 'c0FFEE' },
    ],
    [
      'if an object cannot be read',
      { unreadable: [{ kind: 'Endpoint', id: network.ID, error }] },
      { address },
    ],
    [
      'if it is a source VIP of win-hcn or rke2',
      {},
      { address, container: 'kube-proxy', interface: 'source-vip' },
    ],
    ['if it is a source VIP of sig-windows-tools', {}, { address, container: 'dummy', interface: 'dummy' }],
  ])('%s', (_, change, reservation) => {
    expect(findUnused(inventory(change), new Set())(reservation)).toBeUndefined();
  });
});

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
      'without an endpoint and a namespace',
      { endpoints: [endpointOf('decaf', '10.244.1.9')], namespaces: [namespaceOf('decaf')] },
      { address, container: 'c0ffee' },
      'container gone',
    ],
    [
      'without a container',
      { endpoints: [endpointOf('decaf', '10.244.1.9')] },
      { address },
      'no container named',
    ],
    [
      'without a container, beside an endpoint without one',
      {
        endpoints: [
          endpointOf('x', '10.244.1.9', { ID: '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d', Name: 'Ethernet' }),
        ],
      },
      { address },
      'no container named',
    ],
    [
      'if only a remote endpoint has its address',
      { endpoints: [{ ...holder, Flags: 1 }] },
      { address, container: 'decaf' },
      'container gone',
    ],
    [
      'if its interface alone is that of a source VIP',
      {},
      { address, container: 'c0ffee', interface: 'source-vip' },
      'container gone',
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

test('the reasons have these texts', () => {
  expect(unusedTexts).toEqual({
    'endpoint left over': 'its endpoint is left over',
    'no container named': 'its file is empty and no endpoint has it',
    'container gone': 'its container has no endpoint and no namespace',
  });
});
