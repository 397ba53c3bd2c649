import { describe, expect, test } from 'vitest';
import type { ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { policy } from '../../../cluster/states.ts';
import { failure, success } from '../../../e2e/cli/run-cli.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';
import { cliNode } from '../node-without-hns.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const overlay: ObservedNetwork = {
  ID: 'a7a2c4b0-0000-4000-8000-000000000000',
  Name: 'vxlan0',
  Type: 'Overlay',
  Policies: [
    policy('DrMacAddress', { Address: '00-15-5D-00-00-01' }),
    policy('ProviderAddress', { ProviderAddress: '10.0.0.4' }),
  ],
  Ipams: [
    { Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Policies: [policy('VSID', { IsolationId: 4096 })] }] },
  ],
  SchemaVersion,
};
/** HNS returns the management address in the document of version 1. */
const bridge = {
  ...overlay,
  ID: 'b7a2c4b0-0000-4000-8000-000000000000',
  Name: 'cbr0',
  Type: 'L2Bridge',
  Policies: [],
  ManagementIP: '10.0.0.4',
  Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.2.0/24' }, { IpAddressPrefix: 'fd00:2::/64' }] }],
};
const nat = { ...overlay, ID: 'c7a2c4b0-0000-4000-8000-000000000000', Name: 'nat', Type: 'NAT' };
const adapters = hostAdapters.map((one) =>
  one.index === 12 ? { ...one, addresses: [...one.addresses, { address: 'fd00::4', length: 64 }] } : one,
);
const describeOn = (words: string, networks: readonly ObservedNetwork[], hostName = 'WIN1') =>
  cliNode({ networks, adapters }).run(`network describe${words}`, {
    hostName,
    files: { 'net.conf': JSON.stringify({ name: 'cbr0', type: 'win-hcn' }), 'bad.conf': '{}' },
  });
const tunnel = {
  subnet: '10.244.1.0/24',
  providerAddress: '10.0.0.4',
  macAddress: '00-15-5D-00-00-01',
  vsid: 4096,
};
const nextHops = [
  { subnet: '10.244.2.0/24', nextHop: '10.0.0.4' },
  { subnet: 'fd00:2::/64', nextHop: 'fd00::4' },
];
const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;
const entries = (remoteSubnets: readonly object[]) => json({ version: 1, remoteSubnets });

describe('network describe prints', () => {
  test('how other nodes reach the pods of each network', async () => {
    expect(await describeOn('', [nat, overlay, bridge])).toEqual(
      success(
        'network  type      subnet         next hop  provider address  MAC                VSID',
        'vxlan0   Overlay   10.244.1.0/24            10.0.0.4          00-15-5D-00-00-01  4096',
        'cbr0     L2Bridge  10.244.2.0/24  10.0.0.4',
        'cbr0     L2Bridge  fd00:2::/64    fd00::4',
      ),
    );
  });

  test.each<[string, readonly object[]]>([
    [' -o json', [tunnel, ...nextHops]],
    [' vxlan0 -o json', [tunnel]],
    [' net.conf -o json', nextHops],
    [' b7a2 -o json', nextHops],
  ])('entries of remoteSubnets: %s', async (words, remoteSubnets) => {
    expect(await describeOn(words, [nat, overlay, bridge])).toEqual({
      exitCode: 0,
      stdout: entries(remoteSubnets),
      stderr: '',
    });
  });

  test("the manifest of the node for flannel's other nodes", async () => {
    const prefix = 'flannel.alpha.coreos.com';
    expect(await describeOn(' cbr0 -o manifest --node-name node-7', [overlay, bridge])).toEqual({
      exitCode: 0,
      stdout: json({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: {
          name: 'node-7',
          annotations: {
            [`${prefix}/kube-subnet-manager`]: 'true',
            [`${prefix}/backend-type`]: 'host-gw',
            [`${prefix}/backend-data`]: 'null',
            [`${prefix}/public-ip`]: '10.0.0.4',
            [`${prefix}/backend-v6-data`]: 'null',
            [`${prefix}/public-ipv6`]: 'fd00::4',
          },
        },
      }),
      stderr:
        'win-hcn: spec.podCIDRs of node node-7 must be 10.244.2.0/24, fd00:2::/64: flannel reads them there\n',
    });
  });

  test('what flannel cannot express', async () => {
    const Subnets = ['10.244.1.0/24', 'fd00:1::/64'].map((IpAddressPrefix) => ({
      IpAddressPrefix,
      Policies: [policy('VSID', { IsolationId: 4096 })],
    }));
    const { stderr } = await describeOn(' -o manifest', [{ ...overlay, Ipams: [{ Subnets }] }]);
    expect(stderr).toBe(
      'win-hcn: spec.podCIDRs of node win1 must be 10.244.1.0/24, fd00:1::/64: flannel reads them there\n' +
        'win-hcn: left out: fd00:1::/64: flannel requires a public address of its family\n',
    );
  });
});

