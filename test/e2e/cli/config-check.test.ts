import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Printed, problem, runCli, success } from './run-cli.ts';

const file = 'net.conflist';

/** Checks a file with this content. */
function check(text: string | Uint8Array, name = file, ...more: readonly string[]): Promise<Printed> {
  return runCli(['config', 'check', name, ...more], { files: { [name]: text } });
}

test.each(readdirSync('conflist-examples'))('the example %s has no problem', async (name) => {
  const { exitCode, stdout } = await check(readFileSync(`conflist-examples/${name}`), name);
  expect({ exitCode, end: stdout.split('\n').at(-2) }).toEqual({
    exitCode: 0,
    end: `${name}: no problems`,
  });
});

test.each([
  ['given', { gateway: '10.244.1.9' }, '1:126', '10.244.1.9'],
  ['default', {}, '1:90', '10.244.1.1'],
])(
  'warns about the %s gateway of an L2Bridge network, which only a router can have',
  async (_, given, at, gateway) => {
    const conf = { cniVersion: '1.0.0', name: 'pods', type: 'win-hcn', networkType: 'L2Bridge' };
    const subnets = [{ subnet: '10.244.1.0/24', ...given }];
    const warned = async (more: object) =>
      (await check(JSON.stringify({ ...conf, subnets, ...more }), 'a.conf')).stdout.split('\n')[0];
    expect(await warned({})).toBe(
      `a.conf:${at}: warning: the pods' gateway ${gateway} must be a router: without one, set hostEndpoint, or pods reach no other subnet`,
    );
    for (const accepted of [{ hostEndpoint: {} }, { createNetwork: 'never' }, { networkType: 'Transparent' }])
      expect(await warned(accepted)).toMatch(/^a.conf: win-hcn configuration/);
  },
);

test('fills the placeholders of a template, such as that of deploy/', async () => {
  const text = readFileSync('deploy/l2bridge/10-win-hcn.conflist', 'utf8');
  expect(await check(text)).toEqual(
    success(
      `${file}:10:32: note: a template for install --node, checked with the PodCIDRs 10.244.1.0/24 and fd00:10:244:1::/64`,
      `${file}: /plugins/0: win-hcn configuration, network type L2Bridge`,
      `${file}: no problems`,
    ),
  );
});

test('reports all problems of the schema with line and column, notes, and each plugin', async () => {
  const list = `{
  "cniVersion": "1.0.0",
  "name": "l2bridge",
  "plugins": [
    {
      "type": "win-hcn",
      "networkType": "L2Bridge",
      "subnet": [],
      "subnets": [{ "subnet": "10.244.1.0/24" }],
      "mtu": 10,
      "mtu": 12
    },
    { "type": "portmap" },
    { "type": "sdnbridge", "master": "Ethernet", "foo": 1 },
    {}
  ]
}
`;
  expect(await check(list)).toEqual(
    problem(
      'net.conflist:8:7: problem: /plugins/0/subnet is an unknown key (value: []), did you mean "subnets"?',
      'net.conflist:11:7: problem: /plugins/0/mtu is duplicated: the last value is used',
      'net.conflist:11:14: problem: /plugins/0/mtu is 12, expected an integer from 576 to 65535',
      'net.conflist:14:15: problem: /plugins/2/type is a second plugin for win-hcn: every ADD fails with code 101',
      "net.conflist:15:5: problem: /plugins/3/type is missing, expected the name of the plugin's executable",
      'net.conflist:14:50: note: /plugins/2/foo is not supported and is ignored',
      'net.conflist: /plugins/0: win-hcn configuration',
      'net.conflist: /plugins/1: portmap, not checked',
      'net.conflist: /plugins/2: sdnbridge configuration, network type L2Bridge',
      'net.conflist: /plugins/3: no type, not checked',
      'net.conflist: 5 problems',
    ),
  );
});

test('reads stdin, and prints JSON', async () => {
  const stdin = '{"cniVersion":"9","name":"n","type":"win-hcn","networkType":"ICS"}';
  const { exitCode, stdout } = await runCli(['config', 'check', '-', '-o', 'json'], { stdin });
  expect({ exitCode, ...JSON.parse(stdout) }).toEqual({
    exitCode: 1,
    version: 1,
    file: '-',
    problems: [
      {
        line: 1,
        column: 15,
        path: '/cniVersion',
        text: 'incompatible CNI versions: cniVersion is "9"; win-hcn supports 0.1.0, 0.2.0, 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0',
      },
    ],
    warnings: [],
    notes: [],
    plugins: [{ path: '', type: 'win-hcn', ours: true, networkType: 'ICS' }],
  });
});

test('uses the version of a list that libcni uses', async () => {
  const plugin = '{"type":"win-hcn","networkType":"ICS"}';
  const list = `{"cniVersion":"9","cniVersions":["0.4.0","1.0.0"],"name":"n","plugins":[${plugin}]}`;
  expect((await check(list)).stdout).toContain('no problems');
});

const good = '{ "name": "n",\n  "plugins": [{ "type": "win-hcn", "networkType": "ICS" }] }';
const plain = 'save it as UTF-8 without a byte-order mark';
const utf8 = `${plain}: [IO.File]::WriteAllText(PATH, (Get-Content -Raw PATH))`;

