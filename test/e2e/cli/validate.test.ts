import { readdirSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { failure, type Printed, problem, runCli, success } from './run-cli.ts';

const file = 'net.conflist';

/** Validates a file with this content. */
function validate(text: string | Uint8Array, name = file, ...more: readonly string[]): Promise<Printed> {
  return runCli(['validate', name, ...more], { files: { [name]: text } });
}

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

describe('validate', () => {
  test.each(readdirSync('conflist-examples'))('finds no problem in the example %s', async (name) => {
    const { exitCode, stdout } = await validate(readFileSync(`conflist-examples/${name}`), name);
    expect({ exitCode, end: stdout.split('\n').slice(-2) }).toEqual({
      exitCode: 0,
      end: [`${name}: no problems`, ''],
    });
  });

  test('reports all problems with line and column, and each plugin of a list', async () => {
    expect(await validate(list)).toEqual(
      problem(
        'net.conflist:8:7: problem: /plugins/0/subnet is an unknown key (value: []), did you mean "subnets"?',
        'net.conflist:11:7: problem: /plugins/0/mtu is duplicated: the last value is used',
        'net.conflist:11:14: problem: /plugins/0/mtu is 12, expected an integer from 576 to 65535',
        "net.conflist:15:5: problem: /plugins/3/type is missing, expected the name of the plugin's executable",
        'net.conflist:14:50: note: /plugins/2/foo is not supported and is ignored',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: /plugins/1: portmap, not checked',
        'net.conflist: /plugins/2: sdnbridge configuration, network type L2Bridge',
        'net.conflist: /plugins/3: no type, not checked',
        'net.conflist: 4 problems',
      ),
    );
  });

  test('warns about pod subnets of other nodes that outbound NAT translates', async () => {
    const remoteSubnets = ['10.244.2.0/24', '10.244.3.0/24'].map((subnet) => ({
      subnet,
      nextHop: '10.0.0.5',
    }));
    const given = (nat: object) =>
      JSON.stringify({
        cniVersion: '1.0.0',
        name: 'l2bridge',
        type: 'win-hcn',
        networkType: 'L2Bridge',
        subnets: [{ subnet: '10.244.1.0/24' }],
        remoteSubnets,
        ...nat,
      });
    const policy = { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.3.0/24'] } };
    expect((await validate(given({ endpointPolicies: [policy] }), 'net.conf')).stdout).toContain(
      'warning: /endpointPolicies has no OutBoundNAT exception for 10.244.2.0/24: pods there see the address of this node\n',
    );
    expect((await validate(given({ outboundNat: { exceptions: [] } }), 'net.conf')).stdout).toContain(
      'no problems',
    );
  });

  test('uses colors on a terminal', async () => {
    const { stdout } = await runCli(['validate', file], { files: { [file]: list }, width: 80 });
    expect(stdout).toContain('net.conflist:8:7: \u001b[31mproblem\u001b[39m: /plugins/0/subnet is an');
    expect(stdout).toContain('\u001b[33mnote\u001b[39m');
    expect(stdout).toContain('net.conflist: \u001b[31m4 problems\u001b[39m\n');
  });

  test('reads the configuration of one plugin from stdin', async () => {
    const stdin = '{"cniVersion":"9.9.9","name":"a b","type":"win-hcn","networkType":"ICS"}';
    expect(await runCli(['validate', '-'], { stdin })).toEqual(
      problem(
        'stdin:1:15: problem: incompatible CNI versions: cniVersion is "9.9.9"; ' +
          'win-hcn supports 0.1.0, 0.2.0, 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0',
        'stdin:1:30: problem: invalid characters found in network name "a b"; expected a letter or digit, then letters, digits, ' +
          '"_", "." or "-"',
        'stdin: win-hcn configuration, network type ICS',
        'stdin: 2 problems',
      ),
    );
  });

  test('uses the version of a list that libcni uses', async () => {
    const versions = '"cniVersion":"9.9.9","cniVersions":["0.4.0","1.0.0","9.9.9"]';
    const text = `{${versions},"name":"n","plugins":[{"type":"win-hcn","networkType":"ICS"}]}`;
    expect(await validate(text)).toEqual(
      success(
        'net.conflist: /plugins/0: win-hcn configuration, network type ICS',
        'net.conflist: no problems',
      ),
    );
  });

  test('prints JSON', async () => {
    const text = '{"name":"nat","plugins":[{"type":"nat","foo":1,"capabilities":{"portMappings":true}}]}';
    const { exitCode, stdout } = await validate(text, file, '--json');
    expect({ exitCode, ...JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      file,
      problems: [],
      warnings: [],
      notes: [
        {
          line: 1,
          column: 40,
          path: '/plugins/0/foo',
          text: '/plugins/0/foo is not supported and is ignored',
        },
      ],
      plugins: [{ path: '/plugins/0', type: 'nat', ours: true, dialect: 'nat', networkType: 'NAT' }],
    });
  });

  test('warns about ACLs that tie, with line and column, and exits with 0', async () => {
    const text = `{ "cniVersion": "1.0.0", "name": "n", "plugins": [{
  "type": "win-hcn", "networkType": "ICS", "defaultAction": "Allow",
  "ACLs": [
    { "action": "Allow", "direction": "In", "priority": 200 },
    { "action": "Block", "direction": "In", "priority": 200, "localPorts": [80] }
  ] }] }`;
    expect(await validate(text)).toEqual(
      success(
        'net.conflist:5:5: warning: /plugins/0/ACLs/1 (Block) ties with /plugins/0/ACLs/0 (Allow): direction In, priority 200, ' +
          'overlapping traffic; HNS chooses which one applies: give them different priorities',
        'net.conflist: /plugins/0: win-hcn configuration, network type ICS',
        'net.conflist: 1 warning',
      ),
    );
  });

  test("warns about ACLs that tie in another plugin's dialect, with the paths in its file", async () => {
    const policy = (Action: string) => ({
      Name: 'EndpointPolicy',
      Value: { Type: 'ACL', Action, Direction: 'Out' },
    });
    const plugin = {
      type: 'sdnbridge',
      master: 'Ethernet',
      ipam: { subnet: '10.244.1.0/24' },
      AdditionalArgs: [policy('Allow'), policy('Block'), policy('Block')],
    };
    const { exitCode, stdout } = await validate(
      JSON.stringify({ cniVersion: '1.0.0', name: 'n', plugins: [plugin] }),
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'warning: /plugins/0/AdditionalArgs/1/Value (Block) ties with /plugins/0/AdditionalArgs/0/Value (Allow): direction Out, no priority, overlapping traffic;',
    );
    expect(stdout).toContain('net.conflist: 2 warnings\n');
  });

  test('exits with 2 if the file does not exist', async () => {
    expect(await runCli(['validate', 'nothing.conflist'])).toEqual(
      failure(2, 'win-hcn: cannot read nothing.conflist: no such file'),
    );
  });
});

describe('all problems are reported at once', () => {
  test('although some values have the wrong type or range and others are only wrong together', async () => {
    const text = `{ "cniVersion": "1.0.0", "name": "n", "plugins": [{
  "type": "win-hcn", "networkType": "Overlay",
  "subnets": [
    { "subnet": "10.244.1.0/24", "vsid": 1, "gateway": "10.244.9.1" },
    { "gateway": "10.244.2.1", "vsid": 4097 },
    { "subnet": "10.244.3.9/24", "vsid": 4098 }
  ],
  "dns": { "nameservers": [5, "10.0.0.x"] },
  "acls": [
    { "action": "Allow", "direction": "In", "priority": 0, "localPorts": ["90-80"], "remoteAddresses": ["any"] },
    { "action": "Alow", "direction": "In", "protocols": ["tcp"], "remotePorts": ["9-8"] }
  ],
  "outboundNat": { "exceptions": ["10.0.0.0/33"], "exception": [] },
  "sdnRoutes": [{ "needEncap": 1, "destinationPrefix": "x" }],
  "ipam": { "type": "../host-local" },
  "colour": "red"
}] }`;
    expect(await validate(text)).toEqual(
      problem(
        'net.conflist:1:51: problem: /plugins/0/defaultAction is missing, expected "Allow" or "Block" for traffic that no ACL rule matches; HNS would block it',
        'net.conflist:4:42: problem: /plugins/0/subnets/0/vsid is 1, expected an integer from 4096 to 16777214',
        'net.conflist:4:56: problem: /plugins/0/subnets/0/gateway is "10.244.9.1", expected a host address in 10.244.1.0/24',
        'net.conflist:5:5: problem: /plugins/0/subnets/1/subnet is missing, expected a subnet such as 10.244.1.0/24',
        'net.conflist:6:17: problem: /plugins/0/subnets/2/subnet is "10.244.3.9/24", expected 10.244.3.0/24, without host bits',
        'net.conflist:8:28: problem: /plugins/0/dns/nameservers/0 is 5, expected an IP address',
        'net.conflist:8:31: problem: /plugins/0/dns/nameservers/1 is "10.0.0.x", expected an IP address',
        'net.conflist:10:57: problem: /plugins/0/acls/0/priority is 0, expected an integer from 1 to 65499',
        'net.conflist:10:75: problem: /plugins/0/acls/0/localPorts/0 is "90-80", expected ports from 1 to 65535, lower port first',
        'net.conflist:10:105: problem: /plugins/0/acls/0/remoteAddresses/0 is "any", expected an IP address or a prefix such as 10.96.0.0/12',
        'net.conflist:11:17: problem: /plugins/0/acls/1/action is "Alow", expected "Allow" or "Block"',
        'net.conflist:11:82: problem: /plugins/0/acls/1/remotePorts/0 is "9-8", expected ports from 1 to 65535, lower port first',
        'net.conflist:13:35: problem: /plugins/0/outboundNat/exceptions/0 is "10.0.0.0/33", expected an IP address or a prefix such as 10.96.0.0/12',
        'net.conflist:13:51: problem: /plugins/0/outboundNat/exception is an unknown key (value: []), did you mean "exceptions"?',
        'net.conflist:14:32: problem: /plugins/0/sdnRoutes/0/needEncap is 1, expected true or false',
        'net.conflist:14:56: problem: /plugins/0/sdnRoutes/0/destinationPrefix is "x", expected an IP address or a prefix such as 10.96.0.0/12',
        'net.conflist:15:21: problem: /plugins/0/ipam/type is "../host-local", expected the name of an IPAM plugin, without a path',
        'net.conflist:16:3: problem: /plugins/0/colour is an unknown key (value: "red")',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: 18 problems',
      ),
    );
  });

  test('of a configuration without a valid network type', async () => {
    const subnets = '[{ "subnet": "10.244.1.0/24", "gateway": "10.0.0.1" }]';
    expect(
      await validate(`{ "name": "n", "plugins": [{ "type": "win-hcn", "subnets": ${subnets} }] }`),
    ).toEqual(
      problem(
        'net.conflist:1:28: problem: /plugins/0/networkType is missing, expected "L2Bridge", "L2Tunnel", "Overlay", "Transparent", "NAT", "ICS", "Internal" or "Private"',
        'net.conflist:1:101: problem: /plugins/0/subnets/0/gateway is "10.0.0.1", expected a host address in 10.244.1.0/24',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: 2 problems',
      ),
    );
  });

  test('with the warnings of the values that are valid', async () => {
    const acl = (more: string) => `{ "action": ${more}, "direction": "In" }`;
    const acls = [
      acl('"Allow"'),
      acl('"Block"'),
      acl('"Allow", "priority": "9"'),
      acl('"Blok", "priority": 9'),
    ];
    const text = `{ "name": "n", "plugins": [{ "type": "win-hcn", "networkType": "ICS", "acls": [${acls.join(', ')}] }] }`;
    expect(await validate(text.replaceAll('{ "action"', '\n{ "action"'))).toEqual(
      problem(
        'net.conflist:1:28: problem: /plugins/0/defaultAction is missing, expected "Allow" or "Block" for traffic that no ACL rule matches; HNS would block it',
        'net.conflist:4:34: problem: /plugins/0/acls/2/priority is "9", expected an integer from 1 to 65499: remove the quotes',
        'net.conflist:5:13: problem: /plugins/0/acls/3/action is "Blok", expected "Allow" or "Block"',
        'net.conflist:3:1: warning: /plugins/0/acls/1 (Block) ties with /plugins/0/acls/0 (Allow): direction In, priority 1000, overlapping traffic; HNS chooses which one applies: give them different priorities',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: 3 problems, 1 warning',
      ),
    );
  });

  test("in another plugin's dialect, with the paths in its file", async () => {
    const text = `{ "cniVersion": "9.9.9", "name": "n", "type": "sdnoverlay",
  "dns": { "Nameservers": ["x"] },
  "AdditionalArgs": [
    { "Name": "NetworkPolicy", "Value": { "Type": "VSID", "VSID": 100 } },
    { "Name": "EndpointPolicy", "Value": { "Type": "ACL", "Action": "Alow", "Direction": "In", "LocalPorts": "80-70" } }
  ],
  "ipam": { "subnet": "10.244.1.9/33" } }`;
    expect(await validate(text, 'net.conf')).toEqual(
      problem(
        'net.conf:1:17: problem: incompatible CNI versions: cniVersion is "9.9.9"; win-hcn supports 0.1.0, 0.2.0, 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0',
        'net.conf:2:28: problem: /dns/Nameservers/0 is "x", expected an IP address',
        'net.conf:4:67: problem: /AdditionalArgs/0/Value/VSID is 100, expected an integer from 4096 to 16777214',
        'net.conf:5:69: problem: /AdditionalArgs/1/Value/Action is "Alow", expected "Allow", "Block" or "Pass"',
        'net.conf:5:110: problem: /AdditionalArgs/1/Value/LocalPorts is "80-70", expected ports from 1 to 65535 or ranges such as 8080-8090, separated by commas',
        'net.conf:7:23: problem: /ipam/subnet is "10.244.1.9/33", expected a subnet such as 10.244.1.0/24',
        'net.conf: sdnoverlay configuration',
        'net.conf: 6 problems',
      ),
    );
  });
});

describe('a hint says', () => {
  /** Validates a conflist with these members of an L2Bridge configuration, on lines of their own from line 3. */
  const validateMembers = (...members: readonly string[]) => {
    const start = '{ "cniVersion": "1.0.0", "name": "n", "plugins": [{ "type": "win-hcn",';
    return validate(
      [start, '"subnets": [{ "subnet": "10.244.1.0/24" }],', members.join(',\n'), '}] }'].join('\n'),
    );
  };

  test('that macPrefix requires an IPAM plugin, at macPrefix', async () => {
    expect(await validateMembers('"networkType": "L2Bridge"', '"macPrefix": "0E-2A"')).toEqual(
      problem(
        'net.conflist:4:14: problem: /plugins/0/macPrefix is "0E-2A", expected no value without an IPAM plugin: set ipam.type, or remove this key',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: 1 problem',
      ),
    );
  });

  test("the capability to set for a key that is one of the runtime's", async () => {
    expect(await validateMembers('"networkType": "L2Bridge"', '"portMappings": true')).toEqual(
      problem(
        'net.conflist:4:1: problem: /plugins/0/portMappings is an unknown key (value: true), set capabilities.portMappings to true instead: the runtime then passes the values',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: 1 problem',
      ),
    );
  });

  test('to remove the quotes of a number and of a boolean', async () => {
    expect(await validateMembers('"networkType": "L2Bridge"', '"mtu": "1400"', '"ipMasq": "true"')).toEqual(
      problem(
        'net.conflist:4:8: problem: /plugins/0/mtu is "1400", expected an integer from 576 to 65535: remove the quotes',
        'net.conflist:5:11: problem: /plugins/0/ipMasq is "true", expected true or false: remove the quotes',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: 2 problems',
      ),
    );
  });

  test('which network type does not support a key', async () => {
    expect(
      await validateMembers('"networkType": "NAT"', '"adapter": "Ethernet"', '"hostEndpoint": {}'),
    ).toEqual(
      problem(
        'net.conflist:4:12: problem: /plugins/0/adapter is "Ethernet", expected none: network type NAT does not support it',
        'net.conflist:5:17: problem: /plugins/0/hostEndpoint is {}, expected none: network type NAT does not support it',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: 2 problems',
      ),
    );
  });

  test('only that the network type is wrong, not that keys do not belong to it', async () => {
    expect(
      await validateMembers('"networkType": "L2Brige"', '"adapter": "Ethernet"', '"hostEndpoint": {}'),
    ).toEqual(
      problem(
        'net.conflist:3:16: problem: /plugins/0/networkType is "L2Brige", expected "L2Bridge", "L2Tunnel", "Overlay", "Transparent", "NAT", "ICS", "Internal" or "Private"',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: 1 problem',
      ),
    );
  });
});

describe('a file that runtimes do not read has', () => {
  const good = '{ "name": "n",\n  "plugins": [{ "type": "win-hcn", "networkType": "ICS" }] }';
  const utf8 =
    'save it as UTF-8 without a byte-order mark: [IO.File]::WriteAllText(PATH, (Get-Content -Raw PATH))';

  test.each<[string, string | Uint8Array, string]>([
    [
      'UTF-16',
      Buffer.from(`\ufeff${good}`, 'utf16le'),
      `1:1: problem: the file is UTF-16, but runtimes read only UTF-8: ${utf8}`,
    ],
    [
      'UTF-16 without a byte-order mark',
      Buffer.from(good, 'utf16le'),
      `1:1: problem: the file is UTF-16, but runtimes read only UTF-8: ${utf8}`,
    ],
    [
      'a byte-order mark',
      `\ufeff${good}`,
      `1:1: problem: the file starts with a byte-order mark, which runtimes reject: ${utf8}`,
    ],
    [
      'a non-breaking space',
      good.replace('"type": ', '"type":\u00a0'),
      '2:24: problem: U+00A0 is not a JSON space: use a plain space',
    ],
  ])('%s', async (_, text, found) => {
    expect(await validate(text)).toEqual(
      problem(
        `net.conflist:${found}`,
        'net.conflist: /plugins/0: win-hcn configuration, network type ICS',
        'net.conflist: 1 problem',
      ),
    );
  });

  test('typographic quotes, but the rest is read', async () => {
    expect(await validate(good.replace('"ICS"', '“ICS”, "mtu": 1'))).toEqual(
      problem(
        'net.conflist:2:51: problem: “ (U+201C) is not a JSON quote: use a straight "',
        'net.conflist:2:55: problem: ” (U+201D) is not a JSON quote: use a straight "',
        'net.conflist:2:65: problem: /plugins/0/mtu is 1, expected none: network type ICS does not support it',
        'net.conflist: /plugins/0: win-hcn configuration',
        'net.conflist: 3 problems',
      ),
    );
  });
});

const missingComma = '{\n  "name": "n",\n\t"type": "win-hcn"\n\t"adapter": "Eth\u001bernet"\n}\n';

describe('the source lines of a syntax error follow it', () => {
  test('with a caret and printable characters', async () => {
    expect(await validate(missingComma)).toEqual(
      problem(
        'net.conflist:4:2: problem: missing comma or colon',
        '  3 |  "type": "win-hcn"',
        '  4 |  "adapter": "Eth\\u001bernet"',
        '    |  ^',
        'net.conflist: 1 problem',
      ),
    );
  });

  test('cut around the position', async () => {
    const long = `{"plugins": [${'{"type": "bridge"}, '.repeat(9)}`;
    const text = `${long}x${long}`;
    const { stdout } = await runCli(['validate', file], { files: { [file]: text }, width: 60 });
    expect(stripVTControlCharacters(stdout).split('\n')).toEqual([
      'net.conflist:1:194: problem: unexpected "x"',
      '  1 | ..."}, {"type": "bridge"}, x{"plugins": [{"type": "...',
      '    |                            ^',
      'net.conflist: 1 problem',
      '',
    ]);
  });

  test('at the end of a line and of the file', async () => {
    const lines = async (text: string) => (await validate(text)).stdout.split('\n').slice(1, -2);
    expect(await lines('{ "name": "n\n" }')).toEqual(['  1 | { "name": "n', '    |             ^']);
    expect(await lines('{ "name": "n"\n')).toEqual(['  1 | { "name": "n"', '    |              ^']);
    expect(await lines('')).toEqual([]);
  });

  test('from plan, too', async () => {
    expect(await runCli(['plan', file], { files: { [file]: missingComma } })).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('\n  4 |  "adapter": '),
    });
  });
});

