import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { container, type InventoryNode, legacy, startInventoryNode } from './inventory-node.ts';
import { problem, runCli, success } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const explain = (...words: readonly string[]) => runCli(['explain-acl', ...words], { system: node.outside });
const acl = (Settings: Readonly<Record<string, unknown>>) => ({ Type: 'ACL', Settings });
const noteFor = (mac: string) =>
  'The virtual switch (VFP) can enforce different rules: run vfpctrl /port PORT /layer ACL_ENDPOINT_LAYER /list-rule for the port with ' +
  `MAC address ${mac} (vfpctrl /list-vmswitch-port).`;
const note = noteFor('00-15-5D-52-C0-00');
const legacyNote = noteFor('00-15-5D-52-C0-02');

describe('explain-acl shows', () => {
  test('the ACL that blocks', async () => {
    expect(await explain('0e12d1', 'in', '10.9.0.7:80')).toEqual(
      success(
        'Blocked: the first matching In ACL has priority 200 (any protocol, remote 10.9.0.0/16).',
        '',
        'endpoint 5efcf8b5 on l2bridge, from 10.9.0.7 to 10.244.1.2:80/tcp',
        'priority  action  protocols  local        remote       type         matches  applied  reason',
        '200       Block   any        any          10.9.0.0/16  Switch       yes      yes',
        '300       Allow   tcp        any port 80  any          Switch       yes      -',
        '65500     Allow   any        any          any          Switch       yes      -',
        '-         Block   any        any          any          HNS default  yes      -',
        '',
        note,
      ),
    );
  });

  const service =
    '10.96.0.10 is a frontend of load balancer d4e6032f. HNS does not document whether ACLs see the frontend or the backend address. ' +
    'Check 10.244.1.2, 10.244.2.7 too.';
  const leftover = 'The endpoint is a leftover: in no namespace.';
  test.each<[string, number, readonly string[], readonly string[]]>([
    [
      '0e12d1 in 10.8.0.7:80 --source-port 51000',
      0,
      ['Allowed: the first matching In ACL has priority 300 (tcp, local port 80).'],
      ['5efcf8b5', 'from 10.8.0.7:51000 to 10.244.1.2:80/tcp'],
    ],
    [
      '0e12d1 out 10.96.0.10:53/udp',
      0,
      ['Allowed: the first matching Out ACL has priority 65500 (everything).', service],
      ['5efcf8b5', 'from 10.244.1.2 to 10.96.0.10:53/udp'],
    ],
    [
      '0e12d1 in 10.8.0.7',
      0,
      ['Allowed by any of the 2 ACLs that may apply: the local port is not given.'],
      ['5efcf8b5', 'from 10.8.0.7 to 10.244.1.2'],
    ],
    [
      'c0ffee in 10.9.0.7/icmp',
      0,
      [
        'Blocked: no In ACL matches. Once an endpoint has an ACL, HNS blocks all traffic without a match.',
        leftover,
      ],
      ['a1e6032f', 'from 10.9.0.7 to 10.244.1.30/icmp'],
    ],
    [
      'c0ffee out 10.96.0.10/udp',
      1,
      ['Unknown: the remote port is not given.', service, leftover],
      ['a1e6032f', 'from 10.244.1.30 to 10.96.0.10/udp'],
    ],
    [
      '0e12d1 out [fd00::7]:443',
      1,
      ['Not through this endpoint: it has no IPv6 address.'],
      ['5efcf8b5', 'to [fd00::7]:443/tcp'],
    ],
    [
      '0e12d1 out 10.244.1.2:80',
      0,
      ["10.244.1.2 is the pod's own address: traffic to it does not leave the pod."],
      ['5efcf8b5', 'from 10.244.1.2 to 10.244.1.2:80/tcp'],
    ],
    [
      '0e12d1 out 127.0.0.1:80',
      0,
      ['127.0.0.1 is a loopback address: traffic to it does not leave the pod.'],
      ['5efcf8b5', 'from 10.244.1.2 to 127.0.0.1:80/tcp'],
    ],
  ])('the result of %s', async (words, exitCode, sentences, [endpoint, ends]) => {
    await node.hcn.addPolicies(legacy, [
      acl({ Direction: 'In', Action: 'Allow', Priority: 100, Protocols: '6', LocalPorts: '80,443' }),
      acl({ Direction: 'Out', Action: 'Allow', Priority: 100, Protocols: '17', RemotePorts: '53' }),
    ]);
    const printed = await explain(...words.split(' '));
    const lines = printed.stdout.split('\n');
    expect({ ...printed, stdout: lines.slice(0, lines.indexOf('') + 2) }).toEqual({
      exitCode,
      stdout: [...sentences, '', `endpoint ${endpoint} on l2bridge, ${ends}`],
      stderr: '',
    });
  });

  test('that the result is unknown if ACLs with the same priority conflict', async () => {
    await node.hcn.addPolicies(legacy, [
      acl({ Direction: 'In', Action: 'Allow', Priority: 100, RuleType: 'Switch' }),
      acl({
        Direction: 'In',
        Action: 'Block',
        Priority: 100,
        RuleType: 'Host',
        RemoteAddresses: '10.9.0.0/16',
      }),
    ]);
    expect(await explain('c0ffee', 'in', '10.9.0.7:443')).toEqual(
      problem(
        'Unknown: In ACLs with priority 100 conflict, and HNS does not document which one applies. ' +
          'Give them different priorities.',
        'Some of these ACLs have RuleType Host, others Switch. HNS does not document how it orders the two; ' +
          'explain-acl compares their priorities.',
        'The endpoint is a leftover: in no namespace.',
        '',
        'endpoint a1e6032f on l2bridge, from 10.9.0.7 to 10.244.1.30:443/tcp',
        'priority  action  protocols  local  remote       type         matches  applied  reason',
        '100       Allow   any        any    any          Switch       yes      may',
        '100       Block   any        any    10.9.0.0/16  -            yes      may',
        '-         Block   any        any    any          HNS default  yes      -',
        '',
        legacyNote,
      ),
    );
  });

  test('that newer HNS versions have policies besides ACLs', async () => {
    await node.stop();
    node = await startInventoryNode({ profile: 'ws2025' });
    await node.hcn.addPolicies(legacy, [
      { Type: 'TierAcl', Settings: { Name: 'base', Direction: 'Out', Order: 1, TierAclRules: [] } },
    ]);
    expect(await explain('c0ffee', 'out', '10.9.0.7')).toEqual(
      problem(
        'By its ACLs alone, allowed: the endpoint has no ACLs, and HNS blocks nothing by default.',
        'The endpoint has TierAcl policies, which explain-acl does not evaluate.',
        'The endpoint is a leftover: in no namespace.',
        '',
        'endpoint a1e6032f on l2bridge, from 10.244.1.30 to 10.9.0.7',
        '',
        legacyNote,
      ),
    );
  });

  test('the same as JSON and YAML', async () => {
    const { stdout, ...rest } = await explain('0e12d1', 'in', '10.9.0.7:80', '-o', 'json');
    expect(rest).toEqual({ exitCode: 0, stderr: '' });
    const any = { protocols: 'any', localAddresses: 'any', localPorts: 'any' };
    expect(JSON.parse(stdout)).toEqual({
      container,
      direction: 'In',
      remote: { address: '10.9.0.7', port: 80, protocol: 6 },
      endpoints: [
        {
          endpoint: '5efcf8b5-6b39-5f7c-8ebe-586dde64a108',
          network: 'l2bridge',
          addresses: ['10.244.1.2'],
          macAddress: '00-15-5D-52-C0-00',
          action: 'Block',
          lines: expect.arrayContaining([
            {
              acl: {
                ...any,
                direction: 'In',
                priority: 200,
                action: 'Block',
                remoteAddresses: '10.9.0.0/16',
                remotePorts: 'any',
                ruleType: 'Switch',
                hidden: false,
              },
              matches: 'yes',
              decides: 'yes',
            },
          ]),
          ignored: [],
          caveats: [],
        },
      ],
      note,
    });
    expect((await explain('0e12d1', 'in', '10.9.0.7:80', '-o', 'yaml')).stdout).toContain(
      '        matches: "yes"\n        decides: "yes"\n',
    );
  });

  test('the result in bold and caveats in yellow on a terminal', async () => {
    const { stdout } = await runCli(['explain-acl', 'c0ffee', 'out', '10.9.0.7'], {
      system: node.outside,
      width: 120,
    });
    expect(stdout).toContain(
      '\u001b[1mAllowed: the endpoint has no ACLs, and HNS blocks nothing by default.\u001b[22m\n' +
        '\u001b[33mThe endpoint is a leftover: in no namespace.\u001b[39m\n',
    );
  });
});
