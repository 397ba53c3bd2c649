import { describe, expect, test } from 'vitest';
import type { PluginFolders } from '../../../../src/cli/validate/plugin-folders.ts';
import { validateFile } from '../../../../src/cli/validate/validate-file.ts';

/** What validate finds in a configuration of one plugin with these members, as `warning: …` in the order of the file. */
function findings(members: object, folders?: PluginFolders, type = 'win-hcn'): readonly string[] {
  const file = { cniVersion: '1.0.0', name: 'n', type, networkType: 'L2Bridge', ...members };
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const { problems, warnings, notes } = validateFile(bytes, 'n.conf', 'win-hcn.exe', folders);
  return [
    ...problems.map(({ text }) => `problem: ${text}`),
    ...warnings.map(({ text }) => `warning: ${text}`),
    ...notes.map(({ text }) => `note: ${text}`),
  ];
}

/** Cases with what validate finds in each. */
function cases<T>(rows: readonly (readonly [what: string, given: T, ...texts: readonly string[]])[]) {
  return rows.map(([what, given, ...texts]) => ({ what, given, texts }));
}

const subnets = [{ subnet: '10.244.1.0/24' }];

describe('the capability', () => {
  const meant = (name: string, value: unknown = true) => {
    const [found = 'no warning', ...others] = findings({ subnets, capabilities: { [name]: value } });
    expect(others).toEqual([]);
    return /did you mean "(.*)"\?$/.exec(found)?.[1] ?? found;
  };

  test.each([
    'portMappings',
    'ipRanges',
    'bandwidth',
    'dns',
    'ips',
    'mac',
    'infinibandGUID',
    'deviceID',
    'aliases',
    'cgroupPath',
    'io.kubernetes.cri.pod-annotations',
    'x-vendor',
    'por',
    'ports2',
    'band!',
  ])('%s is not misspelled, or has no similar one', (name) => expect(meant(name)).toBe('no warning'));

  test.each([
    ['portmappings', 'portMappings'],
    ['portMapping', 'portMappings'],
    ['port', 'portMappings'],
    ['ports', 'portMappings'],
    ['PORTS', 'portMappings'],
    ['iprange', 'ipRanges'],
    ['Bandwidths', 'bandwidth'],
    ['band', 'bandwidth'],
    ['DNS', 'dns'],
    ['IPs', 'ips'],
    ['MAC', 'mac'],
    ['infinibandGuid', 'infinibandGUID'],
    ['deviceId', 'deviceID'],
    ['alias', undefined],
    ['aliasses', 'aliases'],
    ['cgroupPaths', 'cgroupPath'],
    ['io.kubernetes.cri.pod-annotation', 'io.kubernetes.cri.pod-annotations'],
  ])('%s probably means %s', (name, known = 'no warning') => expect(meant(name)).toBe(known));

  test('is not compared if it is not set to true', () => {
    expect(findings({ subnets, capabilities: { dns: false, DNS: false } })).toEqual([]);
  });

  test('with a slash has an escaped path', () => {
    expect(findings({ subnets, capabilities: { 'port/mappings': true } })).toEqual([
      'warning: /capabilities/port~1mappings is not a known capability, so the runtime passes no values; did you mean "portMappings"?',
    ]);
  });
});

