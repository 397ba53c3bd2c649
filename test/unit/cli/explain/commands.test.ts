import { describe, expect, test } from 'vitest';
import type { HostComputeEndpoint, ObservedEndpoint, Policy } from '../../../../src/hcn/documents.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { runCli } from '../../../e2e/cli/run-cli.ts';
import { cliNode } from '../node-without-hns.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const ids = {
  network: '11111111-0000-4000-8000-000000000001',
  namespace: '22222222-0000-4000-8000-000000000002',
  first: 'aaaaaaaa-0000-4000-8000-00000000000a',
  second: 'bbbbbbbb-0000-4000-8000-00000000000b',
};
const pod: ObservedEndpoint = {
  ID: ids.first,
  Name: 'c0ffee_l2bridge_eth0',
  HostComputeNetwork: ids.network,
  HostComputeNamespace: ids.namespace,
  IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 24 }],
  MacAddress: '00-15-5D-00-00-01',
  Routes: [{ DestinationPrefix: '0.0.0.0/0', NextHop: '10.244.1.1' }],
  State: 2,
  SchemaVersion,
};
/** The other endpoint of the pod, which only has an IPv6 address. */
const second: ObservedEndpoint = {
  ...pod,
  ID: ids.second,
  Name: 'c0ffee_l2bridge_eth1',
  IpConfigurations: [{ IpAddress: 'fd00::1:2', PrefixLength: 64 }],
  MacAddress: '00-15-5D-00-00-02',
  Routes: [],
};
const adapter: HostAdapter = {
  index: 5,
  alias: 'vEthernet (Ethernet)',
  description: 'Hyper-V Virtual Ethernet Adapter',
  mac: '00-15-5D-00-00-00',
  mtu: 1500,
  isUp: true,
  mediaType: 6,
  addresses: [{ address: '10.0.0.4', length: 24 }],
  gateways: ['10.0.0.1'],
  metric: 25,
};

interface Given {
  readonly endpoints?: readonly ObservedEndpoint[];
  readonly adapters?: readonly HostAdapter[] | 'unreadable';
  readonly networkPolicies?: readonly Policy[];
  readonly width?: number;
}

/** Runs a command line on a node with these endpoints in one namespace. Default: that of the pod. */
async function run(words: string, given: Given) {
  const { endpoints = [pod], adapters = [adapter], networkPolicies = [], width } = given;
  const network = {
    ID: ids.network,
    Name: 'l2bridge',
    Type: 'L2Bridge',
    Policies: networkPolicies,
    SchemaVersion,
  };
  const resources = endpoints.map(({ ID: Id }) => ({ Type: 'Endpoint', Data: { Id } }));
  const namespace = { ID: ids.namespace, NamespaceId: 3, Type: 'Host', Resources: resources, SchemaVersion };
  const node = cliNode({
    networks: [network],
    namespaces: [namespace],
    endpoints,
    ...(adapters === 'unreadable' ? { ipHelperError: new Error('access denied') } : { adapters }),
  });
  const { exitCode, stdout, stderr } = await node.run(words, { ...(width !== undefined && { width }) });
  expect(stderr).toBe('');
  return { exitCode, lines: stdout.split('\n').slice(0, -1), json: () => JSON.parse(stdout) };
}

const withPolicies = (
  endpoint: ObservedEndpoint,
  Policies: readonly Policy[],
  more: Partial<HostComputeEndpoint> = {},
): ObservedEndpoint => ({ ...endpoint, Policies, ...more });
const acl = (Action: string, Priority: number | undefined, more: Policy['Settings'] = {}): Policy => ({
  Type: 'ACL',
  Settings: { Direction: 'Out', Action, Priority, RuleType: 'Switch', ...more },
});
const set = { RemoteAddresses: 'set-1' };