describe('network describe fails', () => {
  const later = 'HNS sets it seconds after the creation of the network';
  const incomplete = { ...overlay, Policies: [policy('DrMacAddress', { Address: '00-15-5D-00-00-01' })] };

  test.each<[string, string, readonly ObservedNetwork[], string, ReturnType<typeof failure>]>([
    ['without networks', '', [nat], 'WIN1', failure(1, 'win-hcn: HCN has no Overlay or L2Bridge network')],
    [
      'for a network of another type',
      ' nat',
      [nat],
      'WIN1',
      failure(
        1,
        'win-hcn: network "nat" is of type NAT: only pods on Overlay and L2Bridge networks are reached through remote subnets',
      ),
    ],
    [
      'for a file without a name',
      ' bad.conf',
      [overlay],
      'WIN1',
      failure(1, 'bad.conf:1:1: problem: /name is missing'),
    ],
    [
      'for an unknown network',
      ' pods',
      [overlay],
      'WIN1',
      failure(1, 'win-hcn: HCN has no network "pods". Run win-hcn ls --remote to list all objects.'),
    ],
    [
      'for flannel with several networks',
      ' -o manifest',
      [overlay, bridge],
      'WIN1',
      failure(2, 'win-hcn: flannel supports one network for each node: specify one of vxlan0, cbr0'),
    ],
    [
      'for flannel without the name of a node',
      ' -o manifest vxlan0',
      [overlay],
      'my host',
      failure(
        2,
        'win-hcn: host name "my host" is not the name of a Kubernetes node: specify it with --node-name',
      ),
    ],
    [
      'for flannel without a VSID',
      ' -o manifest',
      [
        {
          ...overlay,
          Ipams: [
            {
              Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Policies: [policy('VSID', { IsolationId: 0 })] }],
            },
          ],
        },
      ],
      'WIN1',
      failure(1, 'win-hcn: network "vxlan0" has no VSID for subnet 10.244.1.0/24'),
    ],
    [
      'for flannel as long as HNS has not set a value',
      ' -o manifest',
      [incomplete],
      'WIN1',
      failure(1, `win-hcn: network "vxlan0" has no provider address yet: ${later}`),
    ],
  ])('%s', async (_, words, networks, hostName, expected) => {
    expect(await describeOn(words, networks, hostName)).toEqual(expected);
  });

  test('if HNS has not set everything, after it printed the rest', async () => {
    expect(await describeOn(' -o json', [incomplete, bridge])).toEqual({
      exitCode: 1,
      stdout: entries(nextHops),
      stderr: `win-hcn: network "vxlan0" has no provider address yet: ${later}\n`,
    });
  });
});

test.each<[string, object, string]>([
  [
    'no VSID',
    { Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }] }] },
    'has no VSID for subnet 10.244.1.0/24',
  ],
  ['no subnet', { Ipams: [] }, 'has no subnet'],
  [
    'a provider address that other nodes cannot reach',
    { Policies: [overlay.Policies?.[0], policy('ProviderAddress', { ProviderAddress: '169.254.3.4' })] },
    `has no provider address yet: HNS sets it seconds after the creation of the network`,
  ],
  [
    'no DrMacAddress',
    { Policies: overlay.Policies?.slice(1) },
    'has no DrMacAddress yet: HNS sets it seconds after the creation of the network',
  ],
])('network describe names what a network with %s lacks', async (_, changes, problem) => {
  expect(await describeOn(' -o json', [{ ...overlay, ...changes }])).toEqual({
    exitCode: 1,
    stdout: entries([]),
    stderr: `win-hcn: network "vxlan0" ${problem}\n`,
  });
});

test('network describe prints no link-local next hop', async () => {
  const linkLocal = hostAdapters.map((one) =>
    one.index === 12 ? { ...one, addresses: [...one.addresses, { address: 'fe80::4', length: 64 }] } : one,
  );
  const node = cliNode({ networks: [bridge], adapters: linkLocal });
  expect(await node.run('network describe -o json')).toEqual({
    exitCode: 1,
    stdout: entries(nextHops.slice(0, 1)),
    stderr: 'win-hcn: network "cbr0" has no IPv6 address of the node for subnet fd00:2::/64\n',
  });
});

test('network describe reads no adapters for an Overlay network', async () => {
  const node = cliNode({ networks: [overlay], ipHelperError: new Error('no IP Helper') });
  expect((await node.run('network describe -o json')).stdout).toBe(entries([tunnel]));
});
