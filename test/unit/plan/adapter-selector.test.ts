import { describe, expect, test } from 'vitest';
import { CniError } from '../../../src/cni/error.ts';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import { chooseAdapter } from '../../../src/plan/adapter-selector.ts';

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

describe('an adapter is chosen', () => {
  test.each([
    ['its alias', 'ethernet'],
    ['its index', '12'],
    ['its MAC address with dashes', '00-15-5d-0a-0b-0c'],
    ['its MAC address with colons', '00:15:5D:0A:0B:0C'],
    ['its address', '10.0.0.4'],
    ['a subnet it has an address in', '10.0.0.0/24'],
    ['an address in a subnet, with host bits', '10.0.0.77/24'],
  ])('by %s', (_, selector) => {
    expect(chooseAdapter(selector, host)).toBe(ethernet);
  });

  test('by an IPv6 address, however it is written', () => {
    expect(chooseAdapter('FD00:9:0::4', host)).toBe(storage);
    expect(chooseAdapter('fd00:9::/32', host)).toBe(storage);
  });

  test('by an alias that looks like an index', () => {
    const named = adapter('12', { index: 99, mac: undefined });
    expect(chooseAdapter('12', [ethernet, named])).toBe(named);
  });

  test('by a subnet in which one adapter is suitable', () => {
    expect(
      chooseAdapter('192.168.0.0/12', [
        wifi,
        adapter('LAN', { addresses: [{ address: '192.168.7.4', length: 24 }] }),
      ]),
    ).toMatchObject({ alias: 'LAN' });
  });

  test('whether it is up or not', () => {
    const down = adapter('Ethernet', { isUp: false });
    expect(chooseAdapter('Ethernet', [down])).toBe(down);
  });
});

describe('without a word in the configuration', () => {
  test('the adapter with the default route is chosen', () => {
    expect(chooseAdapter(undefined, [loopback, storage, ethernet])).toBe(ethernet);
  });

  test('the lowest metric wins', () => {
    const second = adapter('Ethernet 2', { metric: 10 });
    expect(chooseAdapter(undefined, [ethernet, second])).toBe(second);
  });

  test('Wi-Fi, VPN and host endpoints are passed over, however low their metric is', () => {
    const vpn = adapter('VPN', { mediaType: 23, mac: undefined, metric: 1 });
    const endpoint = adapter('vEthernet (bridge_ep)', { mac: '00-15-5D-0A-0B-0F', metric: 1 });
    expect(chooseAdapter(undefined, [vpn, endpoint, ...host])).toBe(ethernet);
  });

  test('an adapter that is up comes before one that is down, whatever its metric', () => {
    const down = adapter('Ethernet 2', { metric: 10, isUp: false });
    expect(chooseAdapter(undefined, [down, ethernet])).toBe(ethernet);
    expect(chooseAdapter(undefined, [down])).toBe(down);
  });

  test('IPv6 counts where IPv4 has no default route', () => {
    const six = adapter('Six', { gateways: ['fe80::1'] });
    expect(chooseAdapter(undefined, [loopback, storage, six])).toBe(six);
    expect(chooseAdapter(undefined, [adapter('Six', { gateways: ['fe80::1'], metric: 1 }), ethernet])).toBe(
      ethernet,
    );
  });

  test('a host whose default route is over Wi-Fi alone is refused', () => {
    expect(refusal(undefined, [loopback, wifi, storage])).toMatchObject({
      code: 7,
      message:
        'invalid network configuration: /adapter is missing, and the adapter "Wi-Fi" is Wi-Fi, ' +
        'which carries no MAC addresses but its own: choose one for Ethernet',
    });
  });

  test('a host without a default route is refused', () => {
    expect(refusal(undefined, [loopback, storage]).message).toBe(
      'invalid network configuration: /adapter is missing, and no network adapter has a default route: name one',
    );
  });

  test('two default routes of the same metric are refused', () => {
    expect(refusal(undefined, [ethernet, adapter('Ethernet 2')])).toMatchObject({
      message:
        'invalid network configuration: /adapter is missing, and several network adapters have a default route: ' +
        '"Ethernet", "Ethernet 2". Name one by its alias',
      details:
        'network adapters: "Ethernet" (index 12, 00-15-5D-0A-0B-0C, up, 10.0.0.4/24); ' +
        '"Ethernet 2" (index 12, 00-15-5D-0A-0B-0C, up, 10.0.0.4/24)',
    });
  });
});

