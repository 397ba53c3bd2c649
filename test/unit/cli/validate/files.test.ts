import { describe, expect, test } from 'vitest';
import { validateFile } from '../../../../src/cli/validate/validate-file.ts';

/** What validate finds in a file, then its plugins, each on a line. */
function validated(text: string, name = 'n.conf', executable = 'win-hcn.exe'): readonly string[] {
  const { plugins, ...found } = validateFile(new TextEncoder().encode(text), name, executable);
  const lines = (['problems', 'warnings', 'notes'] as const).flatMap((kind) =>
    found[kind].map(({ line, column, text: what }) => `${kind.slice(0, -1)} ${line}:${column} ${what}`),
  );
  return [
    ...lines,
    ...plugins.map(({ path, type, ours, dialect, networkType }) =>
      [path, type, ours ? 'ours' : 'not ours', dialect, networkType].filter(Boolean).join(' '),
    ),
  ];
}

const ours = 'win-hcn ours ICS';
const plugin = '{"type":"win-hcn","networkType":"ICS"}';
const missingType =
  'problem 1:1 /networkType is missing, expected "L2Bridge", "L2Tunnel", "Overlay", "Transparent", "NAT", "ICS", "Internal" or "Private"';
const notList = '/plugins is empty or not a list, expected at least one plugin';
const template =
  "is not a configuration yet: flannel adds the node's subnet for each pod. Validate a file that flannel wrote, by default in C:\\var\\lib\\cni\\flannel";
const onlyConflist = 'runtimes read a plugin list only from *.conflist: rename the file';

describe('validate reads a file as libcni does:', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['no JSON', '{', 'n.conf', ['problem 1:1 unexpected "{"']],
    ['no object', '5', 'n.conflist', ['problem 1:1 the file is not a JSON object']],
    ['no object', 'null', 'n.conf', ['problem 1:1 the file is not a JSON object']],
    [
      'a list without a name',
      `{"plugins":[${plugin}]}`,
      'n.conflist',
      ['problem 1:1 /name is missing, expected the name of the network', `/plugins/0 ${ours}`],
    ],
    [
      'a list with an empty name',
      `{"name":"","plugins":[${plugin}]}`,
      'N.CONFLIST',
      ['problem 1:9 /name is missing, expected the name of the network', `/plugins/0 ${ours}`],
    ],
    [
      'a list whose name is a number',
      `{"name":5,"plugins":[${plugin}]}`,
      'n.conflist',
      ['problem 1:9 /name is missing, expected the name of the network', `/plugins/0 ${ours}`],
    ],
    [
      'an object as plugins, and no name',
      '{"plugins":{}}',
      'n.conflist',
      [
        'problem 1:1 /name is missing, expected the name of the network',
        missingType,
        `problem 1:12 ${notList}`,
        'ours',
      ],
    ],
    [
      'null as plugins',
      '{"name":"n","plugins":null}',
      'n.conflist',
      [missingType, `problem 1:23 ${notList}`, 'ours'],
    ],
    [
      'plugins that are none',
      '{"name":"n","plugins":[null,{"type":""},{"type":5},{"type":"bridge"}]}',
      'n.conflist',
      [
        'problem 1:23 no plugin in the list is win-hcn or one that it replaces',
        'problem 1:24 /plugins/0 is not an object',
        "problem 1:37 /plugins/1/type is missing, expected the name of the plugin's executable",
        "problem 1:49 /plugins/2/type is missing, expected the name of the plugin's executable",
        '/plugins/1 not ours',
        '/plugins/2 not ours',
        '/plugins/3 bridge not ours',
      ],
    ],
    ['a list', `{"name":"n","plugins":[${plugin}]}`, 'n.conflist', [`/plugins/0 ${ours}`]],
    ['a list from stdin', `{"name":"n","plugins":[${plugin}]}`, '-', [`/plugins/0 ${ours}`]],
    ...['n.conflist.bak', 'nconflist', 'n.conf', '--'].map(
      (name): [string, string, string, readonly string[]] => [
        'a list in a file of another name',
        `{"name":"n","plugins":[${plugin}]}`,
        name,
        [`problem 1:1 ${onlyConflist}`, `/plugins/0 ${ours}`],
      ],
    ),
    ['one plugin from stdin', '{"name":"n","type":"win-hcn","networkType":"ICS"}', '-', [ours]],
    [
      'one plugin in a conflist',
      '{"name":"n","type":"win-hcn","networkType":"ICS"}',
      'n.ConfList',
      [
        'problem 1:1 a .conflist must be a plugin list: move this object into "plugins": [...] next to "cniVersion" and "name", or rename the file to *.conf',
        ours,
      ],
    ],
    [
      'one plugin whose type is a number',
      '{"name":"n","type":5,"networkType":"ICS"}',
      'n.conf',
      ["problem 1:20 /type is missing, expected the name of the plugin's executable", 'ours'],
    ],
  ])('%s: %s in %s', (_, text, name, lines) => {
    expect(validated(text, name)).toEqual(lines);
  });
});

