import { expect, test } from 'vitest';
import { nodeMac, sourceVipDocument } from '../../../src/plan/source-vip.ts';
import { hostAdapters } from './host-adapters.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const ID = '22222222-2222-3333-4444-555555555555';
const withProvider = (ProviderAddress: string) => ({
  ID,
  Name: 'vxlan0',
  Type: 'Overlay',
  Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress } }],
  SchemaVersion,
});

test('the source VIP has the address and the MAC address that are known', () => {
  const document = {
    ID: '10804e78-3bd2-5616-b776-f47226f6ad5f',
    Name: 'vxlan0_source_vip',
    HostComputeNetwork: ID,
    SchemaVersion,
  };
  const made = sourceVipDocument(withProvider('10.0.0.4'), '10.244.1.2', '00-15-5D-00-00-00');
  expect(made).toEqual({
    ...document,
    IpConfigurations: [{ IpAddress: '10.244.1.2' }],
    MacAddress: '00:15:5d:00:00:00',
  });
  expect(sourceVipDocument(withProvider('10.0.0.4'), undefined, undefined)).toEqual(document);
});

test('the MAC address of the node is that of the first interface with the provider address', () => {
  const [ethernet, second, virtual] = hostAdapters;
  const both = { ...second, addresses: [...virtual.addresses, ...second.addresses] };
  expect(nodeMac(withProvider('10.0.0.4'), [ethernet, virtual, both])).toBe('00-15-5D-00-00-00');
  expect(nodeMac(withProvider('172.16.0.4'), [ethernet, virtual, both])).toBe('00-15-5D-00-00-01');
  expect(nodeMac(withProvider('10.9.9.9'), hostAdapters)).toBeUndefined();
});
