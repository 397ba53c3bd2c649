import { describe, expect, test } from 'vitest';
import { readIpamType } from '../../../src/config/essential-keys.ts';
import { normalizeConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig as readNormalized } from '../../../src/config/read-config.ts';

const readNetworkConfig = (json: object, environment = {}) =>
  readNormalized(normalizeConfig({ ...json }), environment);

const l2bridge = {
  cniVersion: '1.0.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
};
const overlay = {
  ...l2bridge,
  name: 'overlay',
  networkType: 'Overlay',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
};

describe('a network configuration', () => {
  test('lets HNS assign addresses with an empty ipam.type', () => {
    for (const ipam of [undefined, 'x', { type: '' }, { type: 7 }, { type: '../x' }])
      expect(readIpamType({ ...l2bridge, ipam })).toBeUndefined();
    expect(readIpamType({ ...l2bridge, ipam: { type: 'host-local' } })).toBe('host-local');
  });

  test('ignores annotations, null and zero values of the runtime', () => {
    const runtimeConfig = {
      'io.kubernetes.cri.pod-annotations': { a: 'b' },
      portMappings: null,
      bandwidth: { IngressRate: 0, EgressRate: 0 },
    };
    expect(readNetworkConfig({ ...l2bridge, runtimeConfig }).name).toBe('l2bridge');
  });

  test.each([
    [8, 1],
    [23, 2],
  ])('limits outgoing traffic of %i bits per second to %i bytes', (egressRate, bytes) => {
    const runtimeConfig = { bandwidth: { egressRate, ingressRate: null } };
    expect(readNetworkConfig({ ...l2bridge, runtimeConfig }).egressBytes).toBe(bytes);
  });

  test.each<[given: object, read: object]>([
    [{ networkType: 'L2Tunnel' }, { portMapping: { localRoutedVip: true, allowAcl: false } }],
    [overlay, { portMapping: { localRoutedVip: false, allowAcl: false }, macPrefix: undefined }],
    [{ ...overlay, ipam: { type: 'host-local' } }, { macPrefix: '0E-2A' }],
    [{ ipam: { type: 'host-local' } }, { macPrefix: undefined }],
    [{ ipMasq: false, ipMasqNetwork: '10.0.0.0/8' }, { outboundNat: undefined }],
    [{ ipMasq: true }, { outboundNat: { exceptions: [], destinations: [] } }],
    [
      { outboundNat: { exceptions: ['10.0.0.4'] }, ipMasqNetwork: '10.1.2.3/8' },
      { outboundNat: { exceptions: ['10.0.0.4', '10.0.0.0/8'], destinations: [] } },
    ],
    [
      { sdnRoutes: [{ destinationPrefix: '10.0.0.4', nextHop: '::ffff:10.0.0.1' }] },
      { sdnRoutes: [{ destinationPrefix: '10.0.0.4/32', nextHop: '10.0.0.1', needEncap: false }] },
    ],
    [{ hostEndpoint: {} }, { hostEndpoint: { address: undefined } }],
    [{ ...overlay, ipam: { type: 'host-local' }, macPrefix: '0e-2b' }, { macPrefix: '0E-2B' }],
    [{ networkFlags: ['EnableIov'] }, { networkFlags: ['EnableIov'] }],
    [
      { networkType: 'Transparent', macPool: [{ start: '00:15:5d:52:c0:00', end: '00-15-5D-52-C0-09' }] },
      { macPool: [{ start: '00-15-5D-52-C0-00', end: '00-15-5D-52-C0-09' }] },
    ],
    [
      { acls: [{ action: 'Block', direction: 'In', protocols: ['tcp', 17], ruleType: 'Host' }] },
      { acls: [{ protocols: [6, 17], ruleType: 'Host' }] },
    ],
    [
      { outboundNat: { destinations: ['10.0.0.9/8'], virtualIP: '::ffff:10.0.0.4', maxPortPoolUsage: 512 } },
      { outboundNat: { destinations: ['10.0.0.0/8'], virtualIP: '10.0.0.4', maxPortPoolUsage: 512 } },
    ],
    [{ hostEndpoint: { address: '10.244.1.2' } }, { hostEndpoint: { address: '10.244.1.2' } }],
  ])('with %j is read with %j', (given, read) => {
    expect(readNetworkConfig({ defaultAction: 'Allow', ...l2bridge, ...given })).toMatchObject(read);
  });
});

describe('an invalid configuration is refused with the path, the given and the expected value', () => {
  test.each<[changes: object, message: string, code?: number]>([
    [{ sourceVip: true }, '/sourceVip is true, expected none: network type L2Bridge does not support it'],
    ...['10.244.2.2', 'fd00::5'].map((address): [object, string] => [
      { subnets: [{ subnet: '10.244.1.0/24' }, { subnet: 'fd00::/64' }], hostEndpoint: { address } },
      `/hostEndpoint/address is "${address}", expected an IPv4 address in one of the subnets`,
    ]),
    [
      { macPool: [{ start: '00-15-5D-00-00-02', end: '00-15-5D-00-00-01' }] },
      '/macPool/0 is {"start":"00-15-5D-00-00-02","end":"00-15-5D-00-00-01"}, expected a start that is not above the end',
    ],
    ...['x', '10.0.0.0', '10.0.1.1'].map((gateway): [object, string] => [
      { subnets: [{ subnet: '10.0.0.0/24', gateway }] },
      `/subnets/0/gateway is "${gateway}", expected a host address in 10.0.0.0/24`,
    ]),
    ...[
      ['x', 'a subnet such as 10.244.1.0/24'],
      ['10.0.0.1/32', 'a larger subnet, with host addresses'],
      ['10.0.0.9/24', '10.0.0.0/24, without host bits'],
    ].map(([subnet, expected]): [object, string] => [
      { subnets: [{ subnet }] },
      `/subnets/0/subnet is "${subnet}", expected ${expected}`,
    ]),
    [
      {
        subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.2' }],
        hostEndpoint: { address: '10.244.1.2' },
      },
      '/hostEndpoint/address is "10.244.1.2", expected an address other than the subnet\'s gateway, which HNS reserves',
    ],
    [{ ipMasq: true, ipMasqNetwork: 'x' }, '/ipMasqNetwork is "x", expected an IP address or a prefix'],
    [
      {
        adapter: 'Ethernet',
        networkPolicies: [
          { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
          { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } },
        ],
      },
      '/adapter is "Ethernet", expected no adapter with the network policy ProviderAddress',
    ],
    [
      { subnets: [{ subnet: '10.1.0.0/16' }, { subnet: '10.2.0.0/16' }, { subnet: '10.1.2.0/24' }] },
      '/subnets/2/subnet is "10.1.2.0/24", expected a subnet that does not overlap 10.1.0.0/16',
    ],
    [{ portmappings: true }, '/portmappings is an unknown key (value: true), did you mean "portMapping"?', 2],
    [{ outboundNat: { virtualIP: 'x' } }, '/outboundNat/virtualIP is "x", expected an IP address'],
    [{ name: 1 }, '/name is 1, expected a string', 6],
    [{ name: null }, 'missing network name: /name is required'],
    [{ name: 'a b' }, 'invalid characters found in network name "a b"'],
  ])('%j: %s', (changes, message, code = 7) => {
    const json = JSON.parse(JSON.stringify({ defaultAction: 'Allow', ...l2bridge, ...changes }));
    expect(() => readNetworkConfig(json)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});