/** The lines of a terminal, with styles as `*bold*`, `_dim_` and `~yellow~`. */
const styled = (lines: readonly string[]) =>
  lines.map((line) =>
    line
      .replaceAll('\u001b[33m', '~')
      .replaceAll('\u001b[39m', '~')
      .replaceAll('\u001b[1m', '*')
      .replaceAll('\u001b[2m', '_')
      .replaceAll('\u001b[22m', line.startsWith('\u001b[2m') ? '_' : '*'),
  );
const both = [pod.MacAddress, second.MacAddress].join(' or ');
const note = (addresses = pod.MacAddress, option = '') =>
  `The virtual switch (VFP) can enforce different rules: run vfpctrl /port PORT${option} /list-rule for ${
    addresses === both ? 'the ports' : 'the port'
  } with MAC address ${addresses} (vfpctrl /list-vmswitch-port).`;

describe('explain-acl', () => {
  const aclNote = (addresses?: string) => note(addresses, ' /layer ACL_ENDPOINT_LAYER');
  const header = 'priority  action  protocols  local  remote  type         matches  applied  reason';
  const hnsDefault = '-         Block   any        any    any     HNS default  yes      -';
  const row = (priority: number | string, action: string, applied = 'may') =>
    `${String(priority).padEnd(10)}${action}   any        any    any     Switch       yes      ${applied}`;
  const unresolved = 'set-1 is not an address and is not resolved';
  const maybe = `100       Allow   any        any    set-1   Switch       unknown  may      ${unresolved}`;
  const ends = 'endpoint aaaaaaaa on l2bridge, from 10.244.1.2 to 10.9.0.7';
  const other = withPolicies(second, [acl('Block', 5)], { IpConfigurations: [{ IpAddress: '10.244.1.9' }] });

  test('returns a result if one endpoint has an address of the family', async () => {
    const endpoints = [withPolicies(pod, [acl('Allow', 100)]), second];
    const { exitCode, lines } = await run('explain-acl c0ffee out 10.9.0.7', { endpoints });
    expect([exitCode, ...lines]).toEqual([
      0,
      'Allowed: the first matching Out ACL has priority 100 (everything).',
      '',
      ends,
      header,
      row(100, 'Allow', 'yes'),
      hnsDefault,
      '',
      'Not through this endpoint: it has no IPv4 address.',
      '',
      'endpoint bbbbbbbb on l2bridge, to 10.9.0.7',
      '',
      aclNote(both),
    ]);
  });

  test('returns no result if that of one endpoint is unknown', async () => {
    const endpoints = [withPolicies(pod, [acl('Allow', 100), acl('Block', 100)]), other];
    const { exitCode, lines } = await run('explain-acl c0ffee out 10.9.0.7', { endpoints });
    expect([exitCode, ...lines]).toEqual([
      1,
      'Unknown: Out ACLs with priority 100 conflict, and HNS does not document which one applies. Give them different priorities.',
      '',
      ends,
      header,
      row(100, 'Allow'),
      row(100, 'Block'),
      hnsDefault,
      '',
      'Blocked: the first matching Out ACL has priority 5 (everything).',
      '',
      'endpoint bbbbbbbb on l2bridge, from 10.244.1.9 to 10.9.0.7',
      header,
      row(5, 'Block', 'yes'),
      hnsDefault,
      '',
      aclNote(both),
    ]);
  });

  test.each<[string, string, number, readonly Policy[], readonly string[]]>([
    [
      'in fd00::7',
      'endpoint aaaaaaaa on l2bridge, from fd00::7',
      1,
      [],
      ['Not through this endpoint: it has no IPv6 address.'],
    ],
    [
      'out fd00::7 --source-port 5',
      'endpoint aaaaaaaa on l2bridge, to fd00::7',
      1,
      [],
      ['Not through this endpoint: it has no IPv6 address.'],
    ],
    [
      'out 10.9.0.7:80 --source-port 1',
      'endpoint aaaaaaaa on l2bridge, from 10.244.1.2:1 to 10.9.0.7:80/tcp',
      0,
      [],
      ['Allowed: the endpoint has no ACLs, and HNS blocks nothing by default.'],
    ],
    [
      'out 10.9.0.7',
      ends,
      0,
      [acl('Pass', 100)],
      ['Pass: the first matching Out ACL has priority 100 (everything).'],
    ],
    [
      'in 10.9.0.7',
      'endpoint aaaaaaaa on l2bridge, from 10.9.0.7 to 10.244.1.2',
      0,
      [acl('Allow', undefined, { Direction: 'In' })],
      ['Allowed: the first matching In ACL has no priority (everything).'],
    ],
    [
      'out 10.9.0.7',
      ends,
      1,
      [acl('Allow', 100, { RuleType: 'Host' }), acl('Block', 200)],
      [
        "Unknown: Out ACLs with RuleType Host and Switch decide differently, and HNS does not document which ones apply. Calico's agent adds Host ACLs that allow everything, and blocks with Switch ACLs.",
      ],
    ],
    [
      'out 10.9.0.7',
      ends,
      0,
      [acl('Block', 100, set), acl('Block', 200)],
      [`Blocked by any of the 2 ACLs that may apply: ${unresolved}.`],
    ],
    [
      'out 10.9.0.7',
      ends,
      1,
      [acl('Allow', 100, set), acl('Block', 200), { Type: 'TierAcl' }],
      [
        `By its ACLs alone, unknown: ${unresolved}.`,
        'The endpoint has TierAcl policies, which explain-acl does not evaluate.',
      ],
    ],
  ])('%s: %s', async (words, owner, code, policies, sentences) => {
    const endpoints = [withPolicies(pod, policies)];
    const { exitCode, lines } = await run(`explain-acl c0ffee ${words}`, { endpoints });
    expect([exitCode, ...lines.slice(0, lines.indexOf('') + 2)]).toEqual([code, ...sentences, '', owner]);
  });

  test('on a terminal, the result is bold and caveats are yellow, all as wide as the terminal', async () => {
    const policies = [acl('Allow', 100, set), acl('Block', 200), { Type: 'TierAcl' }];
    const { lines } = await run('explain-acl c0ffee out 10.9.0.7', {
      endpoints: [withPolicies(pod, policies)],
      width: 78,
    });
    expect(styled(lines)).toEqual([
      '*By its ACLs alone, unknown: set-1 is not an address and is not resolved.*',
      '~The endpoint has TierAcl policies, which explain-acl does not evaluate.~',
      '',
      ends,
      '*priority*  *action*  *local*  *remote*  *matches*  *applied*  *reason*',
      '*100*       *Allow*   *any*    *set-1*   *unknown*  *may*      *set-1 is not an address and*',
      '                                                   *is not resolved*',
      '*200*       *Block*   *any*    *any*     *yes*      *may*',
      '-         Block   any    any     yes      -',
      '_hidden columns: protocols, type (show all: -o wide)_',
      '',
      'The virtual switch (VFP) can enforce different rules: run vfpctrl /port PORT',
      '/layer ACL_ENDPOINT_LAYER /list-rule for the port with MAC address',
      '00-15-5D-00-00-01 (vfpctrl /list-vmswitch-port).',
    ]);
  });

  test('as JSON has the source port as a number', async () => {
    const { json } = await run('explain-acl c0ffee out 10.9.0.7:80 --source-port 65535 -o json', {});
    expect(json()).toEqual({
      container: 'c0ffee',
      direction: 'Out',
      remote: { address: '10.9.0.7', port: 80, protocol: 6 },
      sourcePort: 65535,
      endpoints: [
        {
          endpoint: ids.first,
          network: 'l2bridge',
          addresses: ['10.244.1.2'],
          macAddress: '00-15-5D-00-00-01',
          action: 'Allow',
          lines: [],
          ignored: [],
          caveats: [],
        },
      ],
      note: aclNote(),
    });
  });

  test('with an ACL that may match shows why', async () => {
    const { lines } = await run('explain-acl c0ffee out 10.9.0.7', {
      endpoints: [withPolicies(pod, [acl('Allow', 100, set), acl('Block', 200)])],
    });
    expect(lines).toEqual([
      `Unknown: ${unresolved}.`,
      '',
      ends,
      header,
      maybe,
      row(200, 'Block'),
      hnsDefault,
      '',
      aclNote(),
    ]);
  });
});

