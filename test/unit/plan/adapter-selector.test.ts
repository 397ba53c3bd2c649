import { describe, expect, test } from 'vitest';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import { switchInAlias } from '../../../src/net/host-adapter.ts';
import { chooseAdapter, findAdapter } from '../../../src/plan/adapter-selector.ts';

const adapter = (alias: string, more: Partial<HostAdapter> = {}): HostAdapter => ({
  index: 12,
  alias,
  description: 'Intel(R) Ethernet Connection',
  mac: '00-15-5D-0A-0B-0C',
  mtu: 1500,
  isUp: true,
  mediaType: 6,
  addresses: [{ address: '10.0.0.4', length: 24 }],
  gateways: ['10.0.0.1'],
  metric: 25,
  ...more,
});
const ethernet = adapter('Ethernet');
const storage = adapter('Storage', {
  index: 7,
  mac: '00-15-5D-0A-0B-0D',
  addresses: [
    { address: '10.0.9.4', length: 24 },
    { address: 'fd00:9::4', length: 64 },
  ],
  gateways: [],
  metric: 5,
});
const wifi = adapter('Wi-Fi', {
  index: 3,
  mac: '00-15-5D-0A-0B-0E',
  mediaType: 71,
  addresses: [{ address: '192.168.1.9', length: 24 }],
  gateways: ['192.168.1.1'],
  metric: 15,
});
const loopback = adapter('Loopback Pseudo-Interface 1', {
  index: 1,
  mac: undefined,
  mediaType: 24,
  addresses: [
    { address: '127.0.0.1', length: 8 },
    { address: '::1', length: 128 },
  ],
  gateways: [],
});
const host = [loopback, wifi, storage, ethernet];

/** The same host with a virtual switch on Ethernet. */
const bound = adapter('Ethernet', { index: 4, addresses: [], gateways: [] });
const virtual = adapter('vEthernet (Ethernet)', { description: 'Hyper-V Virtual Ethernet Adapter' });
const switched = [virtual, loopback, wifi, storage, bound];

describe('a selector finds an adapter', () => {
  const named = adapter('12', { index: 99, mac: undefined });
  const lan = adapter('LAN', { addresses: [{ address: '192.168.7.4', length: 24 }] });
  const down = adapter('Ethernet', { isUp: false });

  test.each<[string, string, readonly HostAdapter[], HostAdapter]>([
    ['by alias', 'ethernet', host, ethernet],
    ['by index', '12', host, ethernet],
    ['by MAC address with dashes', '00-15-5d-0a-0b-0c', host, ethernet],
    ['by MAC address with colons', '00:15:5D:0A:0B:0C', host, ethernet],
    ['by IPv4 address', '10.0.0.4', host, ethernet],
    ['by subnet', '10.0.0.0/24', host, ethernet],
    ['by subnet with host bits', '10.0.0.77/24', host, ethernet],
    ['by IPv6 address in any notation', 'FD00:9:0::4', host, storage],
    ['by IPv6 subnet', 'fd00:9::/32', host, storage],
    ['by an alias that looks like an index', '12', [ethernet, named], named],
    ['by a subnet that contains one Ethernet adapter', '192.168.0.0/12', [wifi, lan], lan],
    ['that is down', 'Ethernet', [down], down],
  ])('%s', (_, selector, adapters, expected) => {
    expect(chooseAdapter(selector, adapters)).toBe(expected);
  });
});

describe('without a selector', () => {
  const six = adapter('Six', { gateways: ['fe80::1'], metric: 1 });
  const lower = adapter('Ethernet 2', { metric: 10 });
  const down = adapter('Ethernet 2', { metric: 10, isUp: false });
  const slow = adapter('Ethernet 2', { isUp: false });
  const vpn = adapter('VPN', { mediaType: 23, mac: undefined, metric: 1 });
  const endpoint = adapter('vEthernet (bridge_ep)', { mac: '00-15-5D-0A-0B-0F', metric: 1 });

  test.each<[string, readonly HostAdapter[], HostAdapter]>([
    ['the adapter with the default route is chosen', [loopback, storage, ethernet], ethernet],
    ['the lowest metric wins', [ethernet, lower], lower],
    [
      'Wi-Fi, VPN and host endpoints are ignored, even with a lower metric',
      [vpn, endpoint, ...host],
      ethernet,
    ],
    [
      'an adapter that is up wins over one that is down, even with a lower metric',
      [down, ethernet],
      ethernet,
    ],
    ['an adapter that is down is chosen if no other has a default route', [down], down],
    ['an Ethernet adapter that is down wins over Wi-Fi', [wifi, slow], slow],
    ['an IPv6 default route counts if there is no IPv4 default route', [loopback, storage, six], six],
    ['an IPv4 default route wins over IPv6', [six, ethernet], ethernet],
  ])('%s', (_, adapters, expected) => {
    expect(chooseAdapter(undefined, adapters)).toBe(expected);
  });
});