describe('a configuration of flannel', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'is not checked if flannel completes it',
      '{"name":"n","type":"flannel","delegate":{"type":"sdnbridge"}}',
      [`problem 1:41 /delegate ${template}`, 'flannel not ours'],
    ],
    [
      'is not checked beside plugins of others',
      '{"name":"n","plugins":[{"type":"portmap"},{"type":"C:\\\\x\\\\Flannel.exe","delegate":{}}]}',
      [
        `problem 1:83 /plugins/1/delegate ${template}`,
        '/plugins/0 portmap not ours',
        '/plugins/1 C:\\x\\Flannel.exe not ours',
      ],
    ],
    [
      'is the first problem of several',
      '{"name":"n","plugins":[{"type":"flannel","delegate":{}},{"type":"flannel","delegate":{}}]}',
      [
        `problem 1:53 /plugins/0/delegate ${template}`,
        '/plugins/0 flannel not ours',
        '/plugins/1 flannel not ours',
      ],
    ],
    [
      'is no problem beside one of win-hcn',
      `{"name":"n","plugins":[{"type":"flannel","delegate":{}},${plugin}]}`,
      ['/plugins/0 flannel not ours', `/plugins/1 ${ours}`],
    ],
    [
      'is checked without an object to complete',
      '{"name":"n","type":"flannel","delegate":5}',
      [missingType, 'problem 1:30 /delegate is an unknown key (value: 5)', 'flannel ours'],
    ],
    [
      'is one of another plugin with the same key',
      '{"name":"n","type":"sdnbridge","delegate":{}}',
      ['note 1:32 /delegate is not supported and is ignored', 'sdnbridge ours sdnbridge L2Bridge'],
    ],
  ])('%s', (_, text, lines) => {
    expect(validated(text, text.includes('"plugins"') ? 'n.conflist' : 'n.conf')).toEqual(lines);
  });
});

test('a plugin under the name of the executable is one of win-hcn', () => {
  const text = '{"name":"n","plugins":[{"type":"other","networkType":"ICS"}]}';
  expect(validated(text, 'n.conflist', 'C:\\bin\\Other.exe')).toEqual(['/plugins/0 other ours ICS']);
});

