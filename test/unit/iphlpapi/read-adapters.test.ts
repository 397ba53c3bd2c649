import { expect, test } from 'vitest';
import { readAdapterList } from '../../../src/iphlpapi/read-adapters.ts';
import { adapterAddresses } from '../../../src/iphlpapi/structures.ts';

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
  expect(() => readAdapterList(list, base)).toThrow('leads out of its buffer');
});
