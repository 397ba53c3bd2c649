import { describe, expect, test } from 'vitest';
import type { HostComputeNetwork } from '../../../src/hcn/documents.ts';
import {
  adapterOf,
  describeRefusal,
  describeSuspects,
  describeUse,
  findAdapterUse,
  remedyForUse,
} from '../../../src/plan/adapter-use.ts';
import { hostAdapters } from './host-adapters.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const named = (NetworkAdapterName: string) => ({ Type: 'NetAdapterName', Settings: { NetworkAdapterName } });
const provider = (ProviderAddress: string) => ({ Type: 'ProviderAddress', Settings: { ProviderAddress } });
const network = (Type: string, Name: string, ...Policies: readonly object[]) =>
  ({ ID: '22222222-2222-3333-4444-555555555555', Name, Type, Policies, SchemaVersion }) as HostComputeNetwork;

const bridge = network('L2Bridge', 'cbr0', named('Ethernet'));
const overlay = network('Overlay', 'vxlan0', provider('10.0.0.4'));
const transparent = network('transparent', 'lan', named('ETHERNET'));
const nat = network('NAT', 'nat', named('Ethernet'));
const elsewhere = network('Overlay', 'storage', named('Ethernet 2'));
const unknown = network('Overlay', 'pending');
const use = (created: HostComputeNetwork, ...others: readonly HostComputeNetwork[]) =>
  findAdapterUse(created, others, hostAdapters);

test.each([
  ['that HNS shows', bridge, 'Ethernet'],
  [
    'that HNS shows, before the one with its provider address',
    network('Overlay', 'a', named('X'), provider('172.16.0.4')),
    'X',
  ],
  ['below the switch with its provider address', overlay, 'Ethernet'],
  ['with its provider address', network('Overlay', 'a', provider('172.16.0.4')), 'Ethernet 2'],
  ['that is unknown without either', unknown, undefined],
  [
    'that is unknown if no adapter has its provider address',
    network('Overlay', 'a', provider('10.9.9.9')),
    undefined,
  ],
])('a network uses the adapter %s', (_, given, adapter) => {
  expect(adapterOf(given, hostAdapters)).toBe(adapter);
});

test('an adapter without the default route is not that of a network without adapter and address', () => {
  expect(adapterOf(network('Overlay', 'a', provider('')), hostAdapters)).toBeUndefined();
});

describe('the adapter of a network to create', () => {
  test.each([
    ['a network of its type', bridge, [network('l2bridge', 'cbr1', named('ethernet'))]],
    ['a network of a type that has no adapter', bridge, [nat]],
    ['a network on another adapter', bridge, [elsewhere]],
    ['a network on an unknown adapter', bridge, [unknown]],
    ['any network if it is unknown itself', overlay, [bridge]],
  ])('is not in use by %s', (_, created, others) => {
    expect(use(created, ...others)).toBeUndefined();
  });

  test('is in use by the networks of other types on it', () => {
    expect(use(bridge, elsewhere, overlay, network('L2Bridge', 'cbr1', named('Ethernet')))).toEqual({
      network: bridge,
      adapter: 'Ethernet',
      users: [overlay],
      isExclusive: false,
    });
  });

  test.each([
    ['the network', transparent, [bridge]],
    ['one of its users', bridge, [overlay, transparent]],
  ])('is refused for certain if %s is Transparent', (_, created, users) => {
    expect(use(created, ...users)).toMatchObject({ users, isExclusive: true });
  });

  test('is described with its users, what HNS does and what to do', () => {
    const certain = use(bridge, overlay, transparent);
    const likely = use(bridge, overlay);
    if (certain === undefined || likely === undefined) throw new Error('not in use');
    expect(describeUse(certain)).toBe(
      'adapter "Ethernet" is in use by Overlay network "vxlan0", transparent network "lan"',
    );
    expect(describeRefusal(certain)).toBe('HNS does not put L2Bridge network "cbr0" on it');
    expect(describeRefusal(likely)).toBe('HNS may refuse to put L2Bridge network "cbr0" on it');
    expect(remedyForUse(certain)).toBe(
      'set "adapter" to another adapter, or delete "vxlan0" if nothing uses it: win-hcn network delete vxlan0',
    );
  });
});

test.each([
  ['none', bridge, [nat, elsewhere], undefined],
  [
    'those on its adapter',
    bridge,
    [overlay, transparent],
    'also on adapter "Ethernet": Overlay network "vxlan0", transparent network "lan"',
  ],
  [
    'those whose adapter is unknown',
    bridge,
    [unknown, network('NAT', 'x'), network('Overlay', 'b')],
    'on an unknown adapter: Overlay network "pending", Overlay network "b"',
  ],
  [
    'both',
    bridge,
    [unknown, overlay],
    'also on adapter "Ethernet": Overlay network "vxlan0"; on an unknown adapter: Overlay network "pending"',
  ],
  [
    'only the unknown ones if its own is',
    unknown,
    [overlay, unknown],
    'on an unknown adapter: Overlay network "pending"',
  ],
])('the networks that HNS may have refused an adapter for are %s', (_, refused, others, expected) => {
  expect(describeSuspects(refused, others, hostAdapters)).toBe(expected);
});
