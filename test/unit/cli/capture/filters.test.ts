import { expect, test } from 'vitest';
import { addFilter } from '../../../../src/cli/capture/commands.ts';
import {
  captureFilters,
  type FilterRequest,
  filterText,
  maximumFilters,
} from '../../../../src/cli/capture/filters.ts';

const pod: FilterRequest = {
  macAddress: '00-15-5D-52-C0-00',
  addresses: ['10.244.1.2'],
  anySource: [],
  isOverlay: false,
};
const dns = { address: '10.96.0.10', port: 53, protocol: 17 };

/** The filters in words, and as arguments of pktmon. */
function filtersOf(request: FilterRequest): readonly (readonly [text: string, command: string])[] {
  return captureFilters(request).map((filter) => [
    filterText(filter),
    addFilter('win-hcn-capture-4711', filter).forms[0]?.join(' ') ?? '',
  ]);
}

test('without a destination, the filters are for the MAC address and each address', () => {
  expect(filtersOf({ ...pod, addresses: ['10.244.1.2', 'fd00:10::2'] })).toEqual([
    ['MAC 00-15-5D-52-C0-00', 'filter add win-hcn-capture-4711 -m 00-15-5D-52-C0-00'],
    ['10.244.1.2', 'filter add win-hcn-capture-4711 -i 10.244.1.2'],
    ['fd00:10::2', 'filter add win-hcn-capture-4711 -i fd00:10::2'],
  ]);
});

test('with a destination, they are for both ends, translated ends, any source if it is uncertain, and ARP', () => {
  const traffic = [
    { source: '10.244.1.2', destination: dns.address, port: 53, protocol: 17 },
    { source: '10.0.0.4', destination: '10.244.2.7', port: 8053, protocol: 17 },
  ];
  expect(filtersOf({ ...pod, traffic, anySource: [dns] })).toEqual([
    [
      'udp 10.244.1.2 <-> 10.96.0.10:53',
      'filter add win-hcn-capture-4711 -t UDP -i 10.244.1.2 10.96.0.10 -p 53',
    ],
    [
      'udp 10.0.0.4 <-> 10.244.2.7:8053',
      'filter add win-hcn-capture-4711 -t UDP -i 10.0.0.4 10.244.2.7 -p 8053',
    ],
    ['udp 10.96.0.10:53', 'filter add win-hcn-capture-4711 -t UDP -i 10.96.0.10 -p 53'],
    ['MAC 00-15-5D-52-C0-00 ARP', 'filter add win-hcn-capture-4711 -m 00-15-5D-52-C0-00 -d ARP'],
  ]);
});

test('on an Overlay network, they match inside VXLAN, and an early build may refuse that', () => {
  const [filter = {}] = captureFilters({ ...pod, isOverlay: true, macAddress: '' });
  expect(addFilter('name', filter).forms).toEqual([
    ['filter', 'add', 'name', '-i', '10.244.1.2', '-e'],
    ['filter', 'add', 'name', '-i', '10.244.1.2'],
  ]);
});

test.each([
  [1, '-t ICMP'],
  [132, '-t 132'],
])('protocol %i is %s', (protocol, option) => {
  const traffic = [{ source: '10.244.1.2', destination: '10.0.0.9', protocol }];
  expect(filtersOf({ ...pod, traffic })[0]?.[1]).toContain(option);
});

test('IPv6 resolves neighbors with ICMPv6', () => {
  const traffic = [{ source: 'fd00:10::2', destination: 'fd00::1' }];
  expect(filtersOf({ ...pod, traffic }).map(([text]) => text)).toEqual([
    'fd00:10::2 <-> fd00::1',
    'MAC 00-15-5D-52-C0-00 icmpv6',
  ]);
});

test('if there are more than early builds support, all traffic of the pod matches', () => {
  const traffic = Array.from({ length: maximumFilters }, (_, index) => ({
    source: '10.244.1.2',
    destination: `10.244.2.${index}`,
  }));
  expect(filtersOf({ ...pod, traffic }).map(([text]) => text)).toEqual([
    'MAC 00-15-5D-52-C0-00',
    '10.244.1.2',
  ]);
});