describe('the adapter of a virtual switch stands for the physical one', () => {
  test.each([undefined, 'vEthernet (Ethernet)', 'Ethernet', '10.0.0.4', '00-15-5D-0A-0B-0C', '12', '4'])(
    'when it is chosen with %s',
    (selector) => {
      expect(chooseAdapter(selector, switched)).toBe(bound);
    },
  );

  test('by its MAC address when the switch has another name', () => {
    expect(
      chooseAdapter('vEthernet (External)', [{ ...virtual, alias: 'vEthernet (External)' }, bound]),
    ).toBe(bound);
  });

  test('by its name when the MAC address is another', () => {
    expect(chooseAdapter('vEthernet (Ethernet)', [{ ...virtual, mac: '00-15-5D-FF-FF-FF' }, bound])).toBe(
      bound,
    );
  });

  test('by its MAC address before its name', () => {
    const named = adapter('Ethernet', { mac: '00-15-5D-FF-FF-FF', addresses: [] });
    const alike = adapter('Ethernet 3', { addresses: [] });
    expect(chooseAdapter('vEthernet (Ethernet)', [virtual, named, alike])).toBe(alike);
  });

  test('by its name without the number that Windows puts behind one that is taken', () => {
    const numbered = { ...virtual, alias: 'vEthernet (Ethernet) 2', mac: '00-15-5D-FF-FF-FF' };
    expect(chooseAdapter('vEthernet (Ethernet) 2', [numbered, bound])).toBe(bound);
  });

  test('by both when the virtual function of the adapter has the same MAC address', () => {
    expect(
      chooseAdapter('vEthernet (Ethernet)', [virtual, adapter('Ethernet 3', { addresses: [] }), bound]),
    ).toBe(bound);
  });

  test('though somebody renamed it', () => {
    expect(chooseAdapter('Management', [{ ...virtual, alias: 'Management' }, bound])).toBe(bound);
  });

  test('and without one under it is refused', () => {
    const nat = adapter('vEthernet (nat)', { mac: '00-15-5D-00-00-01' });
    expect(refusal('vEthernet (nat)', [nat, ethernet]).message).toBe(
      'invalid network configuration: /adapter is "vEthernet (nat)", and under the virtual switch of ' +
        '"vEthernet (nat)" is no adapter for Ethernet: choose a physical one',
    );
  });
});

describe('a choice is refused', () => {
  test.each([
    ['Loopback Pseudo-Interface 1', 24, 'the loopback, which leads nowhere'],
    ['Wi-Fi', 71, 'Wi-Fi, which carries no MAC addresses but its own'],
    ['VPN', 23, 'a dial-up or VPN connection, which carries no Ethernet'],
    ['Teredo', 131, 'a tunnel, which carries no Ethernet'],
  ])('that is %s', (alias, mediaType, reason) => {
    expect(refusal(alias, [ethernet, adapter(alias, { mediaType })])).toMatchObject({
      code: 7,
      message: `invalid network configuration: /adapter is "${alias}", and the adapter "${alias}" is ${reason}: choose one for Ethernet`,
    });
  });

  test.each(['Ethernt', '0', '99', '10.0.0.5', '10.1.0.0/16', 'fd01::/64', '00-15-5D-FF-FF-FF', ''])(
    'that no adapter answers to: "%s"',
    (selector) => {
      expect(refusal(selector, [{ ...storage, index: 0 }, loopback])).toMatchObject({
        code: 7,
        message:
          `invalid network configuration: /adapter is "${selector}", ` +
          'expected the alias, index, MAC address, address or subnet of a network adapter',
        details:
          'network adapters: "Storage" (index 0, 00-15-5D-0A-0B-0D, up, 10.0.9.4/24 fd00:9::4/64); ' +
          '"Loopback Pseudo-Interface 1" (index 1, no MAC, up, 127.0.0.1/8 ::1/128)',
      });
    },
  );

  test('that several adapters answer to', () => {
    const down = adapter('Ethernet 2', { index: 0, addresses: [], isUp: false });
    expect(refusal('00-15-5D-0A-0B-0C', [loopback, ethernet, down])).toMatchObject({
      code: 7,
      message:
        'invalid network configuration: /adapter is "00-15-5D-0A-0B-0C", and several network adapters ' +
        'are meant by that: "Ethernet", "Ethernet 2". Name one by its alias',
      details:
        'network adapters: "Ethernet" (index 12, 00-15-5D-0A-0B-0C, up, 10.0.0.4/24); ' +
        '"Ethernet 2" (index 0, 00-15-5D-0A-0B-0C, down, no address)',
    });
  });
});

function refusal(selector: string | undefined, adapters: readonly HostAdapter[]): CniError {
  try {
    chooseAdapter(selector, adapters);
  } catch (error) {
    if (error instanceof CniError) return error;
    throw error;
  }
  throw new Error('It was chosen.');
}
