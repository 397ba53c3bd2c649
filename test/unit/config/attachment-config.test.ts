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

test.each([{}, { runtimeConfig: null, args: null }, { runtimeConfig: [], args: { cni: 'x' } }])(
  '%j has no settings of the runtime',
  (json) => {
    expect(read(json)).toEqual(none);
  },
);

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
    ['of CNI_ARGS come last', {}, cniArgs, '03', ['10.0.0.3', 'fd00::3/64']],
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

  const mac = 'a unicast MAC address such as 02-11-0A-00-00-02';

  test.each([
    [{ runtimeConfig: { mac: 'x', ips: ['y'] } }, '', '/runtimeConfig/mac', '/runtimeConfig/ips'],
    [{ args: { cni: { mac: 'x', ips: ['y'] } } }, '', '/args/cni/mac', '/args/cni/ips'],
    [{}, 'MAC=x;IP=y', 'CNI_ARGS', 'CNI_ARGS'],
  ])('%j %s: an invalid one is refused with its place', (json, given, macPath, ipsPath) => {
    expect(read(json, given).problems).toEqual([
      invalid(macPath, 'x', mac),
      invalid(ipsPath, 'y', 'an IP address'),
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
  const mapping = { protocol: 'tcp', hostPort: 8080, containerPort: 80 } as const;

  test('can have any port from 1 to 65535, and counts once', () => {
    const portMappings = [
      { HostPort: 1, ContainerPort: 65535, Protocol: 'UDP' },
      { hostPort: 65535, containerPort: 1 },
      { hostPort: 65535, containerPort: 1, protocol: 'TCP', hostIP: '' },
    ];
    expect(ofRuntime({ portMappings })).toEqual({
      ...none,
      portMappings: [
        { protocol: 'udp', hostPort: 1, containerPort: 65535 },
        { protocol: 'tcp', hostPort: 65535, containerPort: 1 },
      ],
    });
  });

  test.each([0, 65536, 1.5, -1, '80', null, {}])('cannot have the port %j', (hostPort) => {
    expect(ofRuntime({ portMappings: [mapping, { ...mapping, hostPort }] })).toMatchObject({
      portMappings: [mapping, { ...mapping, hostPort: 0 }],
      problems: [invalid('/runtimeConfig/portMappings/1/hostPort', hostPort, 'a port from 1 to 65535')],
    });
  });

  test('needs both ports', () => {
    const missing = (name: string) => ({
      kind: 'missing',
      path: `/runtimeConfig/portMappings/0/${name}`,
      expected: 'a port from 1 to 65535',
    });
    expect(ofRuntime({ portMappings: [null] }).problems).toEqual([
      missing('hostPort'),
      missing('containerPort'),
    ]);
  });

  test.each([
    [{ protocol: 'sctp' }, '/0/protocol', 'sctp', '"tcp" or "udp"'],
    [{ protocol: 6 }, '/0/protocol', 6, '"tcp" or "udp"'],
    [{ hostIP: 'x' }, '/0/hostIP', 'x', 'an IP address'],
  ])('with %j is refused', (change, path, found, expected) => {
    expect(ofRuntime({ portMappings: [{ ...mapping, ...change }] }).problems).toEqual([
      invalid(`/runtimeConfig/portMappings${path}`, found, expected),
    ]);
  });

  test.each([
    ['0.0.0.0', { family: 'IPv4' }],
    ['::', { family: 'IPv6' }],
    ['0:0::0', { family: 'IPv6' }],
    ['::1', { hostIP: '::1' }],
    ['10.0.0.4', { hostIP: '10.0.0.4' }],
    ['', {}],
    [null, {}],
  ])('on hostIP %j is on %j', (hostIP, on) => {
    expect(ofRuntime({ portMappings: [{ ...mapping, hostIP }] })).toEqual({
      ...none,
      portMappings: [{ ...mapping, ...on }],
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
  test.each([
    [null, undefined],
    [{}, undefined],
    [{ egressRate: 0, ingressRate: 0 }, undefined],
    [{ egressRate: null, ingressRate: null }, undefined],
    [{ egressRate: 8 }, 1],
    [{ EgressRate: 15, IngressRate: 0 }, 1],
    [{ egressRate: 16 }, 2],
  ])('of %j bits is a limit of %j bytes', (bandwidth, egressBytes) => {
    expect(ofRuntime({ bandwidth })).toEqual({ ...none, egressBytes });
  });

  const least = 'bits per second, at least 8';

  test.each([
    [7, [invalid('/runtimeConfig/bandwidth', 7, 'an object')]],
    [[], [invalid('/runtimeConfig/bandwidth', [], 'an object')]],
    [{ egressRate: 7 }, [invalid('/runtimeConfig/bandwidth/egressRate', 7, least)]],
    [{ egressRate: '8' }, [invalid('/runtimeConfig/bandwidth/egressRate', '8', least)]],
    [
      { ingressRate: 8 },
      [
        {
          kind: 'unsupported',
          path: '/runtimeConfig/bandwidth/ingressRate',
          found: 8,
          reason: "HCN can limit only an endpoint's outgoing traffic",
        },
      ],
    ],
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

  test.each([
    [{}, refused],
    [{ ipam: {} }, refused],
    [{ ipam: { type: '' } }, refused],
    [{ ipam: 'host-local' }, refused],
    [{ ipam: { type: 'host-local' } }, []],
  ])('need an IPAM plugin: %j', (json, problems) => {
    expect(read({ ...json, runtimeConfig: { ipRanges } })).toEqual({ ...none, problems });
  });

  test.each([[[]], [null], ['x']])('%j are none', (ranges) => {
    expect(ofRuntime({ ipRanges: ranges })).toEqual(none);
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
