import { describe, expect, test } from 'vitest';
import type { Dns } from '../../../src/cni/result.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointDocument } from '../../../src/plan/endpoint.ts';
import { resolveNetwork } from '../../../src/plan/network.ts';
import { example } from '../../e2e/example.ts';

const plain = example('l2bridge', { dns: undefined });
const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'l2bridge' };
const ips = [{ address: '10.244.1.9/24' }];

const aName = 'a DNS name of at most 253 characters, without white space and commas';
const anOption = 'a resolver option of at most 253 characters, without control characters';

/** The Dns of the endpoint's document for the settings of a source, and how errors name a member. */
const sources = {
  'the configuration': {
    read: (dns: Dns) => dnsFor({ dns }),
    name: (member: string) => `invalid network configuration: /dns/${member}`,
  },
  'the runtime': {
    read: ({ nameservers: servers, search: searches, options }: Dns) =>
      dnsFor({ runtimeConfig: { dns: { servers, searches, options } } }),
    name: (member: string) =>
      `invalid network configuration: /runtimeConfig/dns/${member.replace('nameservers', 'servers').replace('search', 'searches')}`,
  },
  'the IPAM plugin': {
    read: (dns: Dns) => dnsFor({}, dns),
    name: (member: string) => `dns/${member} of the IPAM plugin`,
  },
} as const;

function dnsFor(changes: object, dns: Dns = {}) {
  const config = readNetworkConfig({ ...plain, ...changes });
  return endpointDocument(config, attachment, resolveNetwork(config, undefined), { ips, routes: [], dns })
    .Dns;
}

describe.each(Object.entries(sources))('DNS settings of %s', (_, { read, name }) => {
  test('may have blank entries, which HNS does not get', () => {
    const given = {
      nameservers: ['', '10.96.0.10', ' '],
      search: ['', 'a.b', '\t', 'c.d.'],
      options: ['', 'ndots:5', ' '],
    };
    expect(read(given)).toEqual({
      ServerList: ['10.96.0.10'],
      Search: ['a.b', 'c.d.'],
      Options: ['ndots:5'],
    });
    expect(read({ nameservers: [''], search: ['', ' '], options: [''] })).toBeUndefined();
  });

  test('keep names of 253 characters, names with underscores, the root, and the canonical text of addresses', () => {
    const long = 'a'.repeat(253);
    const given = {
      nameservers: ['FD00::0A'],
      search: [long, '_tcp.a', '.', 'bücher.example'],
      options: ['a b'],
    };
    expect(read(given)).toEqual({
      ServerList: ['fd00::a'],
      Search: [long, '_tcp.a', '.', 'bücher.example'],
      Options: ['a b'],
    });
  });

  test.each<[Dns, member: string, found: string, expected: string]>([
    [{ nameservers: ['', 'x'] }, 'nameservers/1', 'x', 'an IP address'],
    [{ nameservers: ['10.96.0.10/32'] }, 'nameservers/0', '10.96.0.10/32', 'an IP address'],
    [{ search: ['a.b', 'a b'] }, 'search/1', 'a b', aName],
    [{ search: ['a.b,c.d'] }, 'search/0', 'a.b,c.d', aName],
    [{ search: ['a.b\n'] }, 'search/0', 'a.b\n', aName],
    [{ search: ['a\u0000b'] }, 'search/0', 'a\u0000b', aName],
    [{ search: ['a\u009bb'] }, 'search/0', 'a\u009bb', aName],
    [{ options: ['ndots:5\r\n'] }, 'options/0', 'ndots:5\r\n', anOption],
  ])('are refused with code 7: %j', (dns, member, found, expected) => {
    expect(() => read(dns)).toThrow(
      expect.objectContaining({
        code: 7,
        message: `${name(member)} is ${JSON.stringify(found)}, expected ${expected}`,
      }),
    );
  });

  test.each<[keyof Dns, string]>([
    ['search', aName],
    ['options', anOption],
  ])('are refused for 254 characters of an entry in %s, in a bounded message', (key, expected) => {
    const refused = { code: 7, message: expect.stringMatching(`^.{0,220}, expected ${expected}$`) };
    expect(() => read({ [key]: ['a'.repeat(254)] })).toThrow(expect.objectContaining(refused));
    expect(() => read({ [key]: ['a'.repeat(1_000_000)] })).toThrow(expect.objectContaining(refused));
  });
});

test.each(['the configuration', 'the IPAM plugin'] as const)(
  'the domain of %s may be blank, and not invalid',
  (source) => {
    const { read, name } = sources[source];
    expect(read({ domain: ' ' })).toBeUndefined();
    expect(read({ domain: 'a.b' })).toEqual({ Domain: 'a.b' });
    expect(() => read({ domain: 'a b' })).toThrow(`${name('domain')} is "a b", expected ${aName}`);
  },
);

test('a list of the runtime with only blank entries leaves the list of the configuration', () => {
  const runtimeConfig = { dns: { servers: [''], searches: [' '], options: [''] } };
  expect(dnsFor({ dns: { nameservers: ['10.96.0.10'], search: ['a.b'] }, runtimeConfig })).toEqual({
    ServerList: ['10.96.0.10'],
    Search: ['a.b'],
  });
});
