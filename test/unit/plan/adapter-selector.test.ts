import { describe, expect, test } from 'vitest';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
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

test('without a selector, Wi-Fi, VPN and host endpoints are ignored, even with a lower metric', () => {
  const vpn = adapter('VPN', { mediaType: 23, mac: undefined, metric: 1 });
  const endpoint = adapter('vEthernet (bridge_ep)', { mac: '00-15-5D-0A-0B-0F', metric: 1 });
  expect(chooseAdapter(undefined, [vpn, endpoint, ...host])).toBe(ethernet);
});

test.each([
  ['STORAGE', storage],
  ['7', storage],
  ['00:15:5d:0a:0b:0d', storage],
  ['10.0.9.4', storage],
  ['10.0.9.0/24', storage],
  ['fd00:9::/48', storage],
  ['fd00:9:0::4', storage],
  ['vethernet (ETHERNET) 2', bound],
] as const)('"%s" selects one adapter', (selector, chosen) => {
  const ofSwitch = adapter('vEthernet (Ethernet) 2', { mac: undefined, addresses: [] });
  expect(
    chooseAdapter(selector, [ofSwitch, loopback, { ...bound, mac: undefined, alias: 'X' }, storage, bound]),
  ).toBe(chosen);
});

test('an adapter with the description "Hyper-V Virtual Ethernet Adapter #2" selects the adapter below its switch', () => {
  const description = 'Hyper-V Virtual Ethernet Adapter #2';
  expect(findAdapter('LAN', [adapter('LAN', { description }), bound])).toBe(bound);
});

describe('code 7 is thrown', () => {
  const down = adapter('Ethernet 2', { index: 0, addresses: [], isUp: false });

  test.each<[string, string | undefined, readonly HostAdapter[], string]>([
    ...(
      [
        ['Loopback', 24],
        ['Wi-Fi', 71],
      ] as const
    ).map(([alias, type]): [string, string, readonly HostAdapter[], string] => [
      `for ${alias}`,
      alias,
      [ethernet, adapter(alias, { mediaType: type })],
      `"${alias}", but HNS cannot use adapter "${alias}". Set it to a physical Ethernet adapter`,
    ]),
    ...['Ethernt', '0', '07', '10.0.0.5', 'fd01::/64', '00-15-5D-FF-FF-FF', ''].map(
      (selector): [string, string, readonly HostAdapter[], string] => [
        `for a selector without a match: "${selector}"`,
        selector,
        [
          { ...storage, index: 0 },
          { ...loopback, index: 7 },
        ],
        `"${selector}", expected the alias, index, MAC address, IP address or subnet of a network adapter`,
      ],
    ),
  ])('%s', (_, selector, adapters, message) => {
    expect(() => chooseAdapter(selector, adapters)).toThrow(
      expect.objectContaining({
        code: 7,
        message: `invalid network configuration: /adapter is ${message}`,
      }),
    );
    expect(findAdapter(selector, adapters)).toBeUndefined();
  });

  test('with the matching adapters if several match in its details', () => {
    expect(() => chooseAdapter('00-15-5D-0A-0B-0C', [loopback, ethernet, down])).toThrow(
      expect.objectContaining({
        message:
          'invalid network configuration: /adapter is "00-15-5D-0A-0B-0C" and several network adapters match: "Ethernet", "Ethernet 2". Set it to the alias of one of them',
        details:
          'network adapters: "Ethernet" (index 12, 00-15-5D-0A-0B-0C, up, 10.0.0.4/24); ' +
          '"Ethernet 2" (index 0, 00-15-5D-0A-0B-0C, down, no address)',
      }),
    );
  });
});
