import { describe, expect, test } from 'vitest';
import { acceptedRanges, refusedRanges } from './refused-ranges.ts';
import { type CliEnvironment, type Printed, problem, runCli, success } from './run-cli.ts';

const file = 'net.conflist';

/** A conflist for win-hcn with one member of the plugin on each line, from line 2. */
function conflist(members: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries({ type: 'win-hcn', networkType: 'L2Bridge', ...members })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return `{ "cniVersion": "1.0.0", "name": "n", "plugins": [{\n${lines.join(',\n')} }] }`;
}

const v4 = [{ subnet: '10.244.1.0/24' }];
const dualStack = [...v4, { subnet: 'fd00:1::/64' }];

function check(
  members: Readonly<Record<string, unknown>>,
  environment: CliEnvironment = {},
): Promise<Printed> {
  return runCli(['config', 'check', file], {
    ...environment,
    files: { ...environment.files, [file]: conflist(members) },
  });
}

/** Warnings, and what follows them. */
function warned(...lines: readonly string[]): Printed {
  return success(
    ...lines.map((line) => `net.conflist:${line}`),
    'net.conflist: /plugins/0: win-hcn configuration, network type L2Bridge',
    `net.conflist: ${lines.length} warning${lines.length === 1 ? '' : 's'}`,
  );
}

/** Problems, and what follows them. */
function refused(...lines: readonly string[]): Printed {
  return problem(
    ...lines.map((line) => `net.conflist:${line}`),
    'net.conflist: /plugins/0: win-hcn configuration, network type L2Bridge',
    `net.conflist: ${lines.length} problem${lines.length === 1 ? '' : 's'}`,
  );
}

describe('config check refuses ranges of host-local outside of the subnets', () => {
  test.each([
    [
      'as subnet',
      { subnet: '10.245.1.0/24' },
      '5:39: problem: /plugins/0/ipam/subnet is "10.245.1.0/24", but the network has 10.244.1.0/24: ADD fails',
    ],
    [
      'as rangeStart and rangeEnd, at the first',
      { subnet: '10.244.0.0/16', rangeStart: '10.244.2.10', rangeEnd: '10.244.2.20' },
      '5:68: problem: /plugins/0/ipam/rangeStart is "10.244.2.10", but the network has 10.244.1.0/24: ADD fails',
    ],
    [
      'in ranges',
      { ranges: [[{ subnet: '10.245.1.0/24' }, { subnet: '10.246.1.0/24' }]] },
      '5:51: problem: /plugins/0/ipam/ranges/0/0/subnet is "10.245.1.0/24", but the network has 10.244.1.0/24: ADD fails',
    ],
    [
      'in ranges of another family',
      { ranges: [[{ subnet: '10.244.1.0/24' }], [{ subnet: 'fd00:1::/64' }]] },
      '5:80: problem: /plugins/0/ipam/ranges/1/0/subnet is "fd00:1::/64", but the network has no IPv6 subnet: ADD fails',
    ],
  ])('%s', async (_, ranges, line) => {
    expect(await check({ subnets: v4, ipam: { type: 'host-local', ...ranges } })).toEqual(refused(line));
  });
});

describe('config check refuses what host-local refuses:', () => {
  test.each<[string, object, string]>(refusedRanges)('%s', async (_, ipam, line) => {
    expect(await check({ subnets: dualStack, ipam: { type: 'host-local', ...ipam } })).toEqual(
      refused(`5:${line}: host-local refuses every ADD`),
    );
  });

  test('one range, and checks the others', async () => {
    const ranges = [[{ subnet: '10.9.0.0/24' }, { subnet: 'x' }], [{ subnet: '10.8.0.0/24' }]];
    expect(await check({ subnets: v4, ipam: { type: 'host-local', ranges } })).toEqual(
      refused(
        '5:51: problem: /plugins/0/ipam/ranges/0/0/subnet is "10.9.0.0/24", but the network has 10.244.1.0/24: ADD fails',
        '5:76: problem: /plugins/0/ipam/ranges/0/1/subnet is "x", not a subnet such as "10.244.1.0/24": host-local refuses every ADD',
        '5:93: problem: /plugins/0/ipam/ranges/1/0/subnet is "10.8.0.0/24", but the network has 10.244.1.0/24: ADD fails',
      ),
    );
  });
});

