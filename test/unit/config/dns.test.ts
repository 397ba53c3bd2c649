import { describe, expect, test } from 'vitest';
import type { Dns } from '../../../src/cni/result.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointDns, endpointDocument } from '../../../src/plan/endpoint.ts';
import { resolveNetwork } from '../../../src/plan/network-plan.ts';
import { example } from '../../e2e/example.ts';

const plain = example('l2bridge', { dns: undefined });
const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'l2bridge' };
const ips = [{ address: '10.244.1.9/24' }];

const aName = 'a DNS name of at most 253 characters, without white space and commas';
const anOption = 'a resolver option of at most 253 characters, without control characters';

/** The Dns of the endpoint's document for the settings of a source, and how errors and notices name a member. */
const sources = {
  'the configuration': {
    read: (dns: Dns) => dnsFor({ dns }),
    name: (member: string) => `invalid network configuration: /dns/${member}`,
  },
  'the runtime': {
    read: ({ nameservers: servers, search: searches, options }: Dns) =>
      dnsFor({ runtimeConfig: { dns: { servers, searches, options } } }),
    name: (member: string) =>
      `/runtimeConfig/dns/${member.replace('nameservers', 'servers').replace('search', 'searches')}`,
  },
  'the IPAM plugin': {
    read: (dns: Dns) => dnsFor({}, dns),
    name: (member: string) => `dns/${member} of the IPAM plugin`,
  },
} as const;
const { 'the configuration': configuration, ...others } = sources;

function dnsFor(changes: object, dns: Dns = {}) {
  const config = readNetworkConfig({ ...plain, ...changes });
  const assignment = { ips, routes: [], dns };
  const { Dns } = endpointDocument(config, attachment, resolveNetwork(config, undefined), assignment);
  return { sent: Dns, notices: endpointDns(config, assignment).ignoredDns };
}

describe.each(Object.entries(sources))('DNS settings of %s', (_, { read }) => {
  test('may have blank entries, which HNS does not get', () => {
    const given = {
      nameservers: ['', '10.96.0.10', ' '],
      search: ['', 'a.b', '\t', 'c.d.'],
      options: ['', 'ndots:5', ' '],
    };
    const sent = { ServerList: ['10.96.0.10'], Search: ['a.b', 'c.d.'], Options: ['ndots:5'] };
    expect(read(given)).toEqual({ sent, notices: [] });
    const blank = { nameservers: [''], search: ['', ' ', ','], options: [''] };
    expect(read(blank)).toEqual({ sent: undefined, notices: [] });
  });

  test('keep names of 253 characters, names with underscores, the root, and the canonical text of addresses', () => {
    const long = 'a'.repeat(253);
    const given = {
      nameservers: ['FD00::0A'],
      search: [long, '_tcp.a', '.', 'bücher.example'],
      options: ['a b', 'x'],
    };
    const sent = {
      ServerList: ['fd00::a'],
      Search: [long, '_tcp.a', '.', 'bücher.example'],
      Options: ['a b', 'x'],
    };
    expect(read(given)).toEqual({ sent, notices: [] });
  });

  test.each([
    ['a.b,c.d', ['a.b', 'c.d']],
    ['a.b c.d', ['a.b', 'c.d']],
    [' a.b , c.d,\te.f\r\n', ['a.b', 'c.d', 'e.f']],
  ])('may have several search domains in one entry, as win-bridge joins them: %j', (entry, Search) => {
    expect(read({ search: ['x.y', entry] })).toEqual({ sent: { Search: ['x.y', ...Search] }, notices: [] });
  });
});

const unusable: readonly (readonly [member: string, found: string, dns: Dns, expected: string])[] = [
  ['nameservers/1', 'x', { nameservers: ['', 'x'] }, 'an IP address'],
  ['nameservers/0', 'fe80::1%5', { nameservers: ['fe80::1%5'] }, 'an IP address'],
  ['search/1', '\u0000b', { search: ['a.b', '\u0000b'] }, aName],
  ['search/0', 'a'.repeat(80), { search: ['a'.repeat(254)] }, aName],
  ['options/0', 'ndots:5\r\n', { options: ['ndots:5\r\n'] }, anOption],
];

test.each(unusable)(
  'unusable entries of the configuration are refused with code 7: %s %j',
  (member, found, dns, expected) => {
    const start = `${configuration.name(member)} is ${JSON.stringify(found).slice(0, 60)}`;
    expect(() => configuration.read(dns)).toThrow(
      expect.objectContaining({ code: 7, message: expect.stringMatching(/^.{0,320}$/su) }),
    );
    expect(() => configuration.read(dns)).toThrow(start);
    expect(() => configuration.read(dns)).toThrow(`, expected ${expected}`);
  },
);

describe.each(Object.entries(others))(
  'unusable entries of %s are ignored with a notice',
  (_, { read, name }) => {
    test.each(unusable)('%s %j', (member, found, dns, expected) => {
      const notice = `DNS entry ignored: ${name(member)} is ${JSON.stringify(found)}, expected ${expected}`;
      const [sent] = [...(dns.search ?? [])].filter((entry) => entry === 'a.b');
      expect(read(dns)).toEqual({ sent: sent && { Search: [sent] }, notices: [notice] });
    });

    test('of which there is one, whatever their number, and the others take effect', () => {
      const nameservers = [...Array.from({ length: 9000 }, () => 'x'), '10.96.0.10'];
      expect(read({ nameservers, search: ['a\u0000b', 'c.d'] })).toEqual({
        sent: { ServerList: ['10.96.0.10'], Search: ['c.d'] },
        notices: [
          `DNS entry ignored: ${name('nameservers/0')} is "x", expected an IP address (and 9000 more)`,
        ],
      });
    });
  },
);

test('entries of the IPAM plugin that those of the configuration or the runtime replace are not judged', () => {
  const dns = { nameservers: ['10.96.0.10'], domain: 'a.b' };
  const runtimeConfig = { dns: { searches: ['c.d'] } };
  const junk = { nameservers: ['fe80::1%5'], domain: 'x y', search: ['\u0000'], options: ['ndots:5'] };
  expect(dnsFor({ dns, runtimeConfig }, junk)).toEqual({
    sent: { ServerList: ['10.96.0.10'], Domain: 'a.b', Search: ['c.d'], Options: ['ndots:5'] },
    notices: [],
  });
});

test('a domain with a blank is refused in the configuration, and ignored in a result of the IPAM plugin', () => {
  const found = `is "a b", expected ${aName}`;
  expect(() => configuration.read({ domain: 'a b' })).toThrow(`${configuration.name('domain')} ${found}`);
  expect(sources['the IPAM plugin'].read({ domain: 'a b' })).toEqual({
    sent: undefined,
    notices: [`DNS entry ignored: dns/domain of the IPAM plugin ${found}`],
  });
});

test.each([
  ['blank', { servers: [''], searches: [' '], options: [''] }, []],
  [
    'unusable',
    { servers: ['x'] },
    ['DNS entry ignored: /runtimeConfig/dns/servers/0 is "x", expected an IP address'],
  ],
])(
  'a list of the runtime with only %s entries leaves the list of the configuration',
  (_, runtime, notices) => {
    const dns = { nameservers: ['10.96.0.10'], search: ['a.b'] };
    expect(dnsFor({ dns, runtimeConfig: { dns: runtime } })).toEqual({
      sent: { ServerList: ['10.96.0.10'], Search: ['a.b'] },
      notices,
    });
  },
);