test.each<[string, string | Uint8Array, string]>([
  [
    'UTF-16',
    Buffer.from(`\ufeff${good}`, 'utf16le'),
    `the file is UTF-16, but runtimes read only UTF-8: ${utf8}`,
  ],
  [
    'UTF-16 without a mark, which Get-Content does not recognize',
    Buffer.from(good, 'utf16le'),
    `the file is UTF-16, but runtimes read only UTF-8: ${plain}`,
  ],
  [
    'a byte-order mark',
    `\ufeff${good}`,
    `the file starts with a byte-order mark, which runtimes reject: ${utf8}`,
  ],
])('a file that runtimes do not read has %s', async (_, text, found) => {
  expect(await check(text)).toEqual(
    problem(
      `net.conflist:1:1: problem: ${found}`,
      'net.conflist: /plugins/0: win-hcn configuration, network type ICS',
      'net.conflist: 1 problem',
    ),
  );
});

const plugin = '{"type":"win-hcn","name":"n","networkType":"ICS"}';

describe('the first problem', () => {
  test.each<[string, string, string?]>([
    ['[]', '1:1: problem: the file is not a JSON object'],
    ['{"plugins":[]}', '1:1: problem: /name is missing, expected the name of the network'],
    [
      '{"name":"n","plugins":[]}',
      '1:23: problem: /plugins is empty or not a list, expected at least one plugin',
    ],
    ['{"name":"n","plugins":[5]}', '1:24: problem: /plugins/0 is not an object'],
    [
      '{"name":"n","plugins":[{"type":"bridge"}]}',
      '1:23: problem: no plugin in the list is win-hcn or one that it replaces',
    ],
    [
      '{"name":"n","type":"calico"}',
      '1:20: problem: /type is "calico", not win-hcn or a plugin that it replaces',
      'n.conf',
    ],
    [
      plugin,
      '1:1: problem: a .conflist must be a plugin list: move this object into "plugins": [...] next to "cniVersion" and "name", or rename the file to *.conf',
    ],
    [
      `{"name":"n","plugins":[${plugin}]}`,
      '1:1: problem: runtimes read a plugin list only from *.conflist: rename the file',
      'net.conf',
    ],
    [
      '{"name":"!","plugins":[{"type":"win-hcn","networkType":"ICS"}]}',
      '1:9: problem: invalid characters found in network name "!"; expected a letter or digit, then letters, digits, "_", "." or "-"',
    ],
    [
      '{"name":"n","plugins":[{"type":"win-hcn","networkType":"ICS","prevResult":{"ips":1}}]}',
      '1:75: problem: prevResult.ips is 1, expected a list',
    ],
    [
      '{"name":"n","plugins":[{"type":"win-hcn","networkType":"L2Bridge","subnets":[{"subnet":"10.244.1.0/24"}],"hostEndpoint":{"address":"10.9.9.9"}}]}',
      '1:132: problem: /plugins/0/hostEndpoint/address is "10.9.9.9", expected an IPv4 address in one of the subnets',
    ],
  ])('of %j is "%s"', async (text, expected, name = file) => {
    const { exitCode, stdout } = await check(text, name);
    expect({ exitCode, first: stdout.split('\n')[0] }).toEqual({
      exitCode: 1,
      first: `${name}:${expected}`,
    });
  });
});

describe('a file for nat', () => {
  const nat = { cniVersion: '1.0.0', name: 'nat', type: 'nat', master: 'Ethernet' };
  const given = (members: object) => JSON.stringify({ ...nat, ...members });

  test.each<[string, object, string]>([
    [
      'has a subnet with host bits',
      { capabilities: { portMappings: true }, ipam: { subnet: '172.28.112.0/12' } },
      '1:123: warning: /ipam/subnet is "172.28.112.0/12", which is not a network address: if the network does not exist, win-hcn creates it with 172.16.0.0/12',
    ],
    [
      'has no portMappings',
      {},
      '1:36: warning: has no capability "portMappings", so the runtime maps no ports, as with nerdctl run -p',
    ],
    [
      'has no portMappings among its capabilities',
      { capabilities: { dns: true } },
      '1:69: warning: has no capability "portMappings", so the runtime maps no ports, as with nerdctl run -p',
    ],
  ])('%s', async (_, members, expected) => {
    const { stdout } = await check(given(members), 'nat.conf');
    expect(stdout.split('\n').filter((line) => line.includes('warning:'))).toEqual([`nat.conf:${expected}`]);
  });
});

test('pod subnets of other nodes that outbound NAT translates are named', async () => {
  const given = (nat: object) =>
    JSON.stringify({
      cniVersion: '1.0.0',
      name: 'l2bridge',
      type: 'win-hcn',
      networkType: 'L2Bridge',
      subnets: [{ subnet: '10.244.1.0/24' }],
      remoteSubnets: ['10.244.2.0/24', '10.244.3.0/24'].map((subnet) => ({ subnet, nextHop: '10.0.0.5' })),
      networkPolicies: [
        {
          Type: 'RemoteSubnetRoute',
          Settings: {
            DestinationPrefix: '10.244.4.1/24',
            IsolationId: 4096,
            ProviderAddress: '10.0.0.6',
            DistributedRouterMacAddress: '00-15-5D-00-00-01',
          },
        },
      ],
      ...nat,
    });
  const policy = { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.3.0/24'] } };
  expect((await check(given({ endpointPolicies: [policy] }), 'net.conf')).stdout).toContain(
    'warning: /endpointPolicies has no OutBoundNAT exception for 10.244.2.0/24, 10.244.4.0/24: pods there see the address of this node\n',
  );
  expect((await check(given({ outboundNat: { exceptions: [] } }), 'net.conf')).stdout).toContain(
    'warning: /outboundNat has no OutBoundNAT exception for 10.244.4.0/24: ',
  );
});
