import { expect, test } from 'vitest';
import { providerAddressFor } from '../../../src/plan/backends.ts';

const route = (Type: string, DestinationPrefix: string, ProviderAddress: string) => ({
  Type,
  Settings: { DestinationPrefix, ProviderAddress, IsolationId: 4096 },
});
const routes = [
  route('RemoteSubnetRoute', '10.244.1.0/24', '10.0.0.5'),
  route('REMOTESUBNETROUTE', '10.244.2.0/24', '10.0.0.6'),
];
const own = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };
const overlay = { Name: 'overlay', Type: 'Overlay', SchemaVersion: { Major: 2, Minor: 0 } };

test.each([
  ['10.244.1.9', '10.0.0.5'],
  ['10.244.2.9', '10.0.0.6'],
  ['10.244.3.9', '10.0.0.4'],
  ['192.168.1.9', '10.0.0.4'],
])('an Overlay network sends packets for %s to node %s', (address, node) => {
  expect(providerAddressFor({ ...overlay, Policies: [...routes, own] }, address)).toBe(node);
});

test('no node is known for an address outside all subnets until the network has a provider address', () => {
  expect(providerAddressFor({ ...overlay, Policies: routes }, '192.168.1.9')).toBeUndefined();
  expect(providerAddressFor(overlay, '10.244.1.9')).toBeUndefined();
});
