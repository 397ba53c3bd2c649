import { expect, test } from 'vitest';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import type { Policy } from '../../../src/hcn/documents.ts';
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

test('a remote subnet that the network and the configuration have is no difference', () => {
  const config = withRemoteSubnets([], [policy('10.244.8.0/24')]);
  const network = { Name: 'overlay', Type: 'Overlay', SchemaVersion: { Major: 2, Minor: 0 } };
  expect(policyDifferences(config, { ...network, Policies: [policy('10.244.8.0/24')] })).toEqual([]);
  expect(routeDifferences(config, 7, [])).toEqual([]);
});
