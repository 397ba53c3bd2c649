import { expect, test } from 'vitest';
import { acceptedRanges, refusedRanges } from './refused-ranges.ts';
import { problem, runCli, success } from './run-cli.ts';

const v4 = [{ subnet: '10.244.1.0/24' }];
const dualStack = [...v4, { subnet: 'fd00:1::/64' }];

/** Checks a conflist for win-hcn with one member of the plugin on each line, from line 2. */
function check(members: Readonly<Record<string, unknown>>) {
  const lines = Object.entries({
    type: 'win-hcn',
    networkType: 'L2Bridge',
    subnets: v4,
    ...members,
    createNetwork: 'never',
  })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  const text = `{ "cniVersion": "1.0.0", "name": "n", "plugins": [{\n${lines.join(',\n')} }] }`;
  return runCli(['config', 'check', 'net.conflist'], { files: { 'net.conflist': text } });
}

/** What is printed for these problems or warnings. */
function found(kind: 'problem' | 'warning', lines: readonly string[]) {
  const printed = kind === 'problem' ? problem : success;
  return printed(
    ...lines.map((line) => `net.conflist:${line}`),
    'net.conflist: /plugins/0: win-hcn configuration, network type L2Bridge',
    `net.conflist: ${lines.length} ${kind}${lines.length === 1 ? '' : 's'}`,
  );
}

const unlike = 'but the network has 10.244.1.0/24: ADD fails';

test.each<[string, object, ...string[]]>([
  [
    'as subnet',
    { subnet: '10.245.1.0/24' },
    `5:39: problem: /plugins/0/ipam/subnet is "10.245.1.0/24", ${unlike}`,
  ],
  [
    'as rangeStart and rangeEnd, at the first',
    { subnet: '10.244.0.0/16', rangeStart: '10.244.2.10', rangeEnd: '10.244.2.20' },
    `5:68: problem: /plugins/0/ipam/rangeStart is "10.244.2.10", ${unlike}`,
  ],
  [
    'in ranges, and the first range of each set that host-local can read',
    { ranges: [[{ subnet: '10.9.0.0/24' }, { subnet: 'x' }], [{ subnet: '10.8.0.0/24' }]] },
    `5:51: problem: /plugins/0/ipam/ranges/0/0/subnet is "10.9.0.0/24", ${unlike}`,
    '5:76: problem: /plugins/0/ipam/ranges/0/1/subnet is "x", not a subnet such as "10.244.1.0/24": host-local refuses every ADD',
    `5:93: problem: /plugins/0/ipam/ranges/1/0/subnet is "10.8.0.0/24", ${unlike}`,
  ],
  [
    'in ranges of another family',
    { ranges: [[{ subnet: '10.244.1.0/24' }], [{ subnet: 'fd00:1::/64' }]] },
    '5:80: problem: /plugins/0/ipam/ranges/1/0/subnet is "fd00:1::/64", but the network has no IPv6 subnet: ADD fails',
  ],
])('config check refuses ranges of host-local outside of the subnets %s', async (_, ranges, ...lines) => {
  expect(await check({ ipam: { type: 'host-local', ...ranges } })).toEqual(found('problem', lines));
});

test.each(refusedRanges)('config check refuses what host-local refuses: %s', async (_, ipam, line) => {
  expect(await check({ subnets: dualStack, ipam: { type: 'host-local', ...ipam } })).toEqual(
    found('problem', [`5:${line}: host-local refuses every ADD`]),
  );
});

const some = 'but the network has 10.244.1.0/24: ADD fails for addresses that the network does not have';

test.each<[string, object, ...string[]]>([
  [
    'ranges with some addresses outside of the subnets',
    {
      ipam: {
        type: 'host-local',
        ranges: [
          [
            { subnet: '10.244.0.0/16', rangeStart: '10.244.1.10', rangeEnd: '10.244.2.20' },
            { subnet: '10.244.0.0/16', rangeEnd: '10.244.1.9' },
            { subnet: '10.245.1.0/24' },
          ],
        ],
      },
    },
    `5:105: warning: /plugins/0/ipam/ranges/0/0/rangeEnd is "10.244.2.20", ${some}`,
    `5:130: warning: /plugins/0/ipam/ranges/0/1/subnet is "10.244.0.0/16", ${some}`,
    `5:181: warning: /plugins/0/ipam/ranges/0/2/subnet is "10.245.1.0/24", ${some}`,
  ],
  [
    'a family without a range',
    { subnets: dualStack, ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.1.0/24' }]] } },
    '5:1: warning: /plugins/0/ipam has no IPv6 range, but the network has fd00:1::/64: pods get no IPv6 address',
  ],
  [
    'misspelled capabilities',
    { capabilities: { portMapping: true, DNS: true, ips: true, other: true, ipRange: false } },
    '5:18: warning: /plugins/0/capabilities/portMapping is not a known capability, so the runtime passes no values; did you mean "portMappings"?',
    '5:37: warning: /plugins/0/capabilities/DNS is not a known capability, so the runtime passes no values; did you mean "dns"?',
  ],
])('config check warns about %s', async (_, members, ...lines) => {
  expect(await check({ ...members })).toEqual(found('warning', lines));
});

test.each<[string, object, object, string?]>([
  ['has', {}, {}, '10.244.1.2'],
  ['has, at an address of its own', { address: '10.244.1.9' }, {}, '10.244.1.9'],
  ['does not have', {}, { rangeStart: '10.244.1.3' }],
  ['does not assign', {}, { gateway: '10.244.1.2' }],
])('config check warns if host-local %s the host endpoint', async (_, hostEndpoint, range, address) => {
  const ipam = { type: 'host-local', subnet: '10.244.1.0/24', ...range };
  const { stdout } = await check({ hostEndpoint, ipam });
  const warning = `warning: /plugins/0/ipam/subnet has ${address}, the address of hostEndpoint: start after it, with rangeStart`;
  expect(stdout.match(/warning: .*/g) ?? []).toEqual(address === undefined ? [] : [warning]);
});

test("config check warns about ranges outside of the subnet of another plugin's configuration", async () => {
  const ipam = { type: 'host-local', subnet: '10.244.1.0/24', ranges: [[{ subnet: '10.245.1.0/24' }]] };
  const text = JSON.stringify({ cniVersion: '1.0.0', name: 'n', type: 'sdnbridge', ipam }, undefined, 1);
  expect(await runCli(['config', 'check', 'net.conf'], { files: { 'net.conf': text } })).toEqual(
    success(
      `net.conf:11:16: warning: /ipam/ranges/0/0/subnet is "10.245.1.0/24", ${some}`,
      'net.conf: sdnbridge configuration, network type L2Bridge',
      'net.conf: 1 warning',
    ),
  );
});

test.each<[string, object]>([
  ...acceptedRanges.map(([name, ipam]): [string, object] => [
    name,
    { ipam: { type: 'host-local', ...ipam } },
  ]),
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
  ['ranges that only the runtime passes', { capabilities: { ipRanges: true }, ipam: { type: 'host-local' } }],
  [
    'ranges on a network that it does not describe',
    { subnets: undefined, createNetwork: 'never', ipam: { type: 'host-local', subnet: '10.9.0.0/24' } },
  ],
])('config check accepts %s', async (_, members) => {
  const { stdout } = await check({ ...members });
  expect(stdout).toContain('net.conflist: no problems\n');
});
