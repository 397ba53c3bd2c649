import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { container, type InventoryNode, legacy, startInventoryNode } from './inventory-node.ts';
import { runCli, success } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const explain = (...words: readonly string[]) => runCli(['explain-acl', ...words], { system: node.outside });
const acl = (Settings: Readonly<Record<string, unknown>>) => ({ Type: 'ACL', Settings });
const noteFor = (mac: string) =>
  'This is the configuration in HNS. VFP, which enforces it, may have different rules: "vfpctrl /list-vmswitch-port" lists the port with MAC address ' +
  `${mac}, "vfpctrl /port PORT /layer ACL_ENDPOINT_LAYER /list-rule" their rules.`;
const note = noteFor('00-15-5D-52-C0-00');
const legacyNote = noteFor('00-15-5D-52-C0-02');
/** What is not fine. */
const problem = (...lines: readonly string[]) => ({ ...success(...lines), exitCode: 1 });

describe('explain-acl says', () => {
  test('which ACL blocks', async () => {
    expect(await explain('0e12d1', 'in', '10.9.0.7:80')).toEqual(
      success(
        'Blocked: the first matching In ACL has priority 200 (any protocol, remote 10.9.0.0/16).',
        '',
        'endpoint 5efcf8b5 on l2bridge, from 10.9.0.7 to 10.244.1.2:80/tcp',
        'priority  action  protocols  local        remote       type         matches  decides  reason',
        '200       Block   any        any          10.9.0.0/16  Switch       yes      yes',
        '300       Allow   tcp        any port 80  any          Switch       yes      -',
        '65500     Allow   any        any          any          Switch       yes      -',
        '-         Block   any        any          any          HNS default  yes      -',
        '',
        note,
      ),
    );
  });

  test('which ACL allows, and why those before it do not match', async () => {
    expect(await explain('0e12d1', 'in', '10.8.0.7:80', '--source-port', '51000')).toEqual(
      success(
        'Allowed: the first matching In ACL has priority 300 (tcp, local port 80).',
        '',
        'endpoint 5efcf8b5 on l2bridge, from 10.8.0.7:51000 to 10.244.1.2:80/tcp',
        'priority  action  protocols  local        remote       type         matches  decides  reason',
        '200       Block   any        any          10.9.0.0/16  Switch       no       -        the remote address is 10.8.0.7',
        '300       Allow   tcp        any port 80  any          Switch       yes      yes',
        '65500     Allow   any        any          any          Switch       yes      -',
        '-         Block   any        any          any          HNS default  yes      -',
        '',
        note,
      ),
    );
  });

  test('what becomes of what the pod sends', async () => {
    expect(await explain('0e12d1', 'out', '10.96.0.10:53/udp')).toEqual(
      success(
        'Allowed: the first matching Out ACL has priority 65500 (everything).',
        '10.96.0.10 is a frontend of load balancer d4e6032f. HNS does not document whether ACLs see the frontend or the backend address. ' +
          'Check 10.244.1.2, 10.244.2.7 too.',
        '',
        'endpoint 5efcf8b5 on l2bridge, from 10.244.1.2 to 10.96.0.10:53/udp',
        'priority  action  protocols  local  remote  type         matches  decides  reason',
        '65500     Allow   any        any    any     Switch       yes      yes',
        '-         Block   any        any    any     HNS default  yes      -',
        '',
        note,
      ),
    );
  });

  test('that HNS itself blocks, and that the endpoint is a leftover', async () => {
    await node.hcn.addPolicies(legacy, [
      acl({ Direction: 'In', Action: 'Allow', Priority: 100, Protocols: '6', LocalPorts: '80,443' }),
    ]);
    expect(await explain('c0ffee', 'in', '10.9.0.7/icmp')).toEqual(
      success(
        'Blocked: no In ACL matches. Once an endpoint has an ACL, HNS blocks all traffic without a match.',
        'The endpoint is a leftover: in no namespace.',
        '',
        'endpoint a1e6032f on l2bridge, from 10.9.0.7 to 10.244.1.30/icmp',
        'priority  action  protocols  local            remote  type         matches  decides  reason',
        '100       Allow   tcp        any port 80,443  any     -            no       -        the protocol is icmp',
        '-         Block   any        any              any     HNS default  yes      yes',
        '',
        legacyNote,
      ),
    );
  });

  test('that there is no ACL', async () => {
    expect(await explain('c0ffee', 'out', '10.9.0.7')).toEqual(
      success(
        'Allowed: the endpoint has no ACLs, and HNS blocks nothing by default.',
        'The endpoint is a leftover: in no namespace.',
        '',
        'endpoint a1e6032f on l2bridge, from 10.244.1.30 to 10.9.0.7',
        '',
        legacyNote,
      ),
    );
  });

  test('that it is certain, whichever ACL decides', async () => {
    expect(await explain('0e12d1', 'in', '10.8.0.7')).toEqual(
      success(
        'Allowed by any of the 2 ACLs that may apply: the local port is not given.',
        '',
        'endpoint 5efcf8b5 on l2bridge, from 10.8.0.7 to 10.244.1.2',
        'priority  action  protocols  local        remote       type         matches  decides  reason',
        '200       Block   any        any          10.9.0.0/16  Switch       no       -        the remote address is 10.8.0.7',
        '300       Allow   tcp        any port 80  any          Switch       unknown  may      the local port is not given',
        '65500     Allow   any        any          any          Switch       yes      may',
        '-         Block   any        any          any          HNS default  yes      -',
        '',
        note,
      ),
    );
  });

  test('what it would have to know', async () => {
    await node.hcn.addPolicies(legacy, [
      acl({ Direction: 'Out', Action: 'Allow', Priority: 100, Protocols: '17', RemotePorts: '53' }),
    ]);
    expect(await explain('c0ffee', 'out', '10.96.0.10/udp')).toEqual(
      problem(
        'Unknown: the remote port is not given.',
        '10.96.0.10 is a frontend of load balancer d4e6032f. HNS does not document whether ACLs see the frontend or the backend address. ' +
          'Check 10.244.1.2, 10.244.2.7 too.',
        'The endpoint is a leftover: in no namespace.',
        '',
        'endpoint a1e6032f on l2bridge, from 10.244.1.30 to 10.96.0.10/udp',
        'priority  action  protocols  local  remote       type         matches  decides  reason',
        '100       Allow   udp        any    any port 53  -            unknown  may      the remote port is not given',
        '-         Block   any        any    any          HNS default  yes      may',
        '',
        legacyNote,
      ),
    );
  });

  test('that nobody knows which of two contradicting ACLs decides, nor how RuleTypes compare', async () => {
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
        'priority  action  protocols  local  remote       type         matches  decides  reason',
        '100       Allow   any        any    any          Switch       yes      may',
        '100       Block   any        any    10.9.0.0/16  -            yes      may',
        '-         Block   any        any    any          HNS default  yes      -',
        '',
        legacyNote,
      ),
    );
  });

  test('that it is not all that decides, where a newer HNS has other policies', async () => {
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

  test('that the endpoint has no such address', async () => {
    expect(await explain('0e12d1', 'out', '[fd00::7]:443')).toEqual(
      problem(
        'Not through this endpoint: it has no IPv6 address.',
        '',
        'endpoint 5efcf8b5 on l2bridge, to [fd00::7]:443/tcp',
        '',
        note,
      ),
    );
  });

  test('the same as data', async () => {
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

  test('what decides in bold and what is uncertain in yellow, on a terminal', async () => {
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

describe('explain-acl', () => {
  test.each([
    ['10.244.1.2:80', "10.244.1.2 is the pod's own address"],
    ['127.0.0.1:80', '127.0.0.1 is a loopback address'],
  ])('has no ACL decide over what a pod sends to itself: %s', async (address, whose) => {
    const { exitCode, stdout } = await explain('0e12d1', 'out', address);
    expect({ exitCode, lines: stdout.split('\n', 4) }).toEqual({
      exitCode: 0,
      lines: [
        `${whose}: traffic to it does not leave the pod.`,
        '',
        `endpoint 5efcf8b5 on l2bridge, from 10.244.1.2 to ${address}/tcp`,
        '',
      ],
    });
  });
});

describe('explain-acl ends with', () => {
  test('1 where an object cannot be read, which may count, and says what is known', async () => {
    const { stdout } = await explain('0e12d1', 'in', '10.9.0.7:80');
    node.hns.inject({ function: 'HcnQueryLoadBalancerProperties', effect: { answer: '{' } });
    expect(await explain('0e12d1', 'in', '10.9.0.7:80')).toEqual({
      exitCode: 1,
      stdout,
      stderr:
        'win-hcn: left out: querying load balancer d4e6032f-bbf7-4b5a-880f-667bebc65504: HCN returned "{", expected JSON. ' +
        'The Host Network Service is broken or stopping: check it with Get-Service hns, and restart it with Restart-Service hns.\n',
    });
  });

  test('1 where it cannot read what may be the pod', async () => {
    node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { answer: '{' } });
    const { exitCode, stdout, stderr } = await explain('0e12d1', 'in', '10.9.0.7:80');
    expect({ exitCode, stdout, last: stderr.split('\n').at(-2) }).toEqual({
      exitCode: 1,
      stdout: '',
      last: `win-hcn: container ${container} has no endpoint among the readable objects. List all objects with win-hcn ls -o wide --remote.`,
    });
  });

  test.each([
    ['f00d', 'HCN has no pod "f00d"'],
    ['lonely', 'container lonely has no endpoint'],
  ])('1 for a pod that is not there, or has no endpoint: %s', async (pod, expected) => {
    node.hns.attachContainer(node.newPod('lonely').netns, 'lonely');
    expect(await explain(pod, 'in', '10.9.0.7')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `win-hcn: ${expected}. List all objects with win-hcn ls -o wide --remote.\n`,
    });
  });

  test.each([
    [
      ['web', 'in', '10.0.0.0/8'],
      'invalid address "10.0.0.0/8". Use ADDRESS, ADDRESS:PORT or [IPV6]:PORT, with an optional /PROTOCOL: 10.96.0.10:53/udp. ' +
        'Protocols: icmp, icmpv4, igmp, tcp, udp, icmpv6. Only tcp and udp have ports, from 1 to 65535.',
    ],
    [
      ['web', 'ingress', '10.9.0.7'],
      "command-argument value 'ingress' is invalid for argument 'direction'. Allowed choices are in, out.",
    ],
    [
      ['web', 'in', '10.9.0.7:80', '--source-port', 'http'],
      '--source-port http is not a port from 1 to 65535',
    ],
    [['web', 'in', '10.9.0.7:80', '--source-port', '1e3'], '--source-port 1e3 is not a port from 1 to 65535'],
    [
      ['web', 'in', '10.9.0.7/icmp', '--source-port', '53'],
      '--source-port requires tcp or udp, not "10.9.0.7/icmp"',
    ],
  ])('2 for %j', async (words, expected) => {
    expect(await explain(...words)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `win-hcn: ${expected}\nRun 'win-hcn explain-acl --help' for usage.\n`,
    });
  });

  test('3 when the Host Network Service is stopped', async () => {
    node.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hresult: 0x80070426 } });
    expect(await explain('0e12d1', 'in', '10.9.0.7')).toMatchObject({ exitCode: 3, stdout: '' });
  });
});