test('each diagnostic has a position, a JSON pointer and a text, and each plugin its type and dialect', () => {
  const text =
    '{"name":"n","plugins":[{"type":"nat","foo":1,"ipam":{"subnet":"172.28.0.1/16"}},{"type":"portmap"},{"type":"win-hcn"},{}]}';
  expect(validateFile(new TextEncoder().encode(text), 'n.conflist', 'win-hcn.exe')).toEqual({
    problems: [
      {
        line: 1,
        column: 100,
        path: '/plugins/2/networkType',
        text: '/plugins/2/networkType is missing, expected "L2Bridge", "L2Tunnel", "Overlay", "Transparent", "NAT", "ICS", "Internal" or "Private"',
      },
      {
        line: 1,
        column: 119,
        path: '/plugins/3/type',
        text: "/plugins/3/type is missing, expected the name of the plugin's executable",
      },
    ],
    warnings: [
      {
        line: 1,
        column: 25,
        path: '/plugins/0/type',
        text: '/plugins/0 has no capability "portMappings", so the runtime maps no ports, as with nerdctl run -p',
      },
      {
        line: 1,
        column: 63,
        path: '/plugins/0/ipam/subnet',
        text: '/plugins/0/ipam/subnet is "172.28.0.1/16", which is not a network address: if the network does not exist, win-hcn creates it with 172.28.0.0/16',
      },
    ],
    notes: [
      {
        line: 1,
        column: 38,
        path: '/plugins/0/foo',
        text: '/plugins/0/foo is not supported and is ignored',
      },
    ],
    plugins: [
      { path: '/plugins/0', type: 'nat', ours: true, dialect: 'nat', networkType: 'NAT' },
      { path: '/plugins/1', type: 'portmap', ours: false },
      { path: '/plugins/2', type: 'win-hcn', ours: true },
      { path: '/plugins/3', type: '', ours: false },
    ],
  });
});

const subnet = '10.244.1.0/24';
const subnets = [{ subnet }];
const allow = { action: 'Allow', direction: 'In' };

/** What validate finds in an L2Bridge configuration with these members, each on a line, from line 2. */
function found(members: object): readonly string[] {
  const all = { name: 'n', type: 'win-hcn', networkType: 'L2Bridge', subnets, ...members };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return validated(`{ "cniVersion": "1.0.0",\n${lines.join(',\n')} }`).slice(0, -1);
}

const noDefault =
  'problem 1:1 /defaultAction is missing, expected "Allow" or "Block" for traffic that no ACL rule matches; HNS would block it';
const outside = '/hostEndpoint/address is "10.9.0.9", expected an IPv4 address in one of the subnets';
const elsewhere = { hostEndpoint: { address: '10.9.0.9' } };
const tenSubnets = Array.from({ length: 10 }, (_, index) => ({ subnet: `10.244.${index}.0/24` }));

describe('validate finds all problems, although an earlier one', () => {
  test.each<[string, object, readonly string[]]>([
    [
      'is an item of a list, in lists of its neighbors',
      { defaultAction: 'Allow', acls: [5, { ...allow, remoteAddresses: [5, 'any'] }] },
      [
        'problem 7:10 /acls/0 is 5, expected an object',
        'problem 7:66 /acls/1/remoteAddresses/0 is 5, expected an IP address or a prefix such as 10.96.0.0/12',
        'problem 7:68 /acls/1/remoteAddresses/1 is "any", expected an IP address or a prefix such as 10.96.0.0/12',
      ],
    ],
    [
      'is a required key of the wrong type, behind an item that is none',
      { subnets: [5, { subnet: 7 }, { subnet: '10.0.0.9/24' }] },
      [
        'problem 5:13 /subnets/0 is 5, expected an object',
        'problem 5:25 /subnets/1/subnet is 7, expected a subnet such as 10.244.1.0/24',
        'problem 5:38 /subnets/2/subnet is "10.0.0.9/24", expected 10.0.0.0/24, without host bits',
      ],
    ],
    [
      'is a key that is unknown or missing',
      { acls: [{ ...allow, 'a/b': 1, localPorts: ['9-8'] }, { direction: 'In' }, { action: 'Allow' }] },
      [
        noDefault,
        'problem 6:45 /acls/0/a~1b is an unknown key (value: 1)',
        'problem 6:67 /acls/0/localPorts/0 is "9-8", expected ports from 1 to 65535, lower port first',
        'problem 6:75 /acls/1/action is missing, expected "Allow" or "Block"',
        'problem 6:94 /acls/2/direction is missing, expected "In" or "Out"',
      ],
    ],
    [
      'is in the same object, not in the subnets',
      { hostEndpoint: { address: '10.9.0.9', subnets: 5 } },
      [`problem 6:28 ${outside}`, 'problem 6:39 /hostEndpoint/subnets is an unknown key (value: 5)'],
    ],
    [
      'is a member of a subnet, not its prefix',
      { ...elsewhere, subnets: [{ subnet, vsid: 'x' }] },
      [
        'problem 5:46 /subnets/0/vsid is "x", expected none: network type L2Bridge does not support it',
        `problem 6:28 ${outside}`,
      ],
    ],
    [
      'is in the previous result',
      { mtu: 1, prevResult: { cniVersion: '1.0.0', interfaces: 5 } },
      ['problem 6:8 /mtu is 1, expected an integer from 576 to 65535'],
    ],
    [
      'is the version or the name',
      { name: undefined, mtu: 1, cniVersion: 5 },
      [
        'problem 1:1 missing network name: /name is required',
        'problem 5:8 /mtu is 1, expected an integer from 576 to 65535',
        'problem 6:1 /cniVersion is duplicated: the last value is used',
        'problem 6:15 cniVersion is 5, expected a string',
      ],
    ],
  ])('%s', (_, members, lines) => {
    expect(found(members)).toEqual(lines);
  });
});