describe('the adapter of a virtual switch selects the physical adapter', () => {
  const otherMac = { mac: '00-15-5D-FF-FF-FF' };
  const vf = adapter('Ethernet 3', { addresses: [] });

  test.each([undefined, 'vEthernet (Ethernet)', 'Ethernet', '10.0.0.4', '00-15-5D-0A-0B-0C', '12', '4'])(
    'with selector %s',
    (selector) => {
      expect(chooseAdapter(selector, switched)).toBe(bound);
    },
  );

  test.each<[string, string, readonly HostAdapter[], HostAdapter]>([
    [
      'by MAC address if the switch has another name',
      'vEthernet (External)',
      [{ ...virtual, alias: 'vEthernet (External)' }, bound],
      bound,
    ],
    [
      'by name if the MAC address differs',
      'vEthernet (Ethernet)',
      [{ ...virtual, ...otherMac }, bound],
      bound,
    ],
    [
      'by MAC address before name',
      'vEthernet (Ethernet)',
      [virtual, adapter('Ethernet', { ...otherMac, addresses: [] }), vf],
      vf,
    ],
    [
      'by name without the number that Windows appends to a name in use',
      'vEthernet (Ethernet) 2',
      [{ ...virtual, alias: 'vEthernet (Ethernet) 2', ...otherMac }, bound],
      bound,
    ],
    [
      "by name and MAC address if the adapter's virtual function has the same MAC address",
      'vEthernet (Ethernet)',
      [virtual, vf, bound],
      bound,
    ],
    ['after it was renamed', 'Management', [{ ...virtual, alias: 'Management' }, bound], bound],
  ])('%s', (_, selector, adapters, expected) => {
    expect(chooseAdapter(selector, adapters)).toBe(expected);
  });
});

test.each([
  ['vEthernet (Ethernet)', 'Ethernet'],
  ['VETHERNET (Ethernet 2)', 'Ethernet 2'],
  ['vEthernet (Ethernet) 2', 'Ethernet'],
  ['vEthernet (LAN (old)) 12', 'LAN (old)'],
  ['vEthernet ()', ''],
  ['vEthernet (Ethernet) ', undefined],
  ['vEthernet (Ethernet) 2b', undefined],
  ['vEthernet (Ethernet', undefined],
  ['My vEthernet (Ethernet)', undefined],
  ['Ethernet', undefined],
])('the switch in the alias %j is %j', (alias, name) => {
  expect(switchInAlias(alias)).toBe(name);
});

describe('an adapter is of a virtual switch', () => {
  const below = (description: string) => findAdapter('LAN', [adapter('LAN', { description }), bound]);

  test.each(['Hyper-V Virtual Ethernet Adapter', 'Hyper-V Virtual Ethernet Adapter #2'])(
    'if its description is %j, and then selects the adapter below the switch',
    (description) => {
      expect(below(description)).toBe(bound);
    },
  );

  test.each(['Microsoft Hyper-V Virtual Ethernet Adapter', 'Intel(R) Ethernet Connection'])(
    'but not if it is %j',
    (description) => {
      expect(below(description)?.alias).toBe('LAN');
    },
  );
});

test('the adapter of a virtual switch without a MAC address belongs to the adapter with its name', () => {
  const other = adapter('Other', { mac: undefined });
  expect(chooseAdapter('vEthernet (Ethernet)', [{ ...virtual, mac: undefined }, other, bound])).toBe(bound);
});

