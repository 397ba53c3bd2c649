import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { annotateCommand, flannelNodeOf, nodeManifest } from '../../../../src/cli/node/flannel-node.ts';
import { nodeSideOf, reachesOtherNodes } from '../../../../src/cli/node/node-side.ts';
import type { ObservedNetwork, Policy } from '../../../../src/hcn/documents.ts';
import { notOnWindows } from '../../../not-on-windows.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';
import { argumentsIn, syntaxProblems } from '../../powershell/parse.ts';

const vsid = { Type: 'VSID', Settings: { IsolationId: 4096 } };
const network = (Type: string, Policies: readonly Policy[] = []): ObservedNetwork => ({
  ID: 'aaaaaaaa-0000-4000-8000-000000000000',
  Name: 'cbr0',
  Type,
  Policies,
  Ipams: [
    {
      Subnets: ['10.244.1.0/24', 'FD00:10:244:1::/64'].map((IpAddressPrefix) => ({
        IpAddressPrefix,
        Policies: Type === 'Overlay' ? [vsid] : [],
      })),
    },
  ],
  SchemaVersion: { Major: 2, Minor: 0 },
});
const drMac = { Type: 'DrMacAddress', Settings: { Address: 'ba:c1:6f:91:17:c7' } };
const provider = (ProviderAddress: string) => ({ Type: 'ProviderAddress', Settings: { ProviderAddress } });
const [adapter] = hostAdapters;
const uplink = (managementAddress: string | undefined, ...addresses: readonly string[]) => ({
  managementAddress,
  adapters:
    adapter === undefined
      ? []
      : [{ ...adapter, addresses: addresses.map((address) => ({ address, length: 24 })) }],
});
const none = uplink(undefined);

const overlaySide = nodeSideOf(network('Overlay', [drMac, provider('10.0.0.4')]), none);
const bridgeSide = nodeSideOf(network('L2Bridge'), uplink('10.0.0.4', 'fe80::1', '10.0.0.4', 'fd00::4'));

describe("this node's side of a dual-stack network", () => {
  test('on Overlay has one provider address and MAC address for both families', () => {
    const tunnel = { providerAddress: '10.0.0.4', macAddress: 'BA-C1-6F-91-17-C7', vsid: 4096 };
    expect(overlaySide).toEqual({
      network: 'cbr0',
      type: 'Overlay',
      remoteSubnets: [
        { subnet: '10.244.1.0/24', ...tunnel },
        { subnet: 'fd00:10:244:1::/64', ...tunnel },
      ],
      missing: [],
    });
  });

  test('on L2Bridge has a next hop of each family, from the interface with the management address', () => {
    expect(bridgeSide).toEqual({
      network: 'cbr0',
      type: 'L2Bridge',
      remoteSubnets: [
        { subnet: '10.244.1.0/24', nextHop: '10.0.0.4' },
        { subnet: 'fd00:10:244:1::/64', nextHop: 'fd00::4' },
      ],
      missing: [],
    });
  });

  const later = 'HNS sets it seconds after the creation of the network';
  test.each([
    [
      'no DrMacAddress',
      network('Overlay', [provider('10.0.0.4')]),
      none,
      [`has no DrMacAddress yet: ${later}`],
    ],
    [
      'an address that other nodes cannot reach',
      network('Overlay', [drMac, provider('169.254.3.4')]),
      none,
      [`has no provider address yet: ${later}`],
    ],
    [
      'a provider address that is none',
      network('Overlay', [drMac, provider("10.0.0.4'; id; echo '")]),
      none,
      [`has no provider address yet: ${later}`],
    ],
    [
      'a management address that is none',
      network('L2Bridge'),
      uplink("10.0.0.4'; id; echo '"),
      [`has no management address yet: ${later}`],
    ],
    ['no management address', network('L2Bridge'), none, [`has no management address yet: ${later}`]],
  ])('lacks something with %s', (_, given, uplinkGiven, missing) => {
    expect(nodeSideOf(given, uplinkGiven)).toMatchObject({ remoteSubnets: [], missing });
  });

  test.each([undefined, 0, 'none'])('lacks a VSID if a subnet has %j', (IsolationId) => {
    const Policies = IsolationId === undefined ? [] : [{ Type: 'VSID', Settings: { IsolationId } }];
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Policies }] }];
    const given = { ...network('Overlay', [drMac, provider('10.0.0.4')]), Ipams };
    expect(nodeSideOf(given, none)).toMatchObject({
      remoteSubnets: [],
      missing: ['has no VSID for subnet 10.244.1.0/24'],
    });
  });

  test('does not lack a VSID if it is 1, the smallest', () => {
    const Policies = [{ Type: 'VSID', Settings: { IsolationId: 1 } }];
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Policies }] }];
    const given = { ...network('Overlay', [provider('10.0.0.4')]), Ipams };
    expect(nodeSideOf(given, none).missing).toEqual([`has no DrMacAddress yet: ${later}`]);
  });

  test('has the smallest VSID', () => {
    const Policies = [{ Type: 'VSID', Settings: { IsolationId: 1 } }];
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Policies }] }];
    const given = { ...network('Overlay', [drMac, provider('10.0.0.4')]), Ipams };
    expect(nodeSideOf(given, none)).toMatchObject({ remoteSubnets: [{ vsid: 1 }], missing: [] });
  });

  test('lacks a subnet if the network has none', () => {
    expect(nodeSideOf({ ...network('L2Bridge'), Ipams: [] }, none)).toMatchObject({
      remoteSubnets: [],
      missing: ['has no subnet'],
    });
  });

  test('on L2Bridge has the management address, and no link-local address', () => {
    const given = uplink('10.0.0.4', '10.0.0.3', '10.0.0.4', 'febf::1', 'fd00::fe80', 'fd00::5');
    expect(nodeSideOf(network('L2Bridge'), given).remoteSubnets).toEqual([
      { subnet: '10.244.1.0/24', nextHop: '10.0.0.4' },
      { subnet: 'fd00:10:244:1::/64', nextHop: 'fd00::fe80' },
    ]);
  });

  test('on L2Bridge has a management address that no interface has', () => {
    expect(nodeSideOf(network('L2Bridge'), uplink('10.0.0.4'))).toMatchObject({
      remoteSubnets: [{ subnet: '10.244.1.0/24', nextHop: '10.0.0.4' }],
      missing: ['has no IPv6 address of the node for subnet fd00:10:244:1::/64'],
    });
  });

  test('lacks a subnet that HNS returns in no form of a subnet', () => {
    const Ipams = [{ Subnets: [{ IpAddressPrefix: "10.244.1.0/24'", Policies: [vsid] }] }];
    const given = { ...network('Overlay', [drMac, provider('10.0.0.4')]), Ipams };
    expect(nodeSideOf(given, none)).toMatchObject({
      remoteSubnets: [],
      missing: ["has the invalid subnet 10.244.1.0/24'"],
    });
  });

  test('lacks the family that the node has no address of', () => {
    expect(nodeSideOf(network('L2Bridge'), uplink('10.0.0.4', '10.0.0.4', 'fe80::1'))).toMatchObject({
      remoteSubnets: [{ subnet: '10.244.1.0/24', nextHop: '10.0.0.4' }],
      missing: ['has no IPv6 address of the node for subnet fd00:10:244:1::/64'],
    });
  });
});

