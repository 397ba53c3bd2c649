import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { container, type InventoryNode, legacy, remote, startInventoryNode, web } from './inventory-node.ts';
import { problem, runCli, success } from './run-cli.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const nodePort = 'e5e6032f-bbf7-4b5a-880f-667bebc65505';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const explain = (...words: readonly string[]) => runCli(['explain-nat', ...words], { system: node.outside });
const noteFor = (mac: string) =>
  `The virtual switch (VFP) can enforce different rules: run vfpctrl /port PORT /list-rule for the port with MAC address ${mac} ` +
  '(vfpctrl /list-vmswitch-port).';
const webNote = noteFor('00-15-5D-52-C0-00');
const legacyNote = noteFor('00-15-5D-52-C0-02');
const leftover = 'The endpoint is a leftover: in no namespace.';
/** The policies of a configuration with loopbackDSR. The pod has four ACLs before them. */
const loopbackDsr = [
  { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16', '10.96.0.0/12'] } },
  { Type: 'OutBoundNAT', Settings: { Destinations: ['10.244.1.2'] } },
  { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
  { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 } },
];

const blockedDns = {
  Type: 'ACL',
  Settings: { Direction: 'Out', Action: 'Block', Priority: 100, Protocols: '17', RemotePorts: '53' },
};

describe('explain-nat shows for traffic', () => {
  test('one verdict behind a load balancer, then the reasons', async () => {
    await node.hcn.addPolicies(web, loopbackDsr);
    expect(await explain('0e12d1', '10.96.0.10:80')).toEqual(
      success(
        'Leaves as 10.244.1.2 (pod address), to 10.244.2.7:8080; as 10.0.0.4 (node address) if load balancer d4e6032f sends it back to the pod, at 10.244.1.2:8080.',
        'ACLs allow it.',
        'Load balancer d4e6032f (10.96.0.10 80->8080/tcp) redirects the traffic.',
        'The backends reply to the pod directly (EnableDirectServerReturn).',
        'The pod is a backend, and its address is an OutBoundNAT destination (policy 6, loopbackDSR).',
        '10.96.0.0/12 is an OutBoundNAT exception (policy 5).',
        'SDNRoute 10.96.0.0/12 (policy 7) applies: HNS sends the traffic encapsulated.',
        '',
        'endpoint 5efcf8b5 on l2bridge, from 10.244.1.2 to 10.96.0.10:80/tcp',
        'stage          rule                                                        matches  applied  reason',
        'route          10.244.1.2/24 on-link                                       no       -',
        'route          0.0.0.0/0 via 10.244.1.1                                    yes      yes',
        'load balancer  d4e6032f: 10.96.0.10 80->8080/tcp                           yes      yes',
        'loopbackDSR    policy 6: destination 10.244.1.2                            yes      yes',
        'SDNRoute       policy 7: 10.96.0.0/12, encapsulated                        yes      yes',
        'OutBoundNAT    policy 5: exception 10.244.0.0/16                           no       -',
        'OutBoundNAT    policy 5: exception 10.96.0.0/12                            yes      yes',
        'OutBoundNAT    policy 6: destination 10.244.1.2                            no       -',
        'OutBoundNAT    HNS default: exception 10.244.1.0/24                        no       -',
        'OutBoundNAT    policy 5: all other destinations                            no       -',
        'PortMapping    policy 8: tcp 8080 -> 80 (node), also from the node itself  no       -        inbound connections only',
        '',
        webNote,
      ),
    );
  });

  test('that an ACL blocks it, right after the verdict', async () => {
    await node.hcn.addPolicies(legacy, [blockedDns]);
    expect(await explain('c0ffee', '10.96.0.53:53/udp')).toEqual(
      success(
        'Leaves as 10.244.1.30 (pod address).',
        'But an ACL blocks it: priority 100 (udp, remote port 53).',
        'see: win-hcn explain-acl c0ffee out 10.96.0.53:53/udp',
        'No OutBoundNAT policy.',
        leftover,
        '',
        'endpoint a1e6032f on l2bridge, from 10.244.1.30 to 10.96.0.53:53/udp',
        'stage          rule                      matches  applied  reason',
        'route          10.244.1.30/24 on-link    no       -',
        'route          0.0.0.0/0 via 10.244.1.1  yes      yes',
        'load balancer  1 with other addresses    no       -',
        '',
        legacyNote,
      ),
    );
  });

  test('that it is uncertain and the endpoint is a leftover, with exit code 1', async () => {
    await node.hcn.addPolicies(legacy, [{ Type: 'OutBoundNAT' }]);
    expect(await explain('c0ffee', '8.8.8.8/icmp')).toEqual(
      problem(
        'Leaves as 10.0.0.4 (node address) or as 10.244.1.30 (pod address).',
        'No OutBoundNAT exception matches (policy 1).',
        'Without ports the translation is uncertain: Kubernetes documents that HNS translates only TCP and UDP, but users report working pings.',
        leftover,
        '',
        'endpoint a1e6032f on l2bridge, from 10.244.1.30 to 8.8.8.8/icmp',
        'stage          rule                                  matches  applied  reason',
        'route          10.244.1.30/24 on-link                no       -',
        'route          0.0.0.0/0 via 10.244.1.1              yes      yes',
        'load balancer  1 with other addresses                no       -',
        'OutBoundNAT    HNS default: exception 10.244.1.0/24  no       -',
        'OutBoundNAT    policy 1: all other destinations      yes      yes',
        '',
        legacyNote,
      ),
    );
  });

  test('that a load balancer decides the source, not OutBoundNAT, and that its backends are gone', async () => {
    await node.hcn.addPolicies(legacy, [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } }]);
    await node.hcn.createLoadBalancer(nodePort, {
      HostComputeEndpoints: [remote],
      SourceVIP: '10.244.1.254',
      PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 30080, Flags: 2 }],
      SchemaVersion,
    });
    const outputOf = (...lines: readonly string[]) => [...lines, '', legacyNote];
    const ends = 'endpoint a1e6032f on l2bridge, from 10.244.1.30 to 10.0.0.4:30080/tcp';
    const routes = [
      'stage          rule                                      matches  applied  reason',
      'route          10.244.1.30/24 on-link                    no       -',
      'route          0.0.0.0/0 via 10.244.1.1                  yes      yes',
      'load balancer  e5e6032f: node addresses 30080->8080/tcp  yes      yes',
      'load balancer  1 with other addresses                    no       -',
    ];
    expect(await explain('c0ffee', '10.0.0.4:30080')).toEqual(
      success(
        ...outputOf(
          'Leaves as 10.244.1.254 (source VIP), to 10.244.2.7:8080.',
          'Load balancer e5e6032f (node addresses 30080->8080/tcp) redirects the traffic.',
          'Without direct server return, HNS translates the source to the source VIP; OutBoundNAT does not apply.',
          leftover,
          '',
          ends,
          ...routes,
          'OutBoundNAT    policy 1: exception 10.0.0.0/8            yes      -        the load balancer decides',
          'OutBoundNAT    HNS default: exception 10.244.1.0/24      no       -',
          'OutBoundNAT    policy 1: all other destinations          no       -',
        ),
      ),
    );
    await node.hcn.deleteEndpoint(remote);
    expect(await explain('c0ffee', '10.0.0.4:30080')).toEqual(
      success(
        ...outputOf(
          'Lost: the backends of load balancer e5e6032f do not exist.',
          'Load balancer e5e6032f (node addresses 30080->8080/tcp) redirects the traffic.',
          leftover,
          '',
          ends,
          ...routes,
        ),
      ),
    );
  });

  test('the same as JSON and YAML', async () => {
    const exceptions = { Type: 'OutBoundNAT', Settings: { Exceptions: ['8.8.0.0/16'] } };
    await node.hcn.addPolicies(legacy, [exceptions, blockedDns]);
    const { stdout, ...rest } = await explain('c0ffee', '8.8.8.8:53/udp', '-o', 'json');
    expect(rest).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      container: 'c0ffee',
      destination: { address: '8.8.8.8', port: 53, protocol: 17 },
      endpoints: [
        {
          endpoint: legacy,
          network: 'l2bridge',
          addresses: ['10.244.1.30'],
          macAddress: '00-15-5D-52-C0-02',
          says: [
            'Leaves as 10.244.1.30 (pod address).',
            '8.8.0.0/16 is an OutBoundNAT exception (policy 1).',
            leftover,
          ],
          acls: { action: 'Block', sentence: 'But an ACL blocks it: priority 100 (udp, remote port 53).' },
          open: false,
          lines: [
            { stage: 'route', line: '10.244.1.30/24 on-link', matches: 'no', decides: 'no' },
            { stage: 'route', line: '0.0.0.0/0 via 10.244.1.1', matches: 'yes', decides: 'yes' },
            { stage: 'load balancer', line: '1 with other addresses', matches: 'no', decides: 'no' },
            { stage: 'OutBoundNAT', line: 'policy 1: exception 8.8.0.0/16', matches: 'yes', decides: 'yes' },
            {
              stage: 'OutBoundNAT',
              line: 'HNS default: exception 10.244.1.0/24',
              matches: 'no',
              decides: 'no',
            },
            { stage: 'OutBoundNAT', line: 'policy 1: all other destinations', matches: 'no', decides: 'no' },
          ],
        },
      ],
      note: legacyNote,
    });
    expect((await explain('0e12d1', '8.8.8.8', '-o', 'yaml')).stdout).toContain(`container: ${container}\n`);
  });

  test('deciding rules in bold on a terminal', async () => {
    const { stdout } = await runCli(['explain-nat', 'c0ffee', '8.8.8.8'], {
      system: node.outside,
      width: 120,
    });
    expect(stdout).toContain(
      '\u001b[1mLeaves as 10.244.1.30 (pod address).\u001b[22m\nNo OutBoundNAT policy.\n',
    );
    expect(stdout).toContain('\u001b[1m0.0.0.0/0 via 10.244.1.1\u001b[22m');
  });
});