describe('config check warns about', () => {
  test('ranges with some addresses outside of the subnets', async () => {
    const ranges = [
      [
        { subnet: '10.244.0.0/16', rangeStart: '10.244.1.10', rangeEnd: '10.244.2.20' },
        { subnet: '10.244.0.0/16', rangeEnd: '10.244.1.9' },
        { subnet: '10.245.1.0/24' },
      ],
    ];
    expect(await check({ subnets: v4, ipam: { type: 'host-local', ranges } })).toEqual(
      warned(
        '5:105: warning: /plugins/0/ipam/ranges/0/0/rangeEnd is "10.244.2.20", but the network has 10.244.1.0/24: ADD fails for other addresses',
        '5:130: warning: /plugins/0/ipam/ranges/0/1/subnet is "10.244.0.0/16", but the network has 10.244.1.0/24: ADD fails for other addresses',
        '5:181: warning: /plugins/0/ipam/ranges/0/2/subnet is "10.245.1.0/24", but the network has 10.244.1.0/24: ADD fails for other addresses',
      ),
    );
  });

  test("ranges outside of the subnet of another plugin's configuration, whose network may have another", async () => {
    const ipam = {
      type: 'host-local',
      subnet: '10.244.1.0/24',
      ranges: [[{ subnet: '10.245.1.0/24' }]],
    };
    const text = JSON.stringify({ cniVersion: '1.0.0', name: 'n', type: 'sdnbridge', ipam }, undefined, 1);
    expect(await runCli(['config', 'check', 'net.conf'], { files: { 'net.conf': text } })).toEqual(
      success(
        'net.conf:11:16: warning: /ipam/ranges/0/0/subnet is "10.245.1.0/24", but the network has 10.244.1.0/24: ADD fails unless the existing network has these addresses',
        'net.conf: sdnbridge configuration, network type L2Bridge',
        'net.conf: 1 warning',
      ),
    );
  });

  test('a family without a range', async () => {
    expect(
      await check({
        subnets: dualStack,
        ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.1.0/24' }]] },
      }),
    ).toEqual(
      warned(
        '5:1: warning: /plugins/0/ipam has no IPv6 range, but the network has fd00:1::/64: pods get no IPv6 address',
      ),
    );
  });

  test('a misspelled capability', async () => {
    const capabilities = {
      portMapping: true,
      DNS: true,
      bandwith: true,
      ips: true,
      other: true,
      ipRange: false,
    };
    const warning = (column: number, name: string, meant: string) =>
      `5:${column}: warning: /plugins/0/capabilities/${name} is not a known capability, so the runtime passes no values; did you mean "${meant}"?`;
    expect(await check({ subnets: v4, capabilities })).toEqual(
      warned(
        warning(18, 'portMapping', 'portMappings'),
        warning(37, 'DNS', 'dns'),
        warning(48, 'bandwith', 'bandwidth'),
      ),
    );
  });

  test('two ACLs of one direction, match and priority with opposite actions', async () => {
    const acl = { direction: 'In', priority: 200, protocols: ['tcp'], localPorts: [80] };
    const acls = [
      { action: 'Allow', ...acl },
      { action: 'Block', ...acl },
    ];
    expect(await check({ subnets: v4, defaultAction: 'Allow', acls })).toEqual(
      warned(
        '6:99: warning: /plugins/0/acls/1 (Block) ties with /plugins/0/acls/0 (Allow): direction In, priority 200, overlapping traffic; HNS chooses which one applies: give them different priorities',
      ),
    );
  });

  test('ports with protocols that have none', async () => {
    const acls = [
      { action: 'Allow', direction: 'In', protocols: ['icmp', 47], localPorts: [80], remotePorts: [81] },
      { action: 'Allow', direction: 'Out', protocols: ['tcp', 'icmpv6'], remotePorts: [443] },
      { action: 'Allow', direction: 'Out', protocols: ['tcp', 132, 256], remotePorts: [80] },
      { action: 'Allow', direction: 'Out', protocols: ['igmp'] },
    ];
    expect(await check({ subnets: v4, defaultAction: 'Allow', acls })).toEqual(
      warned(
        '6:82: warning: /plugins/0/acls/0/localPorts is set, but icmp and protocol 47 have no ports; HNS may refuse or ignore them: use a separate rule without ports',
        '6:101: warning: /plugins/0/acls/0/remotePorts is set, but icmp and protocol 47 have no ports; HNS may refuse or ignore them: use a separate rule without ports',
        '6:186: warning: /plugins/0/acls/1/remotePorts is set, but icmpv6 has no ports; HNS may refuse or ignore them: use a separate rule without ports',
      ),
    );
  });

  test('addresses of both families in one rule', async () => {
    const acls = [
      { action: 'Allow', direction: 'In', remoteAddresses: ['10.0.0.0/8', 'fd00::/8'] },
      { action: 'Allow', direction: 'Out', localAddresses: ['10.244.1.0/24'], remoteAddresses: ['fd00::1'] },
      { action: 'Allow', direction: 'Out', localAddresses: ['fd00:1::/64'], remoteAddresses: ['fd00::1'] },
    ];
    expect(await check({ subnets: dualStack, defaultAction: 'Allow', acls })).toEqual(
      warned(
        '6:63: warning: /plugins/0/acls/0/remoteAddresses has IPv4 and IPv6 addresses, which HNS may refuse: use a separate rule for each family',
      ),
    );
  });
});

