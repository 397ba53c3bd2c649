import { describe, expect, test } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import {
  createEndpoint,
  createNetwork,
  l2bridge,
  modify,
  nat,
  overlay,
  query,
  startForTest,
} from './test-client.ts';

const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const done = '0x00000000';
const unknownType = '0x803B000E';
const invalid = '0x803B000D';
const unknownMember = '0x803B001B';

const set = (PolicyType: string) => ({
  Type: 'SetPolicy',
  Settings: { Id: 'azure-npm-1', Name: 'a', PolicyType, Values: '10.0.0.1' },
});
const proxy = (members: object) => ({
  Type: 'L4WFPPROXY',
  Settings: { OutboundProxyPort: '15001', ...members },
});

describe.each([
  ['ws2019', 0],
  ['ws2022', 1],
  ['ws2025', 2],
  ['hns15.5', 3],
] as const)('%s', (profile, column) => {
  test.for([
    ['RemoteSubnetRoute', '9.2', remoteSubnet(), [done, done, done, done], 'S hcnglobals.go'],
    ['L4Proxy', '9.5', l4Proxy(), [done, done, done, done], 'S hcnglobals.go'],
    ['VxlanPort', '10.3', vxlan(), [unknownType, done, done, done], 'S hcnglobals.go'],
    ['HostRoute', '9.2', { Type: 'HostRoute' }, [done, done, done, done], 'S hcnglobals.go'],
    ['SetPolicy', '13.0', set('IPSET'), [unknownType, done, done, done], 'S hcnglobals.go'],
    ['NESTEDIPSET', '15.0', set('NESTEDIPSET'), [unknownType, invalid, done, done], 'S hcnglobals.go'],
    ['NetworkACL', '15.0', acl('NetworkACL'), [unknownType, unknownType, done, done], 'S hcnglobals.go'],
  ] as const)('network policy $0 is known from $1 [$4]', async ([, , policy, hresults]) => {
    await startForTest({ profile });
    expect((await createNetwork({ ...overlay, Policies: [policy] })).hresult).toBe(hresults[column]);
  });
  test.for([
    [
      'VLAN',
      '11',
      { Type: 'VLAN', Settings: { IsolationId: 5 } },
      [unknownType, done, done, done],
      'D HNS_Schema.md 2.4',
    ],
    ['L4WFPPROXY', '13.2', proxy({}), [unknownType, done, done, done], 'S hcnglobals.go'],
    ['TierAcl', '14.0', tier(), [unknownType, unknownType, done, done], 'S hcnglobals.go'],
    ['IPv6 port mappings', '11', portMapping(), [invalid, done, done, done], 'D HNS_Schema.md 2.8'],
  ] as const)('endpoint policy $0 is known from $1 [$4]', async ([, , policy, hresults]) => {
    await startForTest({ profile });
    await createNetwork(nat, id);
    expect((await createEndpoint(id, { Policies: [policy] })).hresult).toBe(hresults[column]);
  });
  test('InboundExceptions are supported from 14 and ignored in older versions [D HNS_Schema.md 2.14]', async () => {
    await startForTest({ profile });
    await createNetwork(nat, id);
    const InboundExceptions = { PortExceptions: ['80'] };
    const { document } = await createEndpoint(id, { Policies: [proxy({ InboundExceptions })] });
    const known = [proxy({ InboundExceptions })];
    expect(document['Policies']).toEqual([undefined, [proxy({})], known, known][column]);
  });
  test('IpSubnets and subnets with IDs are supported from 11 [D HNS_Schema.md 2.3]', async () => {
    await startForTest({ profile });
    const IpSubnets = [{ IpAddressPrefix: '192.168.7.0/25' }];
    const Ipams = [{ Subnets: [{ IpAddressPrefix: '192.168.7.0/24', IpSubnets }] }];
    const { hresult } = await createNetwork({ Type: 'Private', Ipams });
    expect(hresult).toBe([unknownMember, done, done, done][column]);
  });
  test('dual-stack subnets are supported from 11.10 [S hcnglobals.go IPv6DualStack]', async () => {
    await startForTest({ profile });
    await createNetwork(l2bridge, id);
    const Subnets = [{ IpAddressPrefix: 'fd00::/64' }];
    const request = { ResourceType: 'Subnet', RequestType: 'Add', Settings: { Subnets } };
    expect((await modify(network, id, request)).hresult).toBe(['0x803B0030', done, done, done][column]);
  });
  test('Version combines major and minor in one number [O SDN#269, Windows-Containers#485, k8s#131466]', async () => {
    await startForTest({ profile });
    await createNetwork(nat, id);
    const { document } = await query(network, id, null);
    expect(document['Version']).toBe([38654705669, 55834574851, 64424509444, 64424509445][column]);
  });
});

function remoteSubnet() {
  const Settings = {
    DestinationPrefix: '192.168.2.0/24',
    IsolationId: 5000,
    ProviderAddress: '1.1.1.1',
    DistributedRouterMacAddress: '00-12-34-56-78-9a',
  };
  return { Type: 'RemoteSubnetRoute', Settings };
}

function l4Proxy() {
  return { Type: 'L4Proxy', Settings: { Destination: '10.0.0.1', Port: '8080', Protocol: 6 } };
}

function vxlan() {
  return { Type: 'VxlanPort', Settings: { Port: 4789 } };
}

function acl(Type: string) {
  return { Type, Settings: { Action: 'Allow', Direction: 'In' } };
}

function tier() {
  const TierAclRules = [{ TierAclRuleAction: 'Pass' }];
  return { Type: 'TierAcl', Settings: { Name: 'a', Direction: 'In', Order: 1, TierAclRules } };
}

function portMapping() {
  return { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 80, Flags: 2 } };
}
