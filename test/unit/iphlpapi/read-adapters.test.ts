import { expect, test } from 'vitest';
import { CniError } from '../../../src/cni/error.ts';
import { readAdapterList } from '../../../src/iphlpapi/read-adapters.ts';
import { adapterAddresses, gatewayAddress, unicastAddress } from '../../../src/iphlpapi/structures.ts';

const base = 0x7ff0_1000_0000n;
const { size, at } = adapterAddresses;

test.each([
  ['before its buffer', at.FriendlyName, -8n, 'A pointer leads out of its buffer.'],
  ['after its buffer', at.FriendlyName, BigInt(size), 'A pointer leads out of its buffer.'],
  ['back to its adapter', at.Next, 0n, 'A list leads back to one of its elements.'],
])('a pointer that leads %s is refused with error 11', (_, pointerAt, away, reason) => {
  const list = Buffer.alloc(size);
  list.writeBigUInt64LE(base + away, pointerAt);
  expect(() => readAdapterList(list, base)).toThrow(
    new CniError(11, `GetAdaptersAddresses returned an invalid structure: ${reason} Retry.`),
  );
});

test('an adapter without any member is read, and an empty buffer has none', () => {
  const absent = { index: 0, alias: '', description: '', mac: undefined, mtu: 0, isUp: false, mediaType: 0 };
  const adapter = { ...absent, addresses: [], gateways: [], metric: 0 };
  expect(readAdapterList(Buffer.alloc(size), base)).toEqual([adapter]);
  expect(readAdapterList(Buffer.alloc(0), base)).toEqual([]);
});

test('an adapter without IPv4 has its index in IPv6', () => {
  expect(readAdapterList(listOf({ alias: 'x', index: 0 }), base)).toMatchObject([{ index: 99 }]);
});

/** Writes adapters as GetAdaptersAddresses does, all pointers into the same buffer. */
function listOf(...adapters: readonly { readonly alias: string; readonly index: number }[]): Buffer {
  const length = 4096;
  const list = Buffer.alloc(adapters.length * length);
  adapters.forEach(({ alias, index }, place) => {
    const start = place * length;
    let free = start + size;
    const allocate = (bytes: Buffer | number): number => {
      const at = free;
      if (typeof bytes !== 'number') bytes.copy(list, at);
      free += Math.ceil((typeof bytes === 'number' ? bytes : bytes.length) / 8) * 8;
      return at;
    };
    const point = (from: number, to: number): void => void list.writeBigUInt64LE(base + BigInt(to), from);
    const text = (content: string): number => allocate(Buffer.from(`${content}\0`, 'utf16le'));
    const address = (family: number, bytesAt: number, bytes: readonly number[]): number => {
      const socket = Buffer.alloc(28);
      socket.writeUInt16LE(family, 0);
      Buffer.from(bytes).copy(socket, bytesAt);
      return allocate(socket);
    };
    const unicast = (socket: number, prefix: number): number => {
      const element = allocate(unicastAddress.size);
      point(element + unicastAddress.at.Address, socket);
      list.writeUInt8(prefix, element + unicastAddress.at.OnLinkPrefixLength);
      return element;
    };
    const gateway = (socket: number): number => {
      const element = allocate(gatewayAddress.size);
      point(element + gatewayAddress.at.Address, socket);
      return element;
    };
    list.writeUInt32LE(index, start + at.IfIndex);
    list.writeUInt32LE(99, start + at.Ipv6IfIndex);
    point(start + at.FriendlyName, text(alias));
    point(start + at.Description, text('Hyper-V Virtual Ethernet Adapter'));
    Buffer.from([0, 0x15, 0x5d, 1, 2, 3]).copy(list, start + at.PhysicalAddress);
    list.writeUInt32LE(6, start + at.PhysicalAddressLength);
    list.writeUInt32LE(1450, start + at.Mtu);
    list.writeUInt32LE(1, start + at.OperStatus);
    list.writeUInt32LE(6, start + at.IfType);
    list.writeUInt32LE(25, start + at.Ipv4Metric);
    const second = unicast(address(23, 8, [0xfd, ...Array<number>(14).fill(0), 9]), 64);
    const unknown = unicast(address(17, 4, [1, 2, 3, 4]), 8);
    const first = unicast(address(2, 4, [10, 1, 0, 5]), 24);
    point(first + unicastAddress.at.Next, unknown);
    point(unknown + unicastAddress.at.Next, second);
    point(start + at.FirstUnicastAddress, first);
    const nextGateway = gateway(address(23, 8, [0xfe, 0x80, ...Array<number>(13).fill(0), 1]));
    const firstGateway = gateway(address(2, 4, [10, 1, 0, 1]));
    point(firstGateway + gatewayAddress.at.Next, nextGateway);
    point(start + at.FirstGatewayAddress, firstGateway);
    if (place + 1 < adapters.length) point(start + at.Next, start + length);
  });
  return list;
}

test('every member of every adapter is read, without addresses of other families', () => {
  const adapter = {
    description: 'Hyper-V Virtual Ethernet Adapter',
    mac: '00-15-5D-01-02-03',
    mtu: 1450,
    isUp: true,
    mediaType: 6,
    addresses: [
      { address: '10.1.0.5', length: 24 },
      { address: 'fd00::9', length: 64 },
    ],
    gateways: ['10.1.0.1', 'fe80::1'],
    metric: 25,
  };
  const list = listOf({ alias: 'vEthernet (Ethernet)', index: 7 }, { alias: 'Café 2', index: 12 });
  expect(readAdapterList(list, base)).toEqual([
    { ...adapter, index: 7, alias: 'vEthernet (Ethernet)' },
    { ...adapter, index: 12, alias: 'Café 2' },
  ]);
});

test.each([
  [['Ethernet', 'Ethernet-QoS Packet Scheduler-0000'], ['Ethernet']],
  [['Ethernet-QoS Packet Scheduler-0000'], ['Ethernet-QoS Packet Scheduler-0000']],
  [
    ['Ethernet', 'Ethernet-00001', 'Ethernet-0001 '],
    ['Ethernet', 'Ethernet-00001', 'Ethernet-0001 '],
  ],
])('of the adapters %j, those that are no filter drivers are %j', (aliases, kept) => {
  const list = listOf(...aliases.map((alias, index) => ({ alias, index })));
  expect(readAdapterList(list, base).map(({ alias }) => alias)).toEqual(kept);
});
