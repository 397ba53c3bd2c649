import { describe, expect, test } from 'vitest';
import { type Behavior, dropInBehavior } from '../../../src/config/behavior.ts';
import {
  preferredGateways,
  requestedAddresses,
  resolveEndpointAddresses,
} from '../../../src/plan/endpoint-addresses.ts';
import { configOfExistingNetwork as config } from './config-of-existing-network.ts';

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
const exclude = "exclude it from the IPAM plugin's range; with host-local, raise rangeStart";

describe('the addresses of an endpoint', () => {
  test('are IPv4 first, with the prefix length and gateway of their subnets', () => {
    const ips = assigned(
      { address: 'fd00:3::9/48', gateway: 'fd00:3::5' },
      { address: '10.244.3.9/16', gateway: '10.244.0.1' },
    );
    expect(resolveEndpointAddresses(config(), network, ips)).toEqual([
      { address: '10.244.3.9', length: 24, gateway: '10.244.3.1' },
      { address: 'fd00:3::9', length: 64, gateway: 'fd00:3::1' },
    ]);
  });

  test("have the IPAM plugin's gateway if the network has none", () => {
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.3.0/24' }] }];
    const ips = assigned({ address: '10.244.3.9/24', gateway: '10.244.3.5' });
    expect(resolveEndpointAddresses(config(), { ...network, Ipams }, ips)).toMatchObject([
      { gateway: '10.244.3.5' },
    ]);
  });

  test('have the host endpoint as their gateway in its family only', () => {
    const ips = assigned({ address: '10.244.3.9/24' }, { address: 'fd00:3::9/64' });
    expect(resolveEndpointAddresses(config({ hostEndpoint: {} }), network, ips)).toMatchObject([
      { address: '10.244.3.9', gateway: '10.244.3.2' },
      { address: 'fd00:3::9', gateway: 'fd00:3::1' },
    ]);
  });

  test.each([
    ['10.244.3.0/31', '10.244.3.0', 31],
    ['10.244.3.0/31', '10.244.3.1', 31],
    ['10.244.3.9/32', '10.244.3.9', 32],
    ['fd00:3::/127', 'fd00:3::', 127],
    ['fd00:3::9/128', 'fd00:3::9', 128],
  ])(
    'of a network with the subnet %s can be %s, which no prefix of this length reserves',
    (subnet, address, length) => {
      const Ipams = [{ Subnets: [{ IpAddressPrefix: subnet }] }];
      expect(resolveEndpointAddresses(config(), { ...network, Ipams }, assigned({ address }))).toEqual([
        { address, length, gateway: undefined },
      ]);
    },
  );

  test.each<[string, Partial<Behavior>, string | undefined, string]>([
    [
      'the first preferred one in the subnet',
      { gateways: ['10.9.0.1', '10.244.3.7', '10.244.3.8'] },
      undefined,
      '10.244.3.7',
    ],
    [
      'that of the network if the preferred one is the address itself',
      { gateways: ['10.244.3.9'] },
      undefined,
      '10.244.3.1',
    ],
    ["the IPAM plugin's if that is preferred", { preferIpamGateway: 'always' }, '10.244.3.5', '10.244.3.5'],
    ['the second address of the assigned prefix', { secondHostIsGateway: ['IPv4'] }, undefined, '10.244.3.2'],
  ])('have as their gateway %s', (_, behavior, gateway, expected) => {
    const dropIn = { ...config(), behavior: { ...dropInBehavior, ...behavior } };
    const ips = assigned({ address: '10.244.3.9/24', ...(gateway !== undefined && { gateway }) });
    expect(resolveEndpointAddresses(dropIn, network, ips)).toEqual([
      { address: '10.244.3.9', length: 24, gateway: expected },
    ]);
  });

  test('may have a longer prefix than the subnet if it contains the gateway, or if there is none', () => {
    const requested = (ip: string) => requestedAddresses(config({ runtimeConfig: { ips: [ip] } }));
    expect(resolveEndpointAddresses(config(), network, requested('10.244.3.2/30'))).toEqual([
      { address: '10.244.3.2', length: 30, gateway: '10.244.3.1' },
    ]);
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.3.0/24' }] }];
    expect(resolveEndpointAddresses(config(), { ...network, Ipams }, requested('10.244.3.9/30'))).toEqual([
      { address: '10.244.3.9', length: 30, gateway: undefined },
    ]);
  });

  test("may have the IPAM plugin's gateway outside of the subnet", () => {
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.3.0/24' }] }];
    const ips = assigned({ address: '10.244.3.9/24', gateway: '169.254.1.1' });
    expect(resolveEndpointAddresses(config(), { ...network, Ipams }, ips)).toEqual([
      { address: '10.244.3.9', length: 24, gateway: '169.254.1.1' },
    ]);
  });

  test('keep the requested prefix length', () => {
    const requested = requestedAddresses(config({ runtimeConfig: { ips: ['10.244.3.9/16', 'fd00:3::9'] } }));
    expect(resolveEndpointAddresses(config(), network, requested)).toEqual([
      { address: '10.244.3.9', length: 16, gateway: '10.244.3.1' },
      { address: 'fd00:3::9', length: 64, gateway: 'fd00:3::1' },
    ]);
  });
});