test.each<[object, string]>([
  [{ subnets: 5 }, 'problem 5:12 /subnets is 5, expected a list with at least one item'],
  [{ subnets: [...tenSubnets, 5] }, 'problem 5:283 /subnets/10 is 5, expected an object'],
  [{ subnets: [5, { subnet }] }, 'problem 5:13 /subnets/0 is 5, expected an object'],
])(
  'the address of the host endpoint is not compared with the other subnets if one is unreadable',
  (members, line) => {
    expect(found({ ...members, ...elsewhere })).toEqual([line]);
  },
);

test('ACLs with problems do not tie with others', () => {
  const block = { ...allow, action: 'Block' };
  const quoted = ': remove the quotes';
  const acls = [
    { ...allow, priority: '9' },
    block,
    ...Array.from({ length: 7 }, () => ({ ...block, direction: 'Out' })),
    { ...allow, direction: 'Out' },
    { ...allow, priority: '8' },
  ];
  expect(found({ defaultAction: 'Allow', acls })).toEqual([
    `problem 7:56 /acls/0/priority is "9", expected an integer from 1 to 65499${quoted}`,
    `problem 7:439 /acls/10/priority is "8", expected an integer from 1 to 65499${quoted}`,
    'warning 7:356 /acls/9 (Allow) ties with /acls/2 (Block): direction Out, priority 1000, overlapping traffic; HNS chooses which one applies: give them different priorities',
  ]);
  expect(found({ defaultAction: 'Allow', acls: [block, allow, ...acls.slice(2)] })).toEqual([
    `problem 7:424 /acls/10/priority is "8", expected an integer from 1 to 65499${quoted}`,
    'warning 7:46 /acls/1 (Allow) ties with /acls/0 (Block): direction In, priority 1000, overlapping traffic; HNS chooses which one applies: give them different priorities',
    'warning 7:341 /acls/9 (Allow) ties with /acls/2 (Block): direction Out, priority 1000, overlapping traffic; HNS chooses which one applies: give them different priorities',
  ]);
});

test('a problem of the previous result is at that member', () => {
  expect(found({ prevResult: { cniVersion: '1.0.0', interfaces: 5 } })).toEqual([
    'problem 6:15 prevResult.interfaces is 5, expected a list',
  ]);
});