describe('the IPAM plugin', () => {
  const ipam = (type: string, folders?: PluginFolders) => findings({ subnets, ipam: { type } }, folders);
  const folder = (path: string, ...plugins: readonly string[]) => ({ path, plugins });

  test.each(['static', 'dhcp', 'whereabouts', 'calico-ipam', 'azure-vnet-ipam', 'azure-cns', 'own'])(
    '%s is known, or has no similar one',
    (type) => expect(ipam(type)).toEqual([]),
  );

  test.each([
    ['hostlocal', 'host-local'],
    ['hstlocal', 'host-local'],
    ['statik', 'static'],
    ['dchp', undefined],
    ['dhcpd', 'dhcp'],
    ['whereabout', 'whereabouts'],
    ['calico-ipan', 'calico-ipam'],
    ['azure-vnet-ipan', 'azure-vnet-ipam'],
    ['azure-cn', 'azure-cns'],
  ])('%s probably means %s', (type, known) => {
    const hint = `warning: /ipam/type is "${type}", which is not a known IPAM plugin; did you mean "${known}"?`;
    expect(ipam(type)).toEqual(known === undefined ? [] : [hint]);
  });

  test.each(
    cases<PluginFolders>([
      ['is installed', { areGiven: true, folders: [folder('C:\\a', 'own')] }],
      ['is in one of two folders', { areGiven: true, folders: [folder('C:\\a'), folder('C:\\b', 'own')] }],
      [
        'is missing in given folders',
        { areGiven: true, folders: [folder('C:\\a', 'x', 'y'), folder('C:\\b')] },
        'warning: /ipam/type is "own", which is not in C:\\a (plugins: x, y) or C:\\b (plugins: none)',
      ],
      [
        'is missing beside the plugin',
        { areGiven: false, folders: [folder('C:\\a', 'win-hcn'), folder('C:\\b', 'z')] },
        'warning: /ipam/type is "own", which is not in C:\\a (plugins: win-hcn)',
      ],
      ['is missing where the plugin is not', { areGiven: false, folders: [folder('C:\\b', 'z')] }],
    ]),
  )('$what', ({ given, texts }) => {
    expect(ipam('own', given)).toEqual(texts);
  });
});

test('a configuration without an IPAM plugin needs none in the folders', () => {
  const folders = { areGiven: true, folders: [{ path: 'C:\\a', plugins: ['win-hcn'] }] };
  expect(findings({ subnets }, folders)).toEqual([]);
});

test('an IPAM plugin that is like an installed one', () => {
  const folders = { areGiven: true, folders: [{ path: 'C:\\a', plugins: ['company-ipam', 'dhcp'] }] };
  expect(findings({ subnets, ipam: { type: 'compani-ipam' } }, folders)).toEqual([
    'warning: /ipam/type is "compani-ipam", which is not in C:\\a (plugins: company-ipam, dhcp); did you mean "company-ipam"?',
  ]);
});