describe('code 7 is thrown', () => {
  const nat = adapter('vEthernet (nat)', { mac: '00-15-5D-00-00-01' });
  const down = adapter('Ethernet 2', { index: 0, addresses: [], isUp: false });

  test.each<[string, string | undefined, readonly HostAdapter[], string]>([
    [
      'if only Wi-Fi has a default route',
      undefined,
      [loopback, wifi, storage],
      'missing, but HNS cannot use adapter "Wi-Fi": Wi-Fi carries only its own MAC address. Set it to an Ethernet adapter',
    ],
    [
      'if no adapter has a default route',
      undefined,
      [loopback, storage],
      'missing and no network adapter has a default route. Set it to an adapter',
    ],
    [
      'if two default routes have the same metric',
      undefined,
      [ethernet, adapter('Ethernet 2')],
      'missing and several network adapters have a default route: "Ethernet", "Ethernet 2". Set it to the alias of one of them',
    ],
    [
      'for a virtual switch without a physical adapter',
      'vEthernet (nat)',
      [nat, ethernet],
      '"vEthernet (nat)", but the virtual switch of "vEthernet (nat)" has no Ethernet adapter. Set it to a physical adapter',
    ],
    [
      'for a virtual switch with the MAC address of Wi-Fi',
      'vEthernet (Wi-Fi)',
      [adapter('vEthernet (Wi-Fi)', { mac: wifi.mac }), wifi, ethernet],
      '"vEthernet (Wi-Fi)", but the virtual switch of "vEthernet (Wi-Fi)" has no Ethernet adapter. Set it to a physical adapter',
    ],
    [
      'for a selector that matches several adapters',
      '00-15-5D-0A-0B-0C',
      [loopback, ethernet, down],
      '"00-15-5D-0A-0B-0C" and matches several network adapters: "Ethernet", "Ethernet 2". Set it to the alias of one of them',
    ],
    ...(
      [
        ['Loopback Pseudo-Interface 1', 24, 'a loopback adapter is not connected to a network'],
        ['Wi-Fi', 71, 'Wi-Fi carries only its own MAC address'],
        ['VPN', 23, 'a dial-up or VPN connection does not carry Ethernet frames'],
        ['Teredo', 131, 'a tunnel does not carry Ethernet frames'],
      ] as const
    ).map(([alias, type, reason]): [string, string, readonly HostAdapter[], string] => [
      `for ${alias}`,
      alias,
      [ethernet, adapter(alias, { mediaType: type })],
      `"${alias}", but HNS cannot use adapter "${alias}": ${reason}. Set it to an Ethernet adapter`,
    ]),
    ...[
      'Ethernt',
      '0',
      '07',
      '7.0',
      '99',
      '10.0.0.5',
      '10.1.0.0/16',
      'fd01::/64',
      '00-15-5D-FF-FF-FF',
      '',
    ].map((selector): [string, string, readonly HostAdapter[], string] => [
      `for a selector without a match: "${selector}"`,
      selector,
      [
        { ...storage, index: 0 },
        { ...loopback, index: 7 },
      ],
      `"${selector}", expected the alias, index, MAC address, IP address or subnet of a network adapter`,
    ]),
  ])('%s', (_, selector, adapters, message) => {
    expect(() => chooseAdapter(selector, adapters)).toThrow(
      expect.objectContaining({
        code: 7,
        message: `invalid network configuration: /adapter is ${message}`,
      }),
    );
    expect(findAdapter(selector, adapters)).toBeUndefined();
  });

  test.each<[string, string, readonly HostAdapter[], string]>([
    [
      'all adapters if none matches',
      'Ethernt',
      [{ ...storage, index: 0 }, loopback],
      'network adapters: "Storage" (index 0, 00-15-5D-0A-0B-0D, up, 10.0.9.4/24 fd00:9::4/64); ' +
        '"Loopback Pseudo-Interface 1" (index 1, no MAC, up, 127.0.0.1/8 ::1/128)',
    ],
    [
      'the matching adapters if several match',
      '00-15-5D-0A-0B-0C',
      [loopback, ethernet, down],
      'network adapters: "Ethernet" (index 12, 00-15-5D-0A-0B-0C, up, 10.0.0.4/24); ' +
        '"Ethernet 2" (index 0, 00-15-5D-0A-0B-0C, down, no address)',
    ],
  ])('with %s in its details', (_, selector, adapters, details) => {
    expect(() => chooseAdapter(selector, adapters)).toThrow(expect.objectContaining({ details }));
  });
});