test('warnings of several checks have the order of the file', () => {
  const acls = [
    { ...allow, localAddresses: ['10.0.0.1', 'fd00::1'], protocols: [1], localPorts: [80] },
    { ...allow, action: 'Block' },
  ];
  const meant = 'is not a known capability, so the runtime passes no values; did you mean "dns"?';
  expect(found({ defaultAction: 'Allow', acls, capabilities: { dnss: true, DNS: true } })).toEqual([
    'warning 7:62 /acls/0/localAddresses has IPv4 and IPv6 addresses, which HNS may refuse: use a separate rule for each family',
    'warning 7:114 /acls/0/localPorts is set, but icmp has no ports; HNS may refuse or ignore them: remove the ports',
    'warning 7:120 /acls/1 (Block) ties with /acls/0 (Allow): direction In, priority 1000, overlapping traffic; HNS chooses which one applies: give them different priorities',
    `warning 8:18 /capabilities/dnss ${meant}`,
    `warning 8:30 /capabilities/DNS ${meant}`,
  ]);
});

describe('the rules of a tier', () => {
  const tier = (...TierAclRules: readonly object[]) => ({
    endpointPolicies: [
      { Type: 'TierAcl', Settings: { Name: 'a', Direction: 'In', Order: 1, TierAclRules } },
      { Type: 'TierAcl', Settings: { Name: 'b', Direction: 'In', Order: 2, TierAclRules: [rule('Block')] } },
    ],
  });
  const rule = (TierAclRuleAction: string, more: object = {}) => ({
    TierAclRuleAction,
    Priority: 5,
    ...more,
  });

  test('tie with others of its own, with the same priority', () => {
    expect(found(tier(rule('Allow'), rule('Block', { Priority: 6 }), rule('Block')))).toEqual([
      'warning 6:192 /endpointPolicies/0/Settings/TierAclRules/2 (Block) ties with /endpointPolicies/0/Settings/TierAclRules/0 (Allow): direction In, priority 5, overlapping traffic; HNS chooses which one applies: give them different priorities',
    ]);
  });

  test('do not tie without a priority', () => {
    expect(
      found(tier(rule('Allow', { Priority: undefined }), rule('Block', { Priority: undefined }))),
    ).toEqual([]);
  });
});

test('the rules for mapped ports match every port', () => {
  const acls = [{ ...allow, action: 'Block', protocols: ['udp'], localPorts: ['5000-6000'] }];
  expect(found({ defaultAction: 'Allow', acls, portMapping: { allowAcl: true } })).toEqual([
    'warning 8:28 /portMapping/allowAcl (Allow) ties with /acls/0 (Block): direction In, priority 1000, overlapping traffic; HNS chooses which one applies: give them different priorities',
  ]);
});

