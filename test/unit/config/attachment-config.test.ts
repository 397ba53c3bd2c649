import { describe, expect, test } from 'vitest';
import { readAttachmentConfig, readRuntimeDns } from '../../../src/config/attachment-config.ts';
import { collectProblems } from '../../../src/config/problems.ts';
import type { JsonObject } from '../../../src/json/members.ts';

function read(json: JsonObject, cniArgs = '') {
  const problems = collectProblems();
  return { ...readAttachmentConfig(json, cniArgs, problems), problems: problems.found() };
}
const ofRuntime = (runtimeConfig: object) => read({ runtimeConfig });
const none = {
  portMappings: [],
  egressBytes: undefined,
  macAddress: undefined,
  addresses: [],
  problems: [],
};
const invalid = (path: string, found: unknown, expected: string) => ({
  kind: 'invalid',
  path,
  found,
  expected,
});

describe('a MAC address and addresses', () => {
  const runtime = { MAC: '02-11-00-00-00-01', ips: ['10.0.0.1/24'] };
  const args = { mac: '02-11-00-00-00-02', IPs: ['10.0.0.2'] };
  const cniArgs = 'MAC=02-11-00-00-00-03;IP=10.0.0.3,fd00::3/64';

  test.each([
    [
      'of runtimeConfig come first',
      { runtimeConfig: runtime, args: { cni: args } },
      cniArgs,
      '01',
      ['10.0.0.1/24'],
    ],
    ['of args.cni come next', { args: { CNI: args } }, cniArgs, '02', ['10.0.0.2']],
    [
      'that are empty count as absent',
      { runtimeConfig: { mac: '', ips: [null, ''] }, args: { cni: { mac: null, ips: [] } } },
      cniArgs,
      '03',
      ['10.0.0.3', 'fd00::3/64'],
    ],
  ])('%s', (_, json, given, octet, addresses) => {
    expect(read(json, given)).toEqual({ ...none, macAddress: `02-11-00-00-00-${octet}`, addresses });
  });

  test('must be a list, in which no entry is empty', () => {
    expect(ofRuntime({ ips: '10.0.0.1' }).problems).toEqual([
      invalid('/runtimeConfig/ips', '10.0.0.1', 'a list of IP addresses'),
    ]);
    expect(ofRuntime({ ips: ['10.0.0.1', ''] }).problems).toEqual([
      invalid('/runtimeConfig/ips', '', 'an IP address'),
    ]);
  });
});

describe('a port mapping', () => {
  const mapping = { protocol: 'tcp', hostPort: 8080, containerPort: 80 } as const;

  test('cannot have the port "80"', () => {
    const hostPort = '80';
    expect(ofRuntime({ portMappings: [mapping, { ...mapping, hostPort }] })).toMatchObject({
      portMappings: [mapping, { ...mapping, hostPort: 0 }],
      problems: [invalid('/runtimeConfig/portMappings/1/hostPort', hostPort, 'a port from 1 to 65535')],
    });
  });

  test('must be in a list', () => {
    expect(ofRuntime({ portMappings: { hostPort: 80 } })).toEqual({
      ...none,
      problems: [invalid('/runtimeConfig/portMappings', { hostPort: 80 }, 'a list')],
    });
  });
});

describe('a bandwidth', () => {
  const least = 'bits per second, at least 8';

  test.each([
    [[], [invalid('/runtimeConfig/bandwidth', [], 'an object')]],
    [{ egressRate: 7 }, [invalid('/runtimeConfig/bandwidth/egressRate', 7, least)]],
  ])('of %j is refused', (bandwidth, problems) => {
    expect(ofRuntime({ bandwidth })).toEqual({ ...none, problems });
  });
});

describe('the ranges of addresses', () => {
  const ipRanges = [[{ subnet: '10.0.0.0/24' }]];
  const refused = [
    {
      kind: 'unsupported',
      path: '/runtimeConfig/ipRanges',
      found: ipRanges,
      reason: 'only an IPAM plugin can assign addresses from ranges',
    },
  ];

  test("need an IPAM plugin: { ipam: 'host-local' }", () => {
    expect(read({ ipam: 'host-local', runtimeConfig: { ipRanges } })).toEqual({
      ...none,
      problems: refused,
    });
  });
});

test('errors and notices about DNS settings of the runtime have the names of runtimeConfig', () => {
  const problems = collectProblems();
  const dns = { Servers: ['x'], SEARCHES: ['a b', 'c,d'], options: ['\n\u0001'] };
  expect(readRuntimeDns({ runtimeConfig: { dns } }, problems)).toEqual({
    dns: { search: ['a', 'b', 'c', 'd'] },
    ignoredDns: [
      'DNS entry ignored: /runtimeConfig/dns/servers/0 is "x", expected an IP address (and 1 more)',
    ],
  });
  expect(problems.found()).toEqual([]);
  readRuntimeDns({ runtimeConfig: { dns: { servers: 'x', searches: [1], options: {} } } }, problems);
  expect(problems.found()).toEqual([
    invalid('/runtimeConfig/dns/servers', 'x', 'a list of strings'),
    invalid('/runtimeConfig/dns/searches', [1], 'a list of strings'),
    invalid('/runtimeConfig/dns/options', {}, 'a list of strings'),
  ]);
  expect(readRuntimeDns({}, problems)).toEqual({ dns: {}, ignoredDns: [] });
});
