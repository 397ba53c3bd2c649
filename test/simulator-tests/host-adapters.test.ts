import { expect, test } from 'vitest';
import { loadIpHelper } from '../../src/iphlpapi/load-ip-helper.ts';
import { buildLinuxStub } from '../simulator/stub/build.ts';
import { createNetwork, hnsAroundEach, l2bridge } from './test-client.ts';

const many = Array.from({ length: 300 }, (_, number) => ({
  name: `Ethernet ${number} über ${'🌐'.repeat(20)}`,
  managementIp: `10.1.${number % 200}.4`,
}));
const service = hnsAroundEach({
  adapters: [
    { name: 'Wi-Fi', managementIp: '10.7.0.9', mediaType: 71, gateway: '10.7.0.254', metric: 35 },
    {
      name: 'Ethernet',
      managementIp: 'fd00::4',
      index: 40,
      mac: '00-15-5D-0A-0B-0C',
      prefixLength: 56,
      gateway: 'fe80::1',
      mtu: 9000,
      isUp: false,
    },
    { name: 'Loopback', managementIp: '', mac: '', mediaType: 24 },
    ...many,
  ],
});
const helper = loadIpHelper(buildLinuxStub());

test('reads every kind of adapter, and more of them than fit into the first buffer', async () => {
  const [wifi, ethernet, loopback, ...others] = await helper.readAdapters();
  expect(wifi).toMatchObject({
    alias: 'Wi-Fi',
    mediaType: 71,
    gateways: ['10.7.0.254'],
    metric: 35,
    isUp: true,
  });
  expect(ethernet).toMatchObject({
    index: 40,
    mac: '00-15-5D-0A-0B-0C',
    mtu: 9000,
    isUp: false,
    addresses: [{ address: 'fd00::4', length: 56 }],
    gateways: ['fe80::1'],
  });
  expect(loopback).toMatchObject({ mac: undefined, addresses: [], mediaType: 24 });
  expect(others.map(({ alias, addresses }) => [alias, addresses])).toEqual(
    many.map(({ name, managementIp }) => [name, [{ address: managementIp, length: 24 }]]),
  );
  expect(new Set(others.map(({ index }) => index)).size).toBe(many.length);
});

const named = (name: string) => [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: name } }];

test.each([
  ['vEthernet (Ethernet 0)', '0x80070057'],
  ['Wi-Fi', '0x803B0006'],
  ['Ethernet', '0x803B0006'],
  [many[0]?.name ?? '', '0x00000000'],
])('a switch on %s returns %s', async (name, hresult) => {
  expect((await createNetwork({ ...l2bridge, Policies: named(name) })).hresult).toBe(hresult);
  expect(service.hns.hostInterfaces().some(({ alias }) => alias === `vEthernet (${name})`)).toBe(
    hresult === '0x00000000',
  );
});
