import { describe, expect, test } from 'vitest';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { requestedAddresses, resolveEndpointAddresses } from '../../../src/plan/endpoint-addresses.ts';

const config = (changes: object = {}): NetworkConfig =>
  readNetworkConfig({
    cniVersion: '1.0.0',
    name: 'cbr0',
    networkType: 'L2Bridge',
    createNetwork: 'never',
    ...changes,
  });

const network = {
  Name: 'cbr0',
  Type: 'L2Bridge',
  Ipams: [
    {
      Subnets: [
        {
          IpAddressPrefix: '10.244.3.0/24',
          Routes: [{ NextHop: '10.244.3.1', DestinationPrefix: '0.0.0.0/0' }],
        },
        { IpAddressPrefix: 'fd00:3::/64', Routes: [{ NextHop: 'fd00:3::1', DestinationPrefix: '::/0' }] },
      ],
    },
  ],
  SchemaVersion: { Major: 2, Minor: 0 },
};
const assigned = (...ips: readonly { readonly address: string; readonly gateway?: string }[]) => ({
  ips,
  routes: [],
  dns: {},
});
const outOfRange = "take it out of the IPAM plugin's range, with host-local by a later rangeStart";

describe('the addresses of an endpoint', () => {
  test('are IPv4 first, with the length and the gateway of their subnets', () => {
    const ips = assigned(
      { address: 'fd00:3::9/48', gateway: 'fd00:3::5' },
      { address: '10.244.3.9/16', gateway: '10.244.0.1' },
    );
    expect(resolveEndpointAddresses(config(), network, ips)).toEqual([
      { address: '10.244.3.9', length: 24, gateway: '10.244.3.1' },
      { address: 'fd00:3::9', length: 64, gateway: 'fd00:3::1' },
    ]);
  });

  test('have the gateway of the IPAM plugin where the network has none', () => {
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.3.0/24' }] }];
    const ips = assigned({ address: '10.244.3.9/24', gateway: '10.244.3.5' });
    expect(resolveEndpointAddresses(config(), { ...network, Ipams }, ips)).toMatchObject([
      { gateway: '10.244.3.5' },
    ]);
  });

  test("have the node's own endpoint as their gateway in its family alone", () => {
    const ips = assigned({ address: '10.244.3.9/24' }, { address: 'fd00:3::9/64' });
    expect(resolveEndpointAddresses(config({ hostEndpoint: {} }), network, ips)).toMatchObject([
      { address: '10.244.3.9', gateway: '10.244.3.2' },
      { address: 'fd00:3::9', gateway: 'fd00:3::1' },
    ]);
  });

  test('keep the length that was asked for', () => {
    const asked = requestedAddresses(config({ runtimeConfig: { ips: ['10.244.3.9/16', 'fd00:3::9'] } }));
    expect(resolveEndpointAddresses(config(), network, asked)).toEqual([
      { address: '10.244.3.9', length: 16, gateway: '10.244.3.1' },
      { address: 'fd00:3::9', length: 64, gateway: 'fd00:3::1' },
    ]);
  });
});

describe('an address is refused', () => {
  test.each([
    ['10.244.3.0', 'is the first or last one of 10.244.3.0/24, which no pod can have', outOfRange],
    ['10.244.3.255', 'is the first or last one of 10.244.3.0/24, which no pod can have', outOfRange],
    ['fd00:3::', 'is the first or last one of fd00:3::/64, which no pod can have', outOfRange],
    ['10.244.3.1', 'is the gateway of network "cbr0", which no pod can have', outOfRange],
    ['10.244.3.2', 'is the gateway of network "cbr0", which no pod can have', outOfRange],
    ['fd00:3::1', 'is the gateway of network "cbr0", which no pod can have', outOfRange],
    [
      '10.244.4.9',
      'is outside network "cbr0"',
      'its subnets are 10.244.3.0/24, fd00:3::/64; make these and the source of the address agree',
    ],
  ])('%s %s', (address, message, details) => {
    expect(() =>
      resolveEndpointAddresses(config({ hostEndpoint: {} }), network, assigned({ address: `${address}/24` })),
    ).toThrow(expect.objectContaining({ code: 7, message: `address ${address} ${message}`, details }));
  });

  test('with a length so long that it does not reach its gateway', () => {
    const asked = requestedAddresses(config({ runtimeConfig: { ips: ['10.244.3.9/30'] } }));
    expect(() => resolveEndpointAddresses(config(), network, asked)).toThrow(
      expect.objectContaining({
        code: 7,
        message:
          'address 10.244.3.9/30 does not reach its gateway 10.244.3.1: ask for a shorter prefix length',
      }),
    );
  });

  test('beside another one of its family', () => {
    const two = assigned({ address: '10.244.3.9/24' }, { address: '10.244.3.10/24' });
    expect(() => resolveEndpointAddresses(config(), network, two)).toThrow(
      expect.objectContaining({
        code: 7,
        message: '10.244.3.9 and 10.244.3.10 are both IPv4, and an HCN endpoint has one address of a family',
        details: 'let the IPAM plugin assign one address of each family at most',
      }),
    );
  });
});