describe('ranges of host-local', () => {
  const ranges = (ipam: object, members: object = {}) =>
    found({ ...members, ipam: { type: 'host-local', ...ipam } });
  const larger = { subnet: '10.244.0.0/16' };
  const dualStack = [{ subnet }, { subnet: 'fd00:1::/64' }];

  test.each<[string, object, object, readonly string[]]>([
    [
      'begin in the subnet',
      { ...larger, rangeStart: '10.244.1.250', rangeEnd: '10.244.2.9' },
      {},
      [
        'warning 6:94 /ipam/rangeEnd is "10.244.2.9", but the network has 10.244.1.0/24: ADD fails for other addresses',
      ],
    ],
    [
      'end in the subnet',
      { ...larger, rangeStart: '10.244.0.250', rangeEnd: '10.244.1.9' },
      {},
      [
        'warning 6:68 /ipam/rangeStart is "10.244.0.250", but the network has 10.244.1.0/24: ADD fails for other addresses',
      ],
    ],
    [
      'include the subnet',
      { ...larger, rangeStart: '10.244.0.250', rangeEnd: '10.244.2.9' },
      {},
      [
        'warning 6:68 /ipam/rangeStart is "10.244.0.250", but the network has 10.244.1.0/24: ADD fails for other addresses',
      ],
    ],
    [
      'are unreadable, though the runtime passes ranges too',
      { ranges: 5 },
      { capabilities: { ipRanges: true } },
      ['problem 7:39 /ipam/ranges is 5, not a list of range sets: host-local refuses every ADD'],
    ],
    [
      'lack a family with two subnets',
      { subnet },
      { subnets: [...dualStack, { subnet: 'fd00:2::/64' }] },
      ['warning 6:1 /ipam has no IPv6 range, but the network has fd00:1::/64: pods get no IPv6 address'],
    ],
    [
      'lack IPv4, which the runtime does not pass',
      { subnet: 'fd00:1::/64' },
      { subnets: dualStack, capabilities: { ipRanges: false } },
      ['warning 7:1 /ipam has no IPv4 range, but the network has 10.244.1.0/24: pods get no IPv4 address'],
    ],
    [
      'are unreadable for a family',
      { ranges: [[{ subnet }], [{ subnet: 'x' }]] },
      { subnets: dualStack },
      [
        'problem 6:80 /ipam/ranges/1/0/subnet is "x", not a subnet such as "10.244.1.0/24": host-local refuses every ADD',
      ],
    ],
    ['are those of another plugin', { type: 'custom' }, { subnets: dualStack }, []],
    [
      'are in none of two subnets of their family',
      { type: 'HOST-LOCAL.exe', subnet: '10.9.0.0/24' },
      { subnets: [{ subnet }, { subnet: '10.244.2.0/24' }, { subnet: 'fd00:1::/64' }] },
      [
        'problem 6:43 /ipam/subnet is "10.9.0.0/24", but the network has 10.244.1.0/24, 10.244.2.0/24: ADD fails',
        'warning 6:1 /ipam has no IPv6 range, but the network has fd00:1::/64: pods get no IPv6 address',
      ],
    ],
    [
      'cannot be compared with unreadable subnets',
      { subnet: '10.9.0.0/24' },
      { subnets: 5 },
      ['problem 5:12 /subnets is 5, expected a list with at least one item'],
    ],
    [
      'are outside of the subnet, but not all of their set',
      { ranges: [[{ subnet: '10.9.0.0/24' }, { subnet }]] },
      {},
      [
        'warning 6:51 /ipam/ranges/0/0/subnet is "10.9.0.0/24", but the network has 10.244.1.0/24: ADD fails for other addresses',
      ],
    ],
  ])('%s', (_, ipam, members, lines) => {
    expect(ranges(ipam, members)).toEqual(lines);
  });
});

describe('pod subnets of other nodes that outbound NAT translates', () => {
  const remoteSubnets = [2, 3, 4].map((node) => ({ subnet: `10.244.${node}.0/24`, nextHop: '10.0.0.5' }));
  const policies = [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.3.0/24'] } }];
  const route = {
    Type: 'RemoteSubnetRoute',
    Settings: {
      DestinationPrefix: '10.244.7.9/24',
      IsolationId: 4096,
      DistributedRouterMacAddress: '00-11-22-33-44-55',
      ProviderAddress: '10.0.0.9',
    },
  };
  const overlay = {
    networkType: 'Overlay',
    subnets: [{ subnet, vsid: 4096 }],
    networkPolicies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } }, route],
  };
  const seen = 'pods there see the address of this node';

  test.each<[string, object, readonly string[]]>([
    ['are none without outbound NAT', { remoteSubnets }, []],
    [
      'are those that no policy excepts',
      { remoteSubnets, endpointPolicies: policies },
      [
        `warning 7:21 /endpointPolicies has no OutBoundNAT exception for 10.244.2.0/24, 10.244.4.0/24: ${seen}`,
      ],
    ],
    [
      'are unknown if a policy is unreadable',
      { remoteSubnets, endpointPolicies: [5, ...policies] },
      ['problem 7:22 /endpointPolicies/0 is 5, expected an object'],
    ],
    ['are none with outboundNat, which excepts them', { remoteSubnets, outboundNat: {} }, []],
    [
      'are those of remote subnet routes too',
      { ...overlay, outboundNat: { exceptions: ['10.96.0.0/12'] } },
      [`warning 7:16 /outboundNat has no OutBoundNAT exception for 10.244.7.0/24: ${seen}`],
    ],
  ])('%s', (_, members, lines) => {
    expect(found(members)).toEqual(lines);
  });
});
