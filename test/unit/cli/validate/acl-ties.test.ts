import { describe, expect, test } from 'vitest';
import { aclTies, overlap } from '../../../../src/cli/validate/acl-ties.ts';
import { readNetworkConfig } from '../../../../src/config/read-config.ts';

/** In both orders. */
const overlaps = (one: object, other: object) => [
  overlap({ ...one }, { ...other }),
  overlap({ ...other }, { ...one }),
];

const v4 = '10.0.0.0/8';
const v6 = 'fd00::/8';

describe('a packet can match two ACLs', () => {
  test.each<[string, object, object]>([
    ['without conditions', {}, {}],
    ['of one protocol', { Protocols: '6' }, { Protocols: '6' }],
    ['of one protocol of several', { Protocols: '1,6' }, { Protocols: '6,17' }],
    ['one of which matches any protocol', { Protocols: '256' }, { Protocols: '17' }],
    ['one of which lists any protocol among others', { Protocols: '17,256' }, { Protocols: '6' }],
    ['one of which has no protocol', {}, { Protocols: '17' }],
    ['of a prefix and an address in it', { RemoteAddresses: v4 }, { RemoteAddresses: '10.1.2.3' }],
    ['of an address and a prefix around it', { LocalAddresses: '10.1.2.3' }, { LocalAddresses: v4 }],
    [
      'of one prefix of several',
      { RemoteAddresses: '10.1.0.0/16,10.3.0.0/16' },
      { RemoteAddresses: '10.2.0.0/15' },
    ],
    ['of IPv4 and of any address', { RemoteAddresses: v4 }, {}],
    ['of IPv6 prefixes, one in the other', { RemoteAddresses: 'fd00:1::/32' }, { RemoteAddresses: v6 }],
    ['both of IPv6, only one of IPv4', { LocalAddresses: `${v4},${v6}` }, { RemoteAddresses: v6 }],
    ['of one port', { LocalPorts: '80' }, { LocalPorts: '80' }],
    ['of a port and a range that ends with it', { LocalPorts: '8080' }, { LocalPorts: '8000-8080' }],
    ['of ranges that overlap', { RemotePorts: '1-10' }, { RemotePorts: '10-20' }],
    ['of one port of several', { RemotePorts: '80,443' }, { RemotePorts: '22,400-500' }],
    ['of a port and of any port', { RemotePorts: '80' }, {}],
    ['of a port and of a protocol without ports', { LocalPorts: '80' }, { Protocols: '1' }],
    ['of a local port and of a remote port', { LocalPorts: '80' }, { RemotePorts: '443' }],
  ])('%s', (_, one, other) => expect(overlaps(one, other)).toEqual([true, true]));
});

describe('no packet can match two ACLs', () => {
  test.each<[string, object, object]>([
    ['of different protocols', { Protocols: '6' }, { Protocols: '17' }],
    ['of protocols with the same digits', { Protocols: '1' }, { Protocols: '17' }],
    ['of different addresses', { RemoteAddresses: '10.0.0.1' }, { RemoteAddresses: '10.0.0.2' }],
    ['of adjacent prefixes', { LocalAddresses: '10.0.0.0/9' }, { LocalAddresses: '10.128.0.0/9' }],
    ['of different families', { RemoteAddresses: v4 }, { RemoteAddresses: v6 }],
    ['of different families, local and remote', { LocalAddresses: v4 }, { RemoteAddresses: v6 }],
    ['one of which has two families itself', { LocalAddresses: v4, RemoteAddresses: v6 }, {}],
    ['of different ports', { LocalPorts: '80' }, { LocalPorts: '443' }],
    ['of adjacent port ranges', { RemotePorts: '1-9' }, { RemotePorts: '10-20' }],
    [
      'that differ only in one list',
      { Protocols: '6', RemoteAddresses: v4, LocalPorts: '80' },
      { Protocols: '6', RemoteAddresses: v4, LocalPorts: '81' },
    ],
  ])('%s', (_, one, other) => expect(overlaps(one, other)).toEqual([false, false]));
});

/** The JSON pointers of each tie, later ACL first. */
function tiesOf(config: object): readonly (readonly string[])[] {
  const ties = aclTies(
    readNetworkConfig({
      name: 'n',
      networkType: 'L2Bridge',
      subnets: [{ subnet: '10.244.1.0/24' }],
      defaultAction: 'Allow',
      ...config,
    }),
  );
  return ties.map(({ acl, earlier }) => [acl.path, earlier.path]);
}

const allow = { action: 'Allow', direction: 'In' };
const block = { action: 'Block', direction: 'In' };
const raw = (more: object) => ({
  Type: 'ACL',
  Settings: { Action: 'Block', Direction: 'In', Priority: 1000, ...more },
});

describe('ACLs tie', () => {
  test.each<[string, object, readonly (readonly string[])[]]>([
    ['with the default priority', { acls: [allow, block] }, [['/acls/1', '/acls/0']]],
    [
      'with the same priority',
      { acls: [{ ...block, priority: 7 }, allow, { ...allow, priority: 7 }] },
      [['/acls/2', '/acls/0']],
    ],
    ['each with the first that it ties with', { acls: [allow, allow, block] }, [['/acls/2', '/acls/0']]],
    ['with any rule type', { acls: [allow, { ...block, ruleType: 'Host' }] }, [['/acls/1', '/acls/0']]],
    [
      "with one in HCN's format",
      { acls: [allow], endpointPolicies: [{ Type: 'OutBoundNAT' }, raw({})] },
      [['/endpointPolicies/1', '/acls/0']],
    ],
    [
      "both in HCN's format, without a priority",
      {
        endpointPolicies: [raw({ Priority: undefined }), raw({ Priority: undefined, Action: 'Allow' })].map(
          (policy) => JSON.parse(JSON.stringify(policy)),
        ),
      },
      [['/endpointPolicies/1', '/endpointPolicies/0']],
    ],
    [
      'with the rule for mapped ports',
      { acls: [{ ...block, protocols: ['udp'] }], portMapping: { allowAcl: true } },
      [['/portMapping/allowAcl', '/acls/0']],
    ],
  ])('%s', (_, config, expected) => expect(tiesOf(config)).toEqual(expected));
});

describe('ACLs do not tie', () => {
  test.each<[string, object]>([
    ['if there are none', {}],
    ['with the same action', { acls: [allow, allow] }],
    ['with different priorities', { acls: [{ ...allow, priority: 999 }, block] }],
    ['with different directions', { acls: [allow, { ...block, direction: 'Out' }] }],
    [
      'for different traffic',
      {
        acls: [
          { ...allow, protocols: ['tcp'] },
          { ...block, protocols: ['udp'] },
        ],
      },
    ],
    [
      "if one, in HCN's format, has no priority",
      { acls: [allow], endpointPolicies: [JSON.parse(JSON.stringify(raw({ Priority: undefined })))] },
    ],
    ['with the rules of defaultAction', { acls: [{ ...block, priority: 65499 }] }],
    [
      'with the rule for mapped ports, for a protocol without ports',
      { acls: [{ ...block, protocols: ['icmp'] }], portMapping: { allowAcl: true } },
    ],
    ['with the rule for mapped ports if it is disabled', { acls: [block] }],
  ])('%s', (_, config) => expect(tiesOf(config)).toEqual([]));
});
