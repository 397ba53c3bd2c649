import { expect, test } from 'vitest';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import type { Policy } from '../../../src/hcn/documents.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import { policyDifferences, routeDifferences } from '../../../src/plan/remote-subnet-differences.ts';
import { configOfExistingNetwork } from './config-of-existing-network.ts';

const policy = (DestinationPrefix: string, settings: object = {}): Policy => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix,
    IsolationId: 4096,
    ProviderAddress: '10.0.0.5',
    DistributedRouterMacAddress: '00-15-5D-0A-0B-0C',
    ...settings,
  },
});
const withRemoteSubnets = (
  remoteSubnets: NetworkConfig['remoteSubnets'],
  networkPolicies: readonly Policy[] = [],
): NetworkConfig => ({ ...configOfExistingNetwork(), remoteSubnets, networkPolicies });

test("an Overlay network's remote subnets that are additional, missing or different are listed in this order", () => {
  const remote = (subnet: string) => ({
    subnet,
    providerAddress: '10.0.0.5',
    macAddress: '00-15-5D-0A-0B-0C',
    vsid: 4096,
  });
  const config = withRemoteSubnets(['10.244.2.0/24', '10.244.3.0/24', '10.244.4.0/24'].map(remote), [
    policy('10.244.8.0/24'),
  ]);
  const network = {
    Name: 'overlay',
    Type: 'Overlay',
    Policies: [
      policy('10.244.3.0/24', { ProviderAddress: '10.0.0.6' }),
      policy('10.244.3.0/24', { IsolationId: 5000 }),
      policy('10.244.4.0/24'),
      policy('10.244.8.0/24', { ProviderAddress: '10.0.0.8' }),
      policy('10.244.9.0/24', { ProviderAddress: '10.0.0.9' }),
    ],
    SchemaVersion: { Major: 2, Minor: 0 },
  };
  const on = (node: string, vsid = 4096) =>
    `on node ${node} with MAC address 00-15-5D-0A-0B-0C and VSID ${vsid}`;
  expect(policyDifferences(config, network)).toEqual([
    {
      subnet: '10.244.9.0/24',
      difference: 'additional',
      isOthers: false,
      text: `remote subnet 10.244.9.0/24 (${on('10.0.0.9')}) is not in the configuration`,
    },
    {
      subnet: '10.244.2.0/24',
      difference: 'missing',
      isOthers: false,
      text: `remote subnet 10.244.2.0/24 is missing, expected ${on('10.0.0.5')}`,
    },
    {
      subnet: '10.244.3.0/24',
      difference: 'different',
      isOthers: false,
      text: `remote subnet 10.244.3.0/24 is ${on('10.0.0.6')} and ${on('10.0.0.5', 5000)}, expected ${on('10.0.0.5')}`,
    },
  ]);
});

test("an L2Bridge network's routes that are additional, missing or different are listed in this order", () => {
  const wanted = (subnet: string, nextHop = '10.0.0.5') => ({ subnet, nextHop });
  const config = withRemoteSubnets([
    wanted('10.244.2.0/24'),
    wanted('10.244.3.0/24'),
    wanted('10.244.4.0/24'),
    wanted('10.244.5.0/24'),
  ]);
  const stale = newNodeRoute(7, '10.244.3.0/24', '10.0.0.6');
  const others = { ...stale, metric: 256, interfaceIndex: 8 };
  const routes = [
    stale,
    others,
    newNodeRoute(7, '10.244.4.0/24', '10.0.0.6'),
    newNodeRoute(7, '10.244.5.0/24', '10.0.0.5'),
    newNodeRoute(7, '10.244.9.0/24', '10.0.0.9'),
  ];
  expect(routeDifferences(config, 7, routes)).toEqual([
    {
      subnet: '10.244.9.0/24',
      difference: 'additional',
      isOthers: false,
      text: 'remote subnet 10.244.9.0/24 (through 10.0.0.9 on interface 7) is not in the configuration',
    },
    {
      subnet: '10.244.2.0/24',
      difference: 'missing',
      isOthers: false,
      text: 'remote subnet 10.244.2.0/24 is missing, expected through 10.0.0.5 on interface 7',
    },
    {
      subnet: '10.244.3.0/24',
      difference: 'different',
      isOthers: true,
      text: 'remote subnet 10.244.3.0/24 is through 10.0.0.6 on interface 7 and through 10.0.0.6 on interface 8, expected through 10.0.0.5 on interface 7',
    },
    {
      subnet: '10.244.4.0/24',
      difference: 'different',
      isOthers: false,
      text: 'remote subnet 10.244.4.0/24 is through 10.0.0.6 on interface 7, expected through 10.0.0.5 on interface 7',
    },
  ]);
});

test('a remote subnet that the network and the configuration have is no difference', () => {
  const config = withRemoteSubnets([], [policy('10.244.8.0/24')]);
  const network = { Name: 'overlay', Type: 'Overlay', SchemaVersion: { Major: 2, Minor: 0 } };
  expect(policyDifferences(config, { ...network, Policies: [policy('10.244.8.0/24')] })).toEqual([]);
  expect(routeDifferences(config, 7, [])).toEqual([]);
});