describe('explain-nat', () => {
  const outboundNat = { Type: 'OutBoundNAT' };
  const routes = [
    'route        10.244.1.2/24 on-link                 no       -',
    'route        0.0.0.0/0 via 10.244.1.1              yes      yes',
  ];
  const translation = [
    'OutBoundNAT  HNS default: exception 10.244.1.0/24  no       -',
    'OutBoundNAT  policy 1: all other destinations      yes      yes',
  ];
  const header = 'stage        rule                                  matches  applied  reason';
  const reason = 'No OutBoundNAT exception matches (policy 1).';

  test('is uncertain if one endpoint has no address of the family', async () => {
    const { exitCode, lines } = await run('explain-nat c0ffee 8.8.8.8', { endpoints: [pod, second] });
    expect([exitCode, ...lines]).toEqual([
      1,
      'Leaves as 10.244.1.2 (pod address).',
      'No OutBoundNAT policy.',
      '',
      'endpoint aaaaaaaa on l2bridge, from 10.244.1.2 to 8.8.8.8',
      'stage  rule                      matches  applied  reason',
      'route  10.244.1.2/24 on-link     no       -',
      'route  0.0.0.0/0 via 10.244.1.1  yes      yes',
      '',
      'Not through this endpoint: it has no IPv4 address.',
      '',
      'endpoint bbbbbbbb on l2bridge, to 8.8.8.8',
      '',
      note(both),
    ]);
  });

  test.each<[string, Given['adapters'], string]>([
    ['the address of the node', [adapter], '10.0.0.4 (node address)'],
    ['an unknown address if Windows does not return the adapters', 'unreadable', 'a node address'],
    ['an unknown address if no adapter has one', [], 'a node address'],
  ])('shows %s', async (_, adapters, source) => {
    const Policies = [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }];
    const { exitCode, lines } = await run('explain-nat c0ffee 8.8.8.8:53', {
      endpoints: [withPolicies(pod, [outboundNat])],
      networkPolicies: Policies,
      ...(adapters !== undefined && { adapters }),
    });
    expect([exitCode, ...lines]).toEqual([
      0,
      `Leaves as ${source}.`,
      reason,
      '',
      'endpoint aaaaaaaa on l2bridge, from 10.244.1.2 to 8.8.8.8:53/tcp',
      header,
      ...routes,
      ...translation,
      '',
      note(),
    ]);
  });

  test.each<[string, readonly Policy[], readonly string[]]>([
    ['without ACLs', [], []],
    ['that allow it', [acl('Allow', 100)], ['ACLs allow it.']],
    [
      'that block it',
      [acl('Block', 100)],
      [
        '*But an ACL blocks it: priority 100 (everything).*',
        'see: win-hcn explain-acl c0ffee out 8.8.8.8:53/tcp',
      ],
    ],
    [
      'that may block it',
      [acl('Allow', 100, set), acl('Block', 200)],
      [
        '~ACLs may block it: set-1 is not an address and is not~',
        '~resolved.~',
        'see: win-hcn explain-acl c0ffee out 8.8.8.8:53/tcp',
      ],
    ],
  ])('on a terminal, with ACLs %s', async (_, acls, sentences) => {
    const endpoints = [withPolicies(pod, [outboundNat, ...acls])];
    const { lines } = await run('explain-nat c0ffee 8.8.8.8:53', { endpoints, width: 55 });
    const shown = styled(lines);
    expect(shown.slice(0, shown.indexOf('') + 3)).toEqual([
      '*Leaves as a node address.*',
      ...sentences,
      reason,
      '',
      'endpoint aaaaaaaa on l2bridge, from 10.244.1.2 to',
      '8.8.8.8:53/tcp',
    ]);
    expect(shown.slice(shown.lastIndexOf(''))).toEqual([
      '',
      'The virtual switch (VFP) can enforce different rules:',
      'run vfpctrl /port PORT /list-rule for the port with MAC',
      'address 00-15-5D-00-00-01 (vfpctrl',
      '/list-vmswitch-port).',
    ]);
  });

  test('as JSON omits a pod without a name, and ACLs if there are none', async () => {
    const IpConfigurations = ['10.244.1.2', '10.244.1.3'].map((IpAddress) => ({
      IpAddress,
      PrefixLength: 24,
    }));
    const endpoints = [withPolicies(pod, [], { IpConfigurations })];
    expect((await run('explain-nat c0ffee 8.8.8.8 -o json', { endpoints })).json()).toEqual({
      container: 'c0ffee',
      destination: { address: '8.8.8.8' },
      endpoints: [
        {
          endpoint: ids.first,
          network: 'l2bridge',
          addresses: ['10.244.1.2', '10.244.1.3'],
          macAddress: '00-15-5D-00-00-01',
          says: ['Leaves as 10.244.1.2 or 10.244.1.3 (pod address).', 'No OutBoundNAT policy.'],
          open: false,
          lines: [
            { stage: 'route', line: '10.244.1.2/24 on-link', matches: 'no', decides: 'no' },
            { stage: 'route', line: '10.244.1.3/24 on-link', matches: 'no', decides: 'no' },
            { stage: 'route', line: '0.0.0.0/0 via 10.244.1.1', matches: 'yes', decides: 'yes' },
          ],
        },
      ],
      note: note(),
    });
    const { lines } = await run('explain-nat c0ffee 8.8.8.8', { endpoints });
    expect(lines).toContain('endpoint aaaaaaaa on l2bridge, from 10.244.1.2 or 10.244.1.3 to 8.8.8.8');
  });
});

