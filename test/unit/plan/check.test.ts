import { describe, expect, test } from 'vitest';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { HostComputeNamespace, ObservedEndpoint } from '../../../src/hcn/documents.ts';
import { endpointId } from '../../../src/model/identity.ts';
import {
  attachmentDifferences,
  matchesSent,
  type ObservedAttachment,
  unreturnedPolicies,
} from '../../../src/plan/check.ts';

const namespaceId = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'overlay' };
const SchemaVersion = { Major: 2, Minor: 0 };

const expected = {
  attachment,
  namespaceId,
  config: readNetworkConfig({
    name: 'overlay',
    networkType: 'Overlay',
    subnets: [{ subnet: '10.245.1.0/24', vsid: 4096 }],
    ipam: { type: 'host-local' },
    macPrefix: '0E-2A',
    dns: { nameservers: ['10.96.0.10'] },
    outboundNat: { exceptions: ['10.0.0.0/8', '172.16.0.0/12'] },
  }),
  prevResult: {
    interfaces: [{ name: 'eth0', sandbox: `{${namespaceId.toUpperCase()}}` }],
    ips: [{ address: '10.245.1.7/24', gateway: '10.245.1.1', interface: 0 }],
    routes: [{ dst: '192.168.0.0/16', gw: '10.245.1.9' }],
    dns: {},
  },
  ownSubnets: [],
  encapOverhead: undefined,
};

const endpoint: ObservedEndpoint = {
  ID: endpointId(attachment),
  Name: 'c0ffee_overlay_eth0',
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  HostComputeNamespace: namespaceId,
  MacAddress: '0e-2a-0a-f5-01-07',
  IpConfigurations: [{ IpAddress: '10.245.1.7', PrefixLength: 24 }],
  Routes: [{ NextHop: '10.245.1.1', DestinationPrefix: '0.0.0.0/0' }],
  Dns: { ServerList: ['10.96.0.10'] },
  Policies: [
    { Type: 'outboundnat', Settings: { Exceptions: ['172.16.0.0/12', '10.0.0.0/8'] } },
    { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
  ],
  SchemaVersion,
};

const namespace: HostComputeNamespace = {
  Resources: [{ Type: 'endpoint', Data: { Id: endpointId(attachment) } }],
  SchemaVersion,
};

const { HostComputeNamespace: _namespace } = endpoint;
const { MacAddress: _mac, ...withoutMac } = endpoint;
const { Dns: _dns, ...withoutDns } = endpoint;
const observed = { endpoint, namespace, isNetworkMissing: false };
const having = (changes: Partial<ObservedEndpoint>) => ({ endpoint: { ...endpoint, ...changes } });

test.each<[string, Partial<ObservedAttachment>, string]>([
  ['without its network', { isNetworkMissing: true }, 'network "overlay" is gone'],
  [
    'without an address',
    having({ IpConfigurations: [] }),
    'the endpoint has no address, expected 10.245.1.7/24',
  ],
  ['without a gateway', having({ Routes: [] }), 'the gateway of 10.245.1.7/24 is none, expected 10.245.1.1'],
  ['without a MAC address', { endpoint: withoutMac }, 'the MAC address is none, expected 0e:2a:0a:f5:01:07'],
  ['without DNS settings', { endpoint: withoutDns }, 'dns is {}, expected {"ServerList":["10.96.0.10"]}'],
  [
    'without an exception of outbound NAT',
    having({
      Policies: [
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } },
        ...(endpoint.Policies ?? []).slice(1),
      ],
    }),
    'policy {"Type":"OutBoundNAT","Settings":{"Exceptions":["10.0.0.0/8","172.16.0.0/12"]}} is missing',
  ],
  [
    'without its provider address',
    having({ Policies: endpoint.Policies?.slice(0, 1) ?? [] }),
    'policy ProviderAddress is missing',
  ],
])('an attachment %s has one difference', (_, change, difference) => {
  expect(attachmentDifferences(expected, { ...observed, ...change })).toEqual([difference]);
});

describe('a member that HNS omits, or returns as null, matches', () => {
  test.each([
    { RuleType: 'Host' },
    { Flag: false },
    { Nothing: undefined },
    { Settings: { Action: 'Allow', List: [''], Deeper: { Count: 0 } } },
  ])('the default %j', (sent) => {
    expect(matchesSent({}, sent)).toBe(true);
    expect(matchesSent({ [Object.keys(sent)[0] ?? '']: null }, sent)).toBe(true);
    expect(matchesSent(undefined, sent)).toBe(true);
  });
});

describe('an ACL', () => {
  const acls = [
    { action: 'Allow', direction: 'In', protocols: ['tcp'], remoteAddresses: ['10.0.0.0/8'], priority: 100 },
    { action: 'Allow', direction: 'In', protocols: ['tcp'], remoteAddresses: ['fd00::/8'], priority: 200 },
  ];
  const config = {
    ...expected.config,
    acls: readNetworkConfig({
      name: 'n',
      networkType: 'L2Bridge',
      subnets: [{ subnet: '10.245.1.0/24' }],
      defaultAction: 'Block',
      acls,
    }).acls,
  };
  const made = (policies: readonly object[]) => {
    const others = endpoint.Policies ?? [];
    const Policies = [...policies.map((Settings) => ({ Type: 'acl', Settings: { ...Settings } })), ...others];
    return { ...endpoint, Policies };
  };
  const differencesWith = (...policies: readonly object[]) =>
    attachmentDifferences({ ...expected, config }, { ...observed, endpoint: made(policies) });
  const unreturnedWith = (...policies: readonly object[]) =>
    unreturnedPolicies({ ...expected, config }, made(policies));
  const first = { Protocols: '6', RemoteAddresses: '10.0.0.0/8', Priority: 100, RuleType: 'Switch' };
  const second = { Protocols: '6', RemoteAddresses: 'FD00::/8', Priority: 200, RuleType: 'SWITCH', Id: 'x' };
  const missing =
    'policy {"Type":"ACL","Settings":{"Protocols":"6","RemoteAddresses":"fd00::/8","Priority":200,"Action":"Allow","Direction":"In","RuleType":"Switch"}}';

  test('that HNS returns with another priority is no difference, because HNS may merge ACLs, and is named', () => {
    const change = { Priority: 201 };
    expect(differencesWith(first, { ...second, ...change })).toEqual([]);
    expect(unreturnedWith(first, { ...second, ...change })).toEqual([
      `HNS does not return ${missing} of endpoint "${endpoint.Name}"`,
    ]);
  });
});
