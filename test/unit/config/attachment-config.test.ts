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

  test('of CNI_ARGS are reported with their pair', () => {
    expect(read({}, 'IP=10.0.0.1,x;MAC=zz').problems).toEqual([
      invalid('CNI_ARGS: MAC', 'zz', 'a unicast MAC address such as 02-11-0A-00-00-02'),
      invalid('CNI_ARGS: IP', 'x', 'an IP address'),
    ]);
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
  const port = 'a port from 1 to 65535';
  const mapping = { protocol: 'tcp', hostPort: 8080, containerPort: 80 } as const;

  test.each([
    [{ protocol: 'UDP' }, { protocol: 'udp' }],
    [{ protocol: null, hostIP: '' }, {}],
    [{ hostPort: 1 }, { hostPort: 1 }],
    [{ hostPort: 65535 }, { hostPort: 65535 }],
    [{ hostIP: '0.0.0.0' }, { family: 'IPv4' }],
    [{ hostIP: '::' }, { family: 'IPv6' }],
    [{ hostIP: 'FD00::0A' }, { hostIP: 'fd00::a' }],
  ])('counts once: %j is %j', (given, expected) => {
    const one = { ...mapping, ...given };
    const portMappings = [{ ...mapping, ...expected }];
    expect(ofRuntime({ portMappings: [one, one] })).toEqual({ ...none, portMappings });
  });

  test.each([
    ['hostPort', '80', port],
    ['hostPort', 0, port],
    ['hostPort', 1.5, port],
    ['containerPort', 65536, port],
    ['protocol', 'sctp', '"tcp" or "udp"'],
    ['hostIP', 'x', 'an IP address'],
  ])('cannot have the %s %j', (key, found, expected) => {
    expect(ofRuntime({ portMappings: [mapping, { ...mapping, [key]: found }] }).problems).toEqual([
      invalid(`/runtimeConfig/portMappings/1/${key}`, found, expected),
    ]);
  });

  test.each(['hostPort', 'containerPort'])('has a %s', (key) => {
    const path = `/runtimeConfig/portMappings/0/${key}`;
    expect(ofRuntime({ portMappings: [{ ...mapping, [key]: undefined }] }).problems).toEqual([
      { kind: 'missing', path, expected: port },
    ]);
  });

  test('must be in a list', () => {
    expect(ofRuntime({ portMappings: { hostPort: 80 } })).toEqual({
      ...none,
      problems: [invalid('/runtimeConfig/portMappings', { hostPort: 80 }, 'a list')],
    });
  });
});

describe('a bandwidth', () => {
  const ingress = '/runtimeConfig/bandwidth/ingressRate';
  const reason = "HCN can limit only an endpoint's outgoing traffic";
  const least = 'bits per second, at least 8';

  test.each([
    [[], [invalid('/runtimeConfig/bandwidth', [], 'an object')]],
    [{ egressRate: 7 }, [invalid('/runtimeConfig/bandwidth/egressRate', 7, least)]],
    [{ egressRate: '8' }, [invalid('/runtimeConfig/bandwidth/egressRate', '8', least)]],
    [{ ingressRate: 8 }, [{ kind: 'unsupported', path: ingress, found: 8, reason }]],
  ])('of %j is refused', (bandwidth, problems) => {
    expect(ofRuntime({ bandwidth })).toEqual({ ...none, problems });
  });
});

describe('the ranges of addresses', () => {
  const ipRanges = [[{ subnet: '10.0.0.0/24' }]];
  const reason = 'only an IPAM plugin can assign addresses from ranges';
  const refused = [{ kind: 'unsupported', path: '/runtimeConfig/ipRanges', found: ipRanges, reason }];

  test.each([
    ['host-local', ipRanges, refused],
    [{ type: '' }, ipRanges, refused],
    [{ type: 'host-local' }, ipRanges, []],
    [undefined, [], []],
  ])('need an IPAM plugin: with ipam %j, %j', (ipam, ranges, problems) => {
    expect(read({ ipam, runtimeConfig: { ipRanges: ranges } })).toEqual({ ...none, problems });
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