describe('an address is refused', () => {
  test.each([
    ['10.244.3.0', 'cannot be assigned: it is the first or last address of 10.244.3.0/24', exclude],
    ['10.244.3.255', 'cannot be assigned: it is the first or last address of 10.244.3.0/24', exclude],
    ['fd00:3::', 'cannot be assigned: it is the first or last address of fd00:3::/64', exclude],
    ['10.244.3.1', 'cannot be assigned: it is the gateway of network "cbr0"', exclude],
    ['10.244.3.2', 'cannot be assigned: it is the gateway of network "cbr0"', exclude],
    ['fd00:3::1', 'cannot be assigned: it is the gateway of network "cbr0"', exclude],
    [
      '10.244.4.9',
      'is outside network "cbr0"',
      'subnets of the network: 10.244.3.0/24, fd00:3::/64; correct them or the source of the address',
    ],
  ])('%s %s', (address, message, details) => {
    expect(() =>
      resolveEndpointAddresses(config({ hostEndpoint: {} }), network, assigned({ address: `${address}/24` })),
    ).toThrow(expect.objectContaining({ code: 7, message: `address ${address} ${message}`, details }));
  });

  test('if its prefix length is too long to reach its gateway', () => {
    const requested = requestedAddresses(config({ runtimeConfig: { ips: ['10.244.3.9/30'] } }));
    expect(() => resolveEndpointAddresses(config(), network, requested)).toThrow(
      expect.objectContaining({
        code: 7,
        message: 'address 10.244.3.9/30 cannot reach its gateway 10.244.3.1: request a shorter prefix length',
      }),
    );
  });

  test.each(['10.244.3.8/30', '10.244.3.11/30'])(
    'if it is the first or last address of its own prefix: %s',
    (address) => {
      const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.3.0/24' }] }];
      const requested = requestedAddresses(config({ runtimeConfig: { ips: [address] } }));
      expect(() => resolveEndpointAddresses(config(), { ...network, Ipams }, requested)).toThrow(
        `address ${address.slice(0, -3)} cannot be assigned: it is the first or last address of 10.244.3.8/30`,
      );
    },
  );

  test.each(['10.244.3.255/16', '10.244.3.0/30'])(
    'if it is the first or last address of the subnet, whatever its own prefix is: %s',
    (address) => {
      const requested = requestedAddresses(config({ runtimeConfig: { ips: [address] } }));
      expect(() => resolveEndpointAddresses(config(), network, requested)).toThrow(
        `address ${address.slice(0, -3)} cannot be assigned: it is the first or last address of 10.244.3.0/24`,
      );
    },
  );

  test('if the network has no subnet', () => {
    const ips = assigned({ address: '10.244.3.9/24' });
    expect(() => resolveEndpointAddresses(config(), { ...network, Ipams: [] }, ips)).toThrow(
      expect.objectContaining({
        code: 7,
        message: 'address 10.244.3.9 is outside network "cbr0"',
        details: 'subnets of the network: none; correct them or the source of the address',
      }),
    );
  });

  test('if another address of its family is assigned', () => {
    const two = assigned({ address: '10.244.3.9/24' }, { address: '10.244.3.10/24' });
    expect(() => resolveEndpointAddresses(config(), network, two)).toThrow(
      expect.objectContaining({
        code: 7,
        message:
          '10.244.3.9 and 10.244.3.10 are both IPv4: an HCN endpoint has at most one address per family',
        details: 'configure the IPAM plugin to assign at most one address per family',
      }),
    );
  });
});

describe('preferred gateways', () => {
  const all = {
    secondHostIsGateway: ['IPv4'],
    gateways: ['10.244.3.7'],
    preferIpamGateway: 'always',
    additionalGateways: ['10.244.3.8'],
  } as const;
  const ipv4 = { address: '10.244.3.9', length: 24 };
  const ipv6 = { address: 'fd00:3::9', length: 64 };

  test.each<[string, Partial<Behavior>, typeof ipv4, string | undefined, readonly string[]]>([
    [
      "are the host endpoint, the second address, the configured gateways and the IPAM plugin's, in this order",
      all,
      ipv4,
      '10.244.3.5',
      ['10.244.3.4', '10.244.3.2', '10.244.3.7', '10.244.3.5'],
    ],
    [
      'include the additional ones if the IPAM plugin returns no gateway',
      { ...all, secondHostIsGateway: [], gateways: [] },
      ipv4,
      undefined,
      ['10.244.3.4', '10.244.3.8'],
    ],
    [
      'include the additional ones if the IPAM plugin returns the first address',
      { ...all, secondHostIsGateway: [], gateways: [] },
      ipv4,
      '10.244.3.1',
      ['10.244.3.4', '10.244.3.8'],
    ],
    [
      "exclude the IPAM plugin's gateway if it comes after the network's",
      { preferIpamGateway: 'never', additionalGateways: ['10.244.3.8'] },
      ipv4,
      '10.244.3.5',
      ['10.244.3.4'],
    ],
    [
      'exclude the second address of a family to which that rule does not apply',
      { secondHostIsGateway: ['IPv4'] },
      ipv6,
      undefined,
      ['10.244.3.4'],
    ],
  ])('%s', (_, behavior, prefix, gateway, expected) => {
    const dropIn = {
      ...config({ hostEndpoint: { address: '10.244.3.4' } }),
      behavior: { ...dropInBehavior, ...behavior },
    };
    expect(preferredGateways(dropIn, network, { prefix, gateway })).toEqual(expected);
  });
});
