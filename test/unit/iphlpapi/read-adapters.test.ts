import { expect, test } from 'vitest';
import { readAdapterList } from '../../../src/iphlpapi/read-adapters.ts';
import { readRouteTable } from '../../../src/iphlpapi/route-table.ts';
import { adapterAddresses, ipForwardTable } from '../../../src/iphlpapi/structures.ts';

const base = 0x7ff0_1000_0000n;
const { size, at } = adapterAddresses;

test('an adapter without data is read with empty members', () => {
  expect(readAdapterList(Buffer.alloc(size), base)).toEqual([
    {
      index: 0,
      alias: '',
      description: '',
      mac: undefined,
      mtu: 0,
      isUp: false,
      mediaType: 0,
      addresses: [],
      gateways: [],
      metric: 0,
    },
  ]);
});

test('an adapter without IPv4 has its IPv6 index', () => {
  const list = Buffer.alloc(size);
  list.writeUInt32LE(9, at.Ipv6IfIndex);
  expect(readAdapterList(list, base)).toMatchObject([{ index: 9 }]);
});

test.each([-8n, BigInt(size), 1n << 40n])('a pointer %d bytes from the start is refused', (away) => {
  const list = Buffer.alloc(size);
  list.writeBigUInt64LE(base + away, at.FriendlyName);
  expect(() => readAdapterList(list, base)).toThrow(
    expect.objectContaining({
      code: 11,
      message:
        'GetAdaptersAddresses returned an invalid structure: A pointer leads out of its buffer. Retry.',
    }),
  );
});

test('a list that leads back to one of its elements is refused', () => {
  const list = Buffer.alloc(size);
  list.writeBigUInt64LE(base, at.Next);
  expect(() => readAdapterList(list, base)).toThrow('A list leads back to one of its elements.');
});

test('a table of routes that is shorter than its number of rows is refused', () => {
  const table = Buffer.alloc(ipForwardTable.size);
  table.writeUInt32LE(0xffff_ffff, ipForwardTable.at.NumEntries);
  expect(() => readRouteTable(table)).toThrow(expect.objectContaining({ code: 11 }));
});
