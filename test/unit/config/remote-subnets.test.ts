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

const noOverlapWith = 'expected a subnet that does not overlap';
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

  test.each([
    [
      { subnet: '224.0.0.0/4' },
      'subnet is "224.0.0.0/4", expected a subnet of pods: this one overlaps the multicast addresses 224.0.0.0/4',
    ],
    [{ subnet: '0.0.0.0/0' }, 'subnet is "0.0.0.0/0", expected a subnet such as 10.244.2.0/24'],
    [{ subnet: '10.244.2.9/25' }, 'subnet is "10.244.2.9/25", expected 10.244.2.0/25, without host bits'],
    [{ subnet: '10.244.0.0/16' }, `subnet is "10.244.0.0/16", ${noOverlapWith} 10.244.1.0/24`],
    [{ subnet: '10.244.3.0/25' }, `subnet is "10.244.3.0/25", ${noOverlapWith} 10.244.3.0/24`],
    [{ nextHop: 'fd00::5' }, 'nextHop is "fd00::5", expected an IPv4 address outside of 10.244.2.0/24'],
    [{ nextHop: '10.244.2.1' }, 'nextHop is "10.244.2.1", expected an IPv4 address outside of 10.244.2.0/24'],
  ])('of an L2Bridge network cannot have %j: %s', (change, problem) => {
    expect(() => read(l2bridge, { ...routed, subnet: '10.244.3.0/24' }, { ...routed, ...change })).toThrow(
      `/remoteSubnets/1/${problem}`,
    );
  });

  test.each<readonly [config: object, remoteSubnets: readonly object[], message: string]>([
    [
      overlay,
      [{ ...encapsulated, providerAddress: '127.0.0.1' }],
      '/remoteSubnets/0/providerAddress is "127.0.0.1", expected an IP address outside of 10.244.2.0/24',
    ],
    [
      {
        ...overlay,
        networkPolicies: [
          { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } },
          {
            Type: 'RemoteSubnetRoute',
            Settings: {
              DestinationPrefix: '10.244.0.0/16',
              IsolationId: 4096,
              ProviderAddress: '10.0.0.9',
              DistributedRouterMacAddress: '00-15-5D-0A-0B-0D',
            },
          },
        ],
      },
      [encapsulated],
      '/remoteSubnets/0/subnet is "10.244.2.0/24", expected a subnet that does not overlap 10.244.0.0/16',
    ],
  ])('%j %j: %s', (config, remoteSubnets, message) => {
    expect(() => read(config, ...remoteSubnets)).toThrow(
      expect.objectContaining({ code: 7, message: expect.stringContaining(message) }),
    );
  });
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