describe('an ACL', () => {
  const acl = (settings: object) =>
    findings({
      subnets,
      defaultAction: 'Block',
      acls: [{ action: 'Allow', direction: 'In', priority: 100, ...settings }],
    });
  const noPorts = (name: string) =>
    `warning: /acls/0/localPorts is set, but ${name} has no ports; HNS may refuse or ignore them: remove the ports`;

  test.each([6, 17, 33, 132, 136])('of protocol %i has ports', (protocol) => {
    expect(acl({ protocols: [protocol], localPorts: [80] })).toEqual([]);
  });
  test.each([
    [1, 'icmp'],
    [58, 'icmpv6'],
    [7, 'protocol 7'],
    [34, 'protocol 34'],
    [131, 'protocol 131'],
    [133, 'protocol 133'],
  ])('of protocol %i has no ports', (protocol, name) => {
    expect(acl({ protocols: [protocol], localPorts: [80] })).toEqual([noPorts(name)]);
  });
  test('of any protocol may have ports', () => {
    expect(acl({ remotePorts: [80] })).toEqual([]);
    expect(acl({ protocols: [1] })).toEqual([]);
  });
  test.each(
    cases<object>([
      [
        'some without ports',
        { protocols: [6, 1], remotePorts: [80] },
        'warning: /acls/0/remotePorts is set, but icmp has no ports; HNS may refuse or ignore them: use a separate rule without ports for icmp',
      ],
      [
        'two without ports',
        { protocols: [1, 2, 17], localPorts: [80], remotePorts: [81] },
        'warning: /acls/0/localPorts is set, but icmp and igmp have no ports; HNS may refuse or ignore them: use a separate rule without ports for icmp and igmp',
        'warning: /acls/0/remotePorts is set, but icmp and igmp have no ports; HNS may refuse or ignore them: use a separate rule without ports for icmp and igmp',
      ],
      [
        'two, both without ports',
        { protocols: [1, 2], localPorts: [80] },
        'warning: /acls/0/localPorts is set, but icmp and igmp have no ports; HNS may refuse or ignore them: remove the ports',
      ],
      [
        'local addresses of two families',
        { localAddresses: ['10.0.0.1', 'fd00::1'] },
        'warning: /acls/0/localAddresses has IPv4 and IPv6 addresses, which HNS may refuse: use a separate rule for each family',
      ],
      [
        'remote addresses of two families',
        { remoteAddresses: ['fd00::1', '10.0.0.1'] },
        'warning: /acls/0/remoteAddresses has IPv4 and IPv6 addresses, which HNS may refuse: use a separate rule for each family',
      ],
      [
        'both lists of two families',
        { localAddresses: ['10.0.0.1', 'fd00::1'], remoteAddresses: ['10.0.0.1', 'fd00::1'] },
        'warning: /acls/0/localAddresses has IPv4 and IPv6 addresses, which HNS may refuse: use a separate rule for each family',
        'warning: /acls/0/remoteAddresses has IPv4 and IPv6 addresses, which HNS may refuse: use a separate rule for each family',
      ],
      [
        'lists of different families',
        { localAddresses: ['10.0.0.1'], remoteAddresses: ['fd00::1'] },
        'warning: /acls/0 matches no traffic: its local addresses are IPv4, its remote addresses IPv6',
      ],
      ['lists of one family', { localAddresses: ['fd00::2'], remoteAddresses: ['fd00::1'] }],
      ['one list', { localAddresses: ['10.0.0.1'] }],
    ]),
  )('with $what', ({ given, texts }) => {
    expect(acl(given)).toEqual(texts);
  });
});

describe('a configuration of nat', () => {
  const nat = (members: object) =>
    findings({ name: 'nat', networkType: undefined, ...members }, undefined, 'nat');
  test.each(
    cases<object>([
      [
        'without capabilities',
        { ipam: { subnet: '172.28.0.0/16' } },
        'warning: has no capability "portMappings", so the runtime maps no ports, as with nerdctl run -p',
      ],
      [
        'with other capabilities',
        { capabilities: { dns: true }, ipam: { subnet: '172.28.0.0/16' } },
        'warning: has no capability "portMappings", so the runtime maps no ports, as with nerdctl run -p',
      ],
      ['with port mappings', { capabilities: { portMappings: true }, ipam: { subnet: '172.28.0.0/16' } }],
      [
        'with host bits',
        { capabilities: { portMappings: true }, ipam: { subnet: '172.28.112.0/12' } },
        'warning: /ipam/subnet is "172.28.112.0/12", which is not a network address: if the network does not exist, win-hcn creates it with 172.16.0.0/12',
      ],
    ]),
  )('$what', ({ given, texts }) => {
    expect(nat(given)).toEqual(texts);
  });
});

describe('a NAT network whose pods may have host ports', () => {
  const nat = { networkType: 'NAT', capabilities: { portMappings: true } };
  test.each(
    cases<object>([
      [
        "beside Docker's network",
        nat,
        'warning: /capabilities/portMappings: if the node has another NAT network, such as "nat" of Docker, HNS may hang when a third port is published, on Windows Server 2025 until the node restarts (microsoft/Windows-Containers#486); use that network, by its name',
      ],
      ["with the name of Docker's network", { ...nat, name: 'nat' }],
      ['without the capability', { ...nat, capabilities: { dns: true } }],
    ]),
  )('$what', ({ given, texts }) => expect(findings(given)).toEqual(texts));
});