describe('config check warns about an IPAM plugin', () => {
  const ipam = { type: 'host-locl', subnet: '10.244.1.0/24' };
  const bin = 'C:\\Program Files\\containerd\\cni\\bin';
  const installed = {
    [`${bin}\\win-hcn.exe`]: '',
    [`${bin}\\host-local.exe`]: '',
    [`${bin}\\README.md`]: '',
  };

  test('whose name is like that of a known one', async () => {
    expect(await check({ subnets: v4, ipam })).toEqual(
      warned(
        '5:17: warning: /plugins/0/ipam/type is "host-locl", which is not a known IPAM plugin; did you mean "host-local"?',
      ),
    );
  });

  test("that is not in the runtime's folder, with the plugins in it", async () => {
    expect(await check({ subnets: v4, ipam }, { files: installed })).toEqual(
      warned(
        `5:17: warning: /plugins/0/ipam/type is "host-locl", which is not in ${bin} (plugins: host-local, win-hcn); did you mean "host-local"?`,
      ),
    );
  });

  test('that is not in CNI_PATH', async () => {
    const environment = { CNI_PATH: '/opt/cni/bin:/nowhere' };
    const files = { '/opt/cni/bin/static': '', '/opt/cni/bin/bridge': '' };
    expect(await check({ subnets: v4, ipam: { type: 'whereabouts' } }, { environment, files })).toEqual(
      warned(
        '5:17: warning: /plugins/0/ipam/type is "whereabouts", which is not in /opt/cni/bin (plugins: bridge, static)',
      ),
    );
  });

  test.each([
    ['that is installed', { files: { ...installed, [`${bin}\\host-locl.exe`]: '' } }, ipam],
    [
      'that is known, if the folder of win-hcn is unknown',
      { files: { [`${bin}\\host-local.exe`]: '' } },
      { type: 'static' },
    ],
    ['that is unknown, if the folder of win-hcn is unknown', {}, { type: 'custom' }],
  ])('but not about one %s', async (_, environment, given) => {
    const { stdout } = await check({ subnets: v4, ipam: given }, environment);
    expect(stdout).toBe(
      'net.conflist: /plugins/0: win-hcn configuration, network type L2Bridge\nnet.conflist: no problems\n',
    );
  });
});

test.each(acceptedRanges)('config check accepts %s', async (_, ipam) => {
  const { stdout } = await check({ subnets: dualStack, ipam: { type: 'host-local', ...ipam } });
  expect(stdout).not.toContain('problem:');
});

describe('config check accepts without warnings', () => {
  test.each<[string, object]>([
    ['ranges in a subnet', { ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.1.0/25' }]] } }],
    [
      'a larger subnet whose range is in the subnet',
      {
        ipam: {
          type: 'host-local',
          subnet: '10.244.0.0/16',
          rangeStart: '10.244.1.2',
          rangeEnd: '10.244.1.99',
        },
      },
    ],
    ['keys of other IPAM plugins', { ipam: { type: 'custom', subnet: '10.9.0.0/16', ranges: [] } }],
    [
      'a family whose ranges the runtime passes',
      {
        subnets: dualStack,
        capabilities: { ipRanges: true },
        ipam: { type: 'host-local', subnet: '10.244.1.0/24' },
      },
    ],
    [
      'ranges on a network that it does not describe',
      { subnets: undefined, createNetwork: 'never', ipam: { type: 'host-local', subnet: '10.9.0.0/24' } },
    ],
  ])('%s', async (_, members) => {
    const { stdout } = await check({ subnets: v4, ...members });
    expect(stdout).toContain('net.conflist: no problems\n');
  });
});