describe('explain', () => {
  const explain = (...words: readonly string[]) => runCli(['explain', ...words], { stdin: ' 101\r\n' });
  const attached = [
    'CNI code 101',
    '  message  the container already has this interface',
    '  fix      The existing interface was not changed. To recreate it, delete the pod.',
    '',
  ].join('\n');

  test.each([['101'], [' 101 '], ['-']])('finds the code in %j', async (word) => {
    expect(await explain(word)).toEqual({ exitCode: 0, stdout: attached, stderr: '' });
  });

  test.each([
    [['-', '101'], '- 101'],
    [[' no  code '], 'no  code'],
    [['x'.repeat(60)], 'x'.repeat(60)],
    [['x'.repeat(61)], `${'x'.repeat(57)}...`],
  ])('finds no code in %j', async (words, shown) => {
    expect(await explain(...words)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        `win-hcn: no error code in "${shown}". Enter an HRESULT in hex (0x803b002f) or decimal (2151350319), a symbol ` +
        '(HCN_E_INVALID_IP), the code of a CNI error (11) or a whole error message.\n',
    });
  });

  test('explains that an endpoint in State 3 is attached', async () => {
    expect(await explain('State', '3')).toEqual({
      exitCode: 0,
      stdout: [
        'AttachedSharing  endpoint state 3',
        '  message  The endpoint is attached to a namespace that containers share. This is the usual state of a pod.',
        '  fix      No action is required. State 3 does not mean that the endpoint is detached. If the pod has no connectivity, run win-hcn doctor.',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  test('names the states of an endpoint as ls does', async () => {
    const { stdout } = await explain(
      [0, 1, 2, 3, 4, 5, 6].map((state) => `State ${state}`).join(),
      '-o',
      'json',
    );
    expect(JSON.parse(stdout).map(({ name }: { readonly name: string }) => name)).toEqual([
      'Uninitialized',
      'Created',
      'Attached',
      'AttachedSharing',
      'Detached',
      'Degraded',
      'Destroyed',
    ]);
  });

  test('succeeds if one of several codes is known', async () => {
    const { exitCode, stdout } = await explain('{"code": 7777} 0x803b0001', '-o', 'json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ code: '7777' }, { name: 'HCN_E_NETWORK_NOT_FOUND' }]);
  });
});