const plugin = '{"type":"win-hcn","name":"n","networkType":"ICS"}';

/** Of flannel's configuration, which win-hcn never gets. */
const template =
  "is not a configuration yet: flannel adds the node's subnet for each pod. Validate a file that flannel wrote, by default in C:\\var\\lib\\cni\\flannel";

describe('the first problem', () => {
  test.each<[string, string, string?]>([
    [
      '{\n  // a network\n  "name": "n" }',
      '2:3: problem: JSON does not allow comments: use a key that starts with "x-"',
    ],
    ['{ "name": "n", }', '1:16: problem: trailing comma before "}"'],
    ['{ "a": [1, 2,] }', '1:14: problem: trailing comma before "]"'],
    ['{ "name": "n" "type": 1 }', '1:15: problem: missing comma or colon'],
    ['{ "name": "n"', '1:14: problem: unexpected end of file: a bracket, brace or quote is not closed'],
    ["{ 'name': 1 }", '1:3: problem: JSON does not allow single quotes: use double quotes'],
    ['{ "name": "n\n" }', '1:13: problem: unterminated string: the closing quote is missing'],
    ['{ "name": True }', '1:11: problem: unexpected "T"'],
    ['', '1:1: problem: the file is empty, expected a JSON object'],
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
      '{"name":"n","plugins":[{"type":"flannel","delegate":{"type":"sdnbridge"}},{"type":"portmap"}]}',
      `1:53: problem: /plugins/0/delegate ${template}`,
    ],
    [
      '{"name":"n","type":"flannel","delegate":{"type":"sdnbridge"}}',
      `1:41: problem: /delegate ${template}`,
      'net.conf',
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
  ])('of %j is "%s"', async (text, problem, name = file) => {
    const { exitCode, stdout } = await validate(text, name);
    expect({ exitCode, first: stdout.split('\n')[0] }).toEqual({ exitCode: 1, first: `${name}:${problem}` });
  });
});
