import { describe, expect, test } from 'vitest';
import { collectProblems } from '../../../src/config/problems.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { readRemoteSubnets } from '../../../src/config/remote-subnets.ts';

const routed = { subnet: '10.244.2.0/24', nextHop: '10.0.0.5' };
const encapsulated = {
  subnet: '10.244.2.0/24',
  providerAddress: '10.0.0.5',
  macAddress: '00-15-5D-0A-0B-0C',
};
const l2bridge = { name: 'n', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }] };
const overlay = { name: 'n', networkType: 'Overlay', subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }] };

const read = (config: object, ...remoteSubnets: readonly object[]) =>
  readNetworkConfig({ ...config, remoteSubnets }).remoteSubnets;

describe('remote subnets', () => {
  test('of an Overlay network have canonical text', () => {
    const given = {
      subnet: 'FD00:0::/64',
      providerAddress: '::ffff:10.0.0.5',
      macAddress: '00:15:5d:0a:0b:0c',
      vsid: 5000,
    };
    expect(read(overlay, encapsulated, given)).toEqual([
      encapsulated,
      { subnet: 'fd00::/64', providerAddress: '10.0.0.5', macAddress: '00-15-5D-0A-0B-0C', vsid: 5000 },
    ]);
  });

  test('of an L2Bridge network have a next hop, in both families', () => {
    const ipv6 = { subnet: 'fd00:2::/64', nextHop: 'FD00:0:0::5' };
    expect(read(l2bridge, routed, ipv6)).toEqual([routed, { subnet: 'fd00:2::/64', nextHop: 'fd00::5' }]);
  });

  test.each<readonly [config: object, remoteSubnets: readonly object[], message: string]>([
    [
      { name: 'n', networkType: 'NAT' },
      [routed],
      '/remoteSubnets is [{"subnet":"10.244.2.0/24","nextHop":"10.0.0.5"}], expected none: network type NAT does not support it',
    ],
    [
      l2bridge,
      [encapsulated],
      '/remoteSubnets/0/nextHop is missing, expected the IP address of the other node or of a router',
    ],
    [
      l2bridge,
      [{ ...encapsulated, ...routed }],
      '/remoteSubnets/0/providerAddress is "10.0.0.5", expected none: network type L2Bridge does not support it',
    ],
    [
      overlay,
      [{ ...encapsulated, ...routed }],
      '/remoteSubnets/0/nextHop is "10.0.0.5", expected none: network type Overlay does not support it',
    ],
    [
      overlay,
      [{ subnet: '10.244.2.0/24' }],
      '/remoteSubnets/0/providerAddress is missing, expected the IP address of the other node',
    ],
    [
      overlay,
      [{ ...encapsulated, macAddress: '01-00-5E-00-00-01' }],
      '/remoteSubnets/0/macAddress is "01-00-5E-00-00-01", expected a unicast MAC address such as 00-15-5D-0A-0B-0C',
    ],
    [
      overlay,
      [{ ...encapsulated, vsid: 1 }],
      '/remoteSubnets/0/vsid is 1, expected a virtual subnet ID from 4096 to 16777214',
    ],
    [
      l2bridge,
      [{ ...routed, subnet: '10.244.2.9/24' }],
      '/remoteSubnets/0/subnet is "10.244.2.9/24", expected 10.244.2.0/24, without host bits',
    ],
    [
      l2bridge,
      [{ ...routed, subnet: '0.0.0.0/0' }],
      '/remoteSubnets/0/subnet is "0.0.0.0/0", expected a subnet such as 10.244.2.0/24',
    ],
    [
      l2bridge,
      [{ ...routed, subnet: '10.244.0.0/16' }],
      '/remoteSubnets/0/subnet is "10.244.0.0/16", expected a subnet that does not overlap 10.244.1.0/24',
    ],
    [
      l2bridge,
      [routed, { ...routed, subnet: '10.244.2.128/25' }],
      '/remoteSubnets/1/subnet is "10.244.2.128/25", expected a subnet that does not overlap 10.244.2.0/24',
    ],
    [
      l2bridge,
      [{ ...routed, nextHop: 'fd00::5' }],
      '/remoteSubnets/0/nextHop is "fd00::5", expected an IPv4 address outside of 10.244.2.0/24',
    ],
    [
      l2bridge,
      [{ ...routed, nextHop: '10.244.2.1' }],
      '/remoteSubnets/0/nextHop is "10.244.2.1", expected an IPv4 address outside of 10.244.2.0/24',
    ],
    [
      overlay,
      [{ ...encapsulated, providerAddress: '127.0.0.1' }],
      '/remoteSubnets/0/providerAddress is "127.0.0.1", expected an IP address outside of 10.244.2.0/24',
    ],
  ])('%j %j: %s', (config, remoteSubnets, message) => {
    expect(() => read(config, ...remoteSubnets)).toThrow(
      expect.objectContaining({ code: 7, message: expect.stringContaining(message) }),
    );
  });

  test('do not repeat a subnet of networkPolicies', () => {
    const Settings = {
      DestinationPrefix: '10.244.2.0/24',
      IsolationId: 4096,
      ProviderAddress: '10.0.0.6',
      DistributedRouterMacAddress: '00-15-5D-00-00-01',
    };
    const networkPolicies = [{ Type: 'RemoteSubnetRoute', Settings }];
    expect(() => read({ ...overlay, networkPolicies }, encapsulated)).toThrow(
      '/remoteSubnets/0/subnet is "10.244.2.0/24", expected a subnet that does not overlap 10.244.2.0/24',
    );
  });
});

test('only RemoteSubnetRoute routes a prefix of networkPolicies', () => {
  const policy = (Type: string) => ({ Type, Settings: { DestinationPrefix: '10.244.2.0/24' } });
  const problemsOf = (...types: readonly string[]) => {
    const problems = collectProblems();
    readRemoteSubnets([routed], [], types.map(policy), problems);
    return problems.found();
  };
  expect(problemsOf('Newer')).toEqual([]);
  expect(problemsOf('Newer', 'RemoteSubnetRoute')).toHaveLength(1);
});

test('a remote subnet of neither form lacks the address of the other node', () => {
  const problems = collectProblems();
  expect(readRemoteSubnets([{ subnet: '10.244.2.0/24' }], [], [], problems)).toEqual([
    { subnet: '10.244.2.0/24', providerAddress: '', macAddress: '' },
  ]);
  expect(problems.found()).toEqual([
    {
      kind: 'invalid',
      path: '/remoteSubnets/0/providerAddress',
      found: '',
      expected: 'an IP address outside of 10.244.2.0/24',
    },
  ]);
});
