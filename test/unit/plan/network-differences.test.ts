import { describe, expect, test } from 'vitest';
import { dropInBehavior } from '../../../src/config/behavior.ts';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { describeDifference, networkDifferences } from '../../../src/plan/network-differences.ts';
import { resolveNetwork } from '../../../src/plan/network-plan.ts';

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
});

describe('an existing network', () => {
  test('on VETHERNET (ethernet) is on Ethernet', () => {
    const Policies = [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'VETHERNET (ethernet)' } }];
    expect(networkDifferences(config, 'Ethernet', { ...observed, Policies })).toEqual([]);
    expect(networkDifferences(config, 'Ethernet 2', { ...observed, Policies })).toEqual([
      { property: 'adapter', configured: 'Ethernet 2', observed: 'ethernet' },
    ]);
  });

  test('with the policy VLAN in its subnet and the configured { vlan: 0 } differs: 7', () => {
    const subnets = [{ prefix: '10.245.1.0/24', vlan: 0 }] as NetworkConfig['subnets'];
    const Ipams = [{ Subnets: [{ ...subnet, Policies: [{ Type: 'VLAN', Settings: { IsolationId: 7 } }] }] }];
    expect(differences({ ...config, subnets }, { ...observed, Ipams } as typeof observed)).toEqual([
      'vlan of 10.245.1.0/24 is 7, expected none',
    ]);
  });

  test('with another gateway, or several default routes, differs unless one has the configured one', () => {
    const via = (...hops: readonly string[]) => {
      const Routes = hops.map((NextHop) => ({ NextHop, DestinationPrefix: '0.0.0.0/0' }));
      const Subnets = [{ IpAddressPrefix: '10.245.1.0/24', Policies: subnet?.Policies ?? [], Routes }];
      const network = { ...observed, Ipams: [{ Subnets }] };
      return networkDifferences(config, undefined, network).map(describeDifference);
    };
    expect(via('10.245.1.9', '10.245.1.1')).toEqual([]);
    expect(via('10.245.1.9', '10.245.1.8')).toEqual([
      'gateway of 10.245.1.0/24 is 10.245.1.9, expected 10.245.1.1',
    ]);
  });

  test('with one of two configured subnets, and another one, differs', () => {
    const subnets = [...config.subnets, { prefix: '10.245.2.0/24', vsid: 4096 }];
    const Ipams = [{ Subnets: [subnet, { IpAddressPrefix: '10.245.3.0/24' }] }];
    expect(differences({ ...config, subnets }, { ...observed, Ipams } as typeof observed)).toEqual([
      'subnets are 10.245.1.0/24, 10.245.3.0/24, expected 10.245.1.0/24, 10.245.2.0/24',
    ]);
  });

  test.each([
    ['L2Tunnel', 'L2Bridge', true],
    ['NAT', 'ics', true],
    ['NAT', 'L2Bridge', false],
  ] as const)(
    "for another plugin's %s configuration can be used if its type is %s: %s",
    (networkType, Type, expected) => {
      const dropIn = { ...config, networkType, behavior: dropInBehavior };
      const differs = [`networkType is ${Type}, expected ${networkType}`];
      expect(differences(dropIn, { ...observed, Type })).toEqual(expected ? [] : differs);
    },
  );
});
