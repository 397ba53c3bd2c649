import { describe, expect, test } from 'vitest';
import { type Behavior, dropInBehavior } from '../../../src/config/behavior.ts';
import { requestedAddresses, resolveEndpointAddresses } from '../../../src/plan/endpoint-addresses.ts';
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
  test('have the host endpoint as their gateway in its family only', () => {
    const ips = assigned({ address: '10.244.3.9/24' }, { address: 'fd00:3::9/64' });
    expect(resolveEndpointAddresses(config({ hostEndpoint: {} }), network, ips)).toMatchObject([
      { address: '10.244.3.9', gateway: '10.244.3.2' },
      { address: 'fd00:3::9', gateway: 'fd00:3::1' },
    ]);
  });

  test.each<[string, Partial<Behavior>, string | undefined, string]>([
    ['the second address of the assigned prefix', { secondHostIsGateway: ['IPv4'] }, undefined, '10.244.3.2'],
    [
      'the first preferred one in the subnet',
      { gateways: ['10.9.0.1', '10.244.3.7', '10.244.3.8'] },
      undefined,
      '10.244.3.7',
    ],
    [
      'that of the network instead of the address itself',
      { gateways: ['10.244.3.9'] },
      undefined,
      '10.244.3.1',
    ],
    ["the IPAM plugin's if that is preferred", { preferIpamGateway: 'always' }, '10.244.3.5', '10.244.3.5'],
    [
      'the additional one if the IPAM plugin has none of its own',
      { additionalGateways: ['10.244.3.8'] },
      '10.244.3.1',
      '10.244.3.8',
    ],
  ])('have as their gateway %s', (_, changes, given, gateway) => {
    const dropIn = { ...config(), behavior: { ...dropInBehavior, ...changes } };
    const ips = assigned({ address: '10.244.3.9/24', ...(given !== undefined && { gateway: given }) });
    expect(resolveEndpointAddresses(dropIn, network, ips)).toEqual([
      { address: '10.244.3.9', length: 24, gateway },
    ]);
  });

  test("may have the IPAM plugin's gateway outside of the subnet", () => {
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.3.0/24' }] }];
    const ips = assigned({ address: '10.244.3.9/24', gateway: '169.254.1.1' });
    expect(resolveEndpointAddresses(config(), { ...network, Ipams }, ips)).toEqual([
      { address: '10.244.3.9', length: 24, gateway: '169.254.1.1' },
    ]);
  });
});

describe('an address is refused', () => {
  test.each([
    ['10.244.3.0', 'cannot be assigned: it is the first or last address of 10.244.3.0/24', exclude],
    ['fd00:3::1', 'cannot be assigned: it is the gateway of network "cbr0"', exclude],
    ['10.244.3.2', 'cannot be assigned: it is the gateway of network "cbr0"', exclude],
    [
      '10.244.4.9',
      'is outside network "cbr0"',
      'subnets of the network: 10.244.3.0/24, fd00:3::/64; correct them or the source of the address',
    ],
  ])('%s %s', (address, message, details) => {
    const given = assigned({ address: `${address}/24` });
    expect(() => resolveEndpointAddresses(config({ hostEndpoint: {} }), network, given)).toThrow(
      expect.objectContaining({ code: 7, message: `address ${address} ${message}`, details }),
    );
  });

  test('if it is the first or last address of its own prefix: 10.244.3.11/30', () => {
    const address = '10.244.3.11/30';
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.3.0/24' }] }];
    const requested = requestedAddresses(config({ runtimeConfig: { ips: [address] } }));
    expect(() => resolveEndpointAddresses(config(), { ...network, Ipams }, requested)).toThrow(
      `address ${address.slice(0, -3)} cannot be assigned: it is the first or last address of 10.244.3.8/30`,
    );
  });

  test('if it cannot reach its gateway with its own prefix', () => {
    const requested = requestedAddresses(config({ runtimeConfig: { ips: ['10.244.3.9/29'] } }));
    expect(() => resolveEndpointAddresses(config(), network, requested)).toThrow(
      'address 10.244.3.9/29 cannot reach its gateway 10.244.3.1: request a shorter prefix length',
    );
    expect(resolveEndpointAddresses(config(), network, assigned({ address: '10.244.3.9/29' }))).toEqual([
      { address: '10.244.3.9', length: 24, gateway: '10.244.3.1' },
    ]);
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