test.each([
  ['Overlay', true],
  ['overlay', true],
  ['L2Bridge', true],
  ['l2bridge', true],
  ['L2Tunnel', false],
  ['NAT', false],
])('other nodes reach the pods of a network of type %s: %j', (Type, expected) => {
  expect(reachesOtherNodes(network(Type))).toBe(expected);
});

describe("flannel's annotations", () => {
  const prefix = 'flannel.alpha.coreos.com';
  const tunnel = {
    [`${prefix}/kube-subnet-manager`]: 'true',
    [`${prefix}/backend-type`]: 'vxlan',
    [`${prefix}/backend-data`]: '{"VNI":4096,"VtepMAC":"ba:c1:6f:91:17:c7"}',
    [`${prefix}/public-ip`]: '10.0.0.4',
  };

  test('have the tunnel of the family of the provider address', () => {
    expect(flannelNodeOf(overlaySide)).toEqual({
      annotations: tunnel,
      omitted: ['fd00:10:244:1::/64: flannel requires a public address of its family'],
    });
  });

  test('have the node addresses of both families for host-gw', () => {
    expect(flannelNodeOf(bridgeSide)).toEqual({
      annotations: {
        [`${prefix}/kube-subnet-manager`]: 'true',
        [`${prefix}/backend-type`]: 'host-gw',
        [`${prefix}/backend-data`]: 'null',
        [`${prefix}/public-ip`]: '10.0.0.4',
        [`${prefix}/backend-v6-data`]: 'null',
        [`${prefix}/public-ipv6`]: 'fd00::4',
      },
      omitted: [],
    });
  });

  describe('are the arguments of kubectl', () => {
    const command = annotateCommand('win1', { ...tunnel, note: 'two words; $HOME `x` "y" \\' });
    const expected = [
      'annotate',
      'node',
      'win1',
      '--overwrite',
      ...Object.entries(tunnel).map((pair) => pair.join('=')),
      'note=two words; $HOME `x` "y" \\',
    ];

    notOnWindows('Windows has no sh')('in sh', () => {
      const script = `kubectl() { printf '%s\\n' "$@"; }\n${command}`;
      expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual(
        expected,
      );
    });

    test('in PowerShell', () => {
      expect(syntaxProblems(command)).toEqual([]);
      expect(argumentsIn(command)).toEqual(expected);
    });
  });

  test('have the first subnet of each family', () => {
    const { remoteSubnets, ...side } = bridgeSide;
    const more = [
      ...remoteSubnets,
      { subnet: '10.244.3.0/24', nextHop: '10.0.0.9' },
      { subnet: '10.244.4.0/24', providerAddress: '10.0.0.9', macAddress: '00-15-5D-00-00-09', vsid: 4096 },
    ];
    expect(flannelNodeOf({ ...side, remoteSubnets: more })).toEqual({
      annotations: {
        ...flannelNodeOf(bridgeSide).annotations,
        [`${prefix}/backend-type`]: 'vxlan',
      },
      omitted: [],
    });
  });

  test('are quoted if a shell would read them otherwise', () => {
    expect(annotateCommand('win1', { a: '', b: '1', c: 'x y', d: '{"VNI":1}' })).toBe(
      "kubectl annotate node win1 --overwrite a= b=1 'c=x y' 'd={\"VNI\":1}'",
    );
    expect(annotateCommand('', {})).toBe("kubectl annotate node '' --overwrite");
  });

  test('are those of a manifest', () => {
    expect(nodeManifest('win1', { a: '1' })).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'win1', annotations: { a: '1' } },
    });
  });
});
