import { describe, expect, test } from 'vitest';
import { dropInBehavior } from '../../../src/config/behavior.ts';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { type IdentifiedNetwork, resolveNetwork } from '../../../src/plan/network.ts';
import {
  describeDifference,
  differenceTable,
  networkDifferences,
} from '../../../src/plan/network-differences.ts';

const config = readNetworkConfig({
  cniVersion: '1.0.0',
  name: 'overlay',
  networkType: 'Overlay',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.245.1.0/24', gateway: '10.245.1.1', vsid: 4096 }],
});
const observed = {
  ID: '22222222-2222-3333-4444-555555555555',
  Name: 'overlay',
  Type: 'overlay',
  Policies: [
    { Type: 'DRMacAddress', Settings: { Address: '00-15-5D-BB-6E-B1' } },
    { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
  ],
  Ipams: [
    {
      Type: 'Static',
      Subnets: [
        {
          IpAddressPrefix: '10.245.1.0/24',
          Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
          Routes: [{ NextHop: '10.245.1.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
  SchemaVersion: { Major: 2, Minor: 0 },
};
const subnet = observed.Ipams[0]?.Subnets[0];

const differences = (given: NetworkConfig, network: typeof observed) =>
  networkDifferences(given, given.adapter, network).map(describeDifference);

describe('an existing network that differs from the configuration, or is missing,', () => {
  const refused = (given: NetworkConfig, network?: typeof observed) => () => resolveNetwork(given, network);

  test('is refused with the first difference and a table of all', () => {
    const network = { ...observed, Type: 'L2Bridge', Ipams: [] };
    expect(refused(config, network)).toThrow(
      expect.objectContaining({
        code: 7,
        message:
          'network "overlay" exists but differs from the configuration: networkType is L2Bridge, expected Overlay',
        details: [
          '             configuration  HNS',
          'networkType  Overlay        L2Bridge',
          'subnets      10.245.1.0/24  none',
          'change the configuration, or delete the network when no pod uses it: win-hcn network delete overlay --yes',
        ].join('\n'),
      }),
    );
  });

  test('is code 11 if ADD must not create it', () => {
    expect(refused({ ...config, createNetwork: 'never' })).toThrow(
      expect.objectContaining({
        code: 11,
        message: 'network "overlay" does not exist and "createNetwork" is "never"',
        details:
          'wait until it is created (win-hcn ls networks shows the networks), or set "createNetwork" to "ifMissing"',
      }),
    );
  });

  test('is returned as it is otherwise', () => {
    expect(resolveNetwork({ ...config, createNetwork: 'never' }, observed)).toBe(observed);
  });
});

describe('an existing network', () => {
  test('can be used if it matches the configuration, in any case of its type', () => {
    expect(differences(config, observed)).toEqual([]);
  });

  test.each(['vEthernet (Ethernet)', 'VETHERNET (ethernet)'])(
    'on %s is on Ethernet',
    (NetworkAdapterName) => {
      const Policies = [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName } }];
      expect(networkDifferences(config, 'Ethernet', { ...observed, Policies })).toEqual([]);
      expect(networkDifferences(config, 'Ethernet 2', { ...observed, Policies })).toHaveLength(1);
    },
  );

  test.each(['', '{2F6B1F0E-7A11-4D0C-9B58-0D6F6B3F7A01}'])(
    'with %j in place of the name of its adapter can be used',
    (NetworkAdapterName) => {
      const Policies = [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName } }];
      expect(networkDifferences(config, 'Ethernet', { ...observed, Policies })).toEqual([]);
    },
  );

  test('with a default route that HNS adds can be used', () => {
    const Routes = ['10.245.1.254', '10.245.1.1'].map((NextHop) => ({
      NextHop,
      DestinationPrefix: '0.0.0.0/0',
    }));
    const Ipams = [{ Type: 'Static', Subnets: [{ ...subnet, IpAddressPrefix: '10.245.1.0/24', Routes }] }];
    expect(networkDifferences(config, undefined, { ...observed, Ipams })).toEqual([]);
  });

  test('matches names in any case on either side', () => {
    const on = (NetworkAdapterName: string): IdentifiedNetwork => ({
      ...observed,
      Type: 'OVERLAY',
      Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName } }],
    });
    expect(networkDifferences(config, 'Ethernet', on('ETHERNET'))).toEqual([]);
    expect(networkDifferences(config, 'ETHERNET', on('ethernet'))).toEqual([]);
  });

  test.each([
    ['VSID', { vsid: 4096 }, 5000, ['vsid of 10.245.1.0/24 is 5000, expected 4096']],
    ['VSID', {}, 4096, []],
    ['VLAN', {}, 1, []],
    ['VLAN', { vlan: 0 }, 0, []],
    ['Other', { vlan: 0 }, 7, []],
    ['VLAN', { vlan: 0 }, 7, ['vlan of 10.245.1.0/24 is 7, expected none']],
    ['VLAN', { vlan: 7 }, '7', []],
    ['VLAN', { vlan: 7 }, undefined, []],
    ['VLAN', { vlan: 7 }, 7, []],
    ['VLAN', { vlan: 8 }, 7, ['vlan of 10.245.1.0/24 is 7, expected 8']],
    ['Other', { vlan: 8 }, 7, ['vlan of 10.245.1.0/24 is none, expected 8']],
  ])(
    'with the policy %s in its subnet and the configured %j differs: %j',
    (Type, given, IsolationId, expected) => {
      const subnets = [{ prefix: '10.245.1.0/24', ...given }] as NetworkConfig['subnets'];
      const Ipams = [{ Subnets: [{ ...subnet, Policies: [{ Type, Settings: { IsolationId } }] }] }];
      expect(differences({ ...config, subnets }, { ...observed, Ipams } as typeof observed)).toEqual(
        expected,
      );
    },
  );

  test('with one of two configured subnets, and another one, differs', () => {
    const subnets = [...config.subnets, { prefix: '10.245.2.0/24', vsid: 4096 }];
    const Ipams = [{ Subnets: [subnet, { IpAddressPrefix: '10.245.3.0/24' }] }];
    expect(differences({ ...config, subnets }, { ...observed, Ipams } as typeof observed)).toEqual([
      'subnets are 10.245.1.0/24, 10.245.3.0/24, expected 10.245.1.0/24, 10.245.2.0/24',
    ]);
  });

  test("for another plugin's configuration differs only in its type", () => {
    const dropIn = { ...config, networkType: 'NAT', behavior: dropInBehavior } as const;
    expect(differences(dropIn, { ...observed, Ipams: [] })).toEqual(['networkType is overlay, expected NAT']);
  });

  test('decides the gateway if the configuration has none', () => {
    const silent = { ...config, subnets: [{ prefix: '10.245.1.0/24', vsid: 4096 }] };
    const Routes = [{ NextHop: '10.245.1.254', DestinationPrefix: '0.0.0.0/0' }];
    expect(
      differences(silent, {
        ...observed,
        Ipams: [{ Subnets: [{ ...subnet, Routes }] }],
      } as typeof observed),
    ).toEqual([]);
  });

  test('can be used if HNS returns its prefix with host bits', () => {
    const Ipams = [{ Subnets: [{ ...subnet, IpAddressPrefix: '10.245.1.1/24' }] }];
    expect(differences(config, { ...observed, Ipams } as typeof observed)).toEqual([]);
  });

  test('can be used if the configuration has no subnet', () => {
    expect(differences({ ...config, subnets: [] }, observed)).toEqual([]);
  });

  test.each([
    [
      { Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet 2' } }] },
      ['adapter is Ethernet 2, expected Ethernet'],
    ],
    [{ Type: 'L2Bridge' }, ['networkType is L2Bridge, expected Overlay']],
    [
      { Ipams: [{ Subnets: [{ ...subnet, IpAddressPrefix: '10.245.2.0/24' }] }] },
      ['subnets are 10.245.2.0/24, expected 10.245.1.0/24'],
    ],
    [{ Ipams: [{ Subnets: [subnet, { IpAddressPrefix: '10.245.2.0/24' }] }] }, []],
    [{ Ipams: [] }, ['subnets are none, expected 10.245.1.0/24']],
    [
      {
        Ipams: [{ Subnets: [{ ...subnet, Policies: [{ Type: 'VSID', Settings: { IsolationId: 5000 } }] }] }],
      },
      ['vsid of 10.245.1.0/24 is 5000, expected 4096'],
    ],
    [
      {
        Ipams: [
          { Subnets: [{ ...subnet, Routes: [{ NextHop: '10.245.1.2', DestinationPrefix: '0.0.0.0/0' }] }] },
        ],
      },
      ['gateway of 10.245.1.0/24 is 10.245.1.2, expected 10.245.1.1'],
    ],
  ])('with %j differs: %j', (changes, expected) => {
    expect(differences(config, { ...observed, ...changes } as typeof observed)).toEqual(expected);
  });

  test.each([
    ['L2Bridge', 'l2tunnel', true],
    ['L2Tunnel', 'L2Bridge', true],
    ['NAT', 'ICS', true],
    ['ICS', 'nat', true],
    ['L2Bridge', 'NAT', false],
  ] as const)(
    "for another plugin's %s configuration can be used if its type is %s: %s",
    (networkType, Type, expected) => {
      const dropIn = { ...config, networkType, behavior: dropInBehavior };
      expect(differences(dropIn, { ...observed, Type }).length === 0).toBe(expected);
    },
  );

  test('is compared with the configuration in a table', () => {
    const Ipams = [{ Subnets: [{ ...subnet, Policies: [], IpAddressPrefix: '10.245.1.0/24' }] }];
    const network = { ...observed, Type: 'L2Bridge', Ipams } as unknown as typeof observed;
    expect(differenceTable(networkDifferences(config, 'Ethernet 2', network))).toBe(
      [
        '                       configuration  HNS',
        'networkType            Overlay        L2Bridge',
        'vsid of 10.245.1.0/24  4096           none',
      ].join('\n'),
    );
  });
});
