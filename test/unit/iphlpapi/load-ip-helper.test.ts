import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Koffi } from '../../../src/hcn/koffi.ts';
import { adapterAddresses, gatewayAddress } from '../../../src/iphlpapi/structures.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import { addressOfBuffers, fakeKoffi, type Native, runAsOnLinux } from '../hcn/fake-koffi.ts';

const loading = vi.hoisted(() => ({ koffi: (): Koffi => Object.assign({}) }));

vi.mock('../../../src/hcn/koffi.ts', () => ({ loadKoffi: () => loading.koffi() }));

runAsOnLinux();
beforeEach(() => void vi.resetModules());

/** The IP Helper on these functions of iphlpapi.dll, and what it asked of koffi. */
async function loaded(functions: Readonly<Record<string, Native>> = {}, path?: string) {
  const { koffi, asked } = fakeKoffi({ GetAdaptersAddresses: () => 0, ...functions });
  loading.koffi = () => koffi;
  const { loadIpHelper } = await import('../../../src/iphlpapi/load-ip-helper.ts');
  const helper = loadIpHelper(path);
  const own = () => asked.filter((one) => one.startsWith('iphlpapi.dll: '));
  return { helper, asked, own };
}

const getAdapters = 'iphlpapi.dll: uint32 GetAdaptersAddresses(uint32, uint32, void *, void *, void *)';
const accessDenied = 5;
const notFound = 1168;
const bufferOverflow = 111;

/** Each function: what it declares on its first call, beside GetAdaptersAddresses, which loading declares. */
test('loading declares only GetAdaptersAddresses of Windows, and each other function on its first call', async () => {
  const succeed = () => 0;
  const names = ['InitializeIpInterfaceEntry', 'GetIpInterfaceEntry', 'SetIpInterfaceEntry'];
  const others = ['DeleteIpForwardEntry2', 'InitializeIpForwardEntry', 'CreateIpForwardEntry2'];
  const functions = Object.fromEntries([...names, ...others].map((name) => [name, succeed]));
  const empty = Buffer.alloc(8);
  const table = (_: number, slot: [unknown]) => {
    slot[0] = empty;
    return 0;
  };
  const { helper, asked, own } = await loaded({
    ...functions,
    GetIpForwardTable2: table,
    FreeMibTable: succeed,
  });
  expect(asked.filter((one) => one.startsWith('load '))).toEqual([
    'load kernel32.dll',
    'load C:\\Windows\\System32\\iphlpapi.dll',
  ]);
  expect(own()).toEqual([getAdapters]);
  const route = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
  for (const _ of [1, 2]) {
    await helper.enableForwarding(7);
    await helper.removeDefaultRoutes(7);
    await helper.readRoutes();
    await helper.createRoute(route);
    await helper.deleteRoute(route);
  }
  expect(own().slice(1)).toEqual([
    'iphlpapi.dll: void InitializeIpInterfaceEntry(void *)',
    'iphlpapi.dll: uint32 GetIpInterfaceEntry(void *)',
    'iphlpapi.dll: uint32 SetIpInterfaceEntry(void *)',
    'iphlpapi.dll: uint32 DeleteIpForwardEntry2(void *)',
    'iphlpapi.dll: uint32 GetIpForwardTable2(uint16, out void **)',
    'iphlpapi.dll: void FreeMibTable(void *)',
    'iphlpapi.dll: void InitializeIpForwardEntry(void *)',
    'iphlpapi.dll: uint32 CreateIpForwardEntry2(void *)',
    'iphlpapi.dll: uint32 DeleteIpForwardEntry2(void *)',
  ]);
});

test('a library that replaces that of Windows is loaded instead, also for later functions', async () => {
  const { helper, asked } = await loaded({ DeleteIpForwardEntry2: () => 0 }, '/opt/ip.so');
  await helper.deleteRoute(newNodeRoute(7, '10.244.2.0/24', '10.0.0.5'));
  expect(asked.filter((one) => one.startsWith('load '))).toEqual(['load /opt/ip.so', 'load /opt/ip.so']);
});

test('a function that the library lacks fails only when it is called', async () => {
  const { helper } = await loaded();
  await expect(helper.readRoutes()).rejects.toMatchObject({
    name: 'HcnUnavailable',
    message:
      "cannot load C:\\Windows\\System32\\iphlpapi.dll: Cannot find function 'GetIpForwardTable2' in shared library",
  });
});

describe('the list of adapters', () => {
  const { at } = adapterAddresses;

  /** GetAdaptersAddresses that returns these codes in turn, and its parameters; `sizes` is what it asks for. */
  const returning = (codes: readonly number[], fill: (buffer: Buffer) => void = () => undefined) => {
    const calls: unknown[] = [];
    const native = (family: number, flags: number, reserved: unknown, buffer: Buffer, size: Uint32Array) => {
      calls.push([family, flags, reserved, buffer.length, size[0]]);
      const code = codes[calls.length - 1] ?? 0;
      if (code === bufferOverflow) size[0] = (size[0] ?? 0) + 1000;
      if (code === 0) fill(buffer);
      return code;
    };
    return { calls, functions: { GetAdaptersAddresses: native } };
  };
  /** Of all families; with prefixes skipped: anycast, multicast and DNS servers; included: gateways and all interfaces. */
  const [everyFamily, flags] = [0, 0x2 | 0x4 | 0x8 | 0x80 | 0x100];

  test('is read from the buffer that Windows filled', async () => {
    const { functions, calls } = returning([0], (buffer) => buffer.writeUInt32LE(7, at.IfIndex));
    const { helper } = await loaded(functions);
    expect(await helper.readAdapters()).toMatchObject([{ index: 7 }]);
    expect(calls).toEqual([[everyFamily, flags, null, 65536, 65536]]);
  });

  test('leads to texts in the same buffer', async () => {
    const { functions } = returning([0], (buffer) => {
      buffer.writeBigUInt64LE(addressOfBuffers + 1024n, at.FriendlyName);
      buffer.write('vEthernet', 1024, 'utf16le');
    });
    expect(await (await loaded(functions)).helper.readAdapters()).toMatchObject([{ alias: 'vEthernet' }]);
  });

  test('is read with a larger buffer while it grows, three times', async () => {
    const { functions, calls } = returning([bufferOverflow, bufferOverflow, bufferOverflow, 0]);
    const { helper } = await loaded(functions);
    expect(await helper.readAdapters()).toHaveLength(1);
    expect(calls).toEqual([65536, 66536, 67536, 68536].map((size) => [everyFamily, flags, null, size, size]));
  });

  test('that grows four times is error 11', async () => {
    const { functions, calls } = returning(Array(5).fill(bufferOverflow));
    await expect((await loaded(functions)).helper.readAdapters()).rejects.toMatchObject({
      code: 11,
      message: expect.stringContaining('Windows returned ERROR_BUFFER_OVERFLOW (111).'),
    });
    expect(calls).toHaveLength(4);
  });

  test('is empty on a node without adapters', async () => {
    const noData = 232;
    const { functions, calls } = returning([noData]);
    expect(await (await loaded(functions)).helper.readAdapters()).toEqual([]);
    expect(calls).toHaveLength(1);
  });

  test('that Windows refuses is an error, without another try', async () => {
    const { functions, calls } = returning([accessDenied]);
    await expect((await loaded(functions)).helper.readAdapters()).rejects.toThrow(
      'listing the network adapters of this host: Windows returned ERROR_ACCESS_DENIED (5).',
    );
    expect(calls).toHaveLength(1);
  });
});

describe('forwarding on an interface', () => {
  /** Functions that record their calls with the row as hexadecimal numbers: family, interface, forwarding, site prefix. */
  const recording = ({ forwarding = 0, get = 0, set = 0 } = {}) => {
    const calls: unknown[] = [];
    const show = (name: string, row: Buffer) =>
      calls.push([
        name,
        row.length,
        row.readUInt16LE(0),
        row.readUInt32LE(16),
        row[41],
        row.readUInt32LE(144),
      ]);
    return {
      calls,
      functions: {
        InitializeIpInterfaceEntry: (row: Buffer) => show('initialize', row.fill(0xff)),
        GetIpInterfaceEntry: (row: Buffer) => {
          show('get', row);
          row.writeUInt8(forwarding, 41);
          row.writeUInt32LE(64, 144);
          return get;
        },
        SetIpInterfaceEntry: (row: Buffer) => {
          show('set', row);
          return set;
        },
      },
    };
  };
  const size = 168;
  const [ipv4, index, illegal] = [2, 7, 0xffffffff];

  test('is enabled for IPv4, with the site prefix that Windows requires', async () => {
    const { calls, functions } = recording();
    await (await loaded(functions)).helper.enableForwarding(index);
    expect(calls).toEqual([
      ['initialize', size, 0xffff, illegal, 0xff, illegal],
      ['get', size, ipv4, index, 0xff, illegal],
      ['set', size, ipv4, index, 1, 0],
    ]);
  });

  test('is not set if it is enabled', async () => {
    const { calls, functions } = recording({ forwarding: 1 });
    await (await loaded(functions)).helper.enableForwarding(index);
    expect(calls).toHaveLength(2);
  });

  test.each([
    ['reading IPv4 forwarding of interface 7', { get: notFound }, 2],
    ['enabling IPv4 forwarding on interface 7', { set: notFound }, 3],
  ])('fails with the action: %s', async (action, codes, count) => {
    const { calls, functions } = recording(codes);
    await expect((await loaded(functions)).helper.enableForwarding(index)).rejects.toThrow(
      `${action}: Windows returned ERROR_NOT_FOUND (1168).`,
    );
    expect(calls).toHaveLength(count);
  });
});

/** The bytes of a MIB_IPFORWARD_ROW2. */
function rowOf({
  index = 7,
  family = 2,
  destination = '',
  length = 24,
  hop = '',
  metric = 0,
  protocol = 0,
}): Buffer {
  const row = Buffer.alloc(104);
  row.writeUInt32LE(index, 8);
  const addressAt = family === 2 ? 4 : 8;
  for (const [start, bytes] of [
    [12, destination],
    [44, hop],
  ] as const) {
    row.writeUInt16LE(family, start);
    row.set(Buffer.from(bytes, 'hex'), start + addressAt);
  }
  row.writeUInt8(length, 40);
  row.writeUInt32LE(metric, 84);
  row.writeUInt32LE(protocol, 88);
  return row;
}

const ipv4Row = { destination: '0af40200', length: 24, hop: '0a000005' };
const ipv6Row = {
  family: 23,
  destination: 'fd00001000000000000000000000000a',
  length: 64,
  hop: 'fe800000000000000000000000000001',
};

describe('the routes of the node', () => {
  const reading = (code: number, ...rows: readonly Buffer[]) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(rows.length);
    const table = Buffer.concat([head, ...rows, Buffer.alloc(8, 0xff)]);
    const freed: unknown[] = [];
    const families: unknown[] = [];
    return {
      table,
      freed,
      families,
      functions: {
        GetIpForwardTable2: (family: number, slot: [unknown]) => {
          families.push([family, slot[0]]);
          slot[0] = table;
          return code;
        },
        FreeMibTable: (memory: unknown) => void freed.push(memory),
      },
    };
  };

  test('are those of both families, as networks, and the table is released', async () => {
    const unknownFamily = rowOf({ ...ipv4Row, family: 17 });
    const { functions, families, freed, table } = reading(
      0,
      rowOf({ ...ipv4Row, metric: 256, protocol: 3 }),
      unknownFamily,
      rowOf({ ...ipv6Row, index: 12 }),
    );
    expect(await (await loaded(functions)).helper.readRoutes()).toEqual([
      { interfaceIndex: 7, prefix: '10.244.2.0/24', nextHop: '10.0.0.5', metric: 256, protocol: 3 },
      { interfaceIndex: 12, prefix: 'fd00:10::/64', nextHop: 'fe80::1', metric: 0, protocol: 0 },
    ]);
    expect(families).toEqual([[0, null]]);
    expect(freed).toEqual([table]);
  });

  test('are none if Windows finds none', async () => {
    const { functions, freed } = reading(notFound);
    expect(await (await loaded(functions)).helper.readRoutes()).toEqual([]);
    expect(freed).toEqual([]);
  });

  test('fail with the action', async () => {
    const { functions, freed } = reading(accessDenied);
    await expect((await loaded(functions)).helper.readRoutes()).rejects.toThrow(
      'listing the routes of this host: Windows returned ERROR_ACCESS_DENIED (5).',
    );
    expect(freed).toEqual([]);
  });

  test('in an invalid table are error 11, and the table is released', async () => {
    const { functions, freed, table } = reading(0);
    table.writeUInt32LE(2);
    await expect((await loaded(functions)).helper.readRoutes()).rejects.toMatchObject({
      code: 11,
      message: expect.stringMatching(/^GetIpForwardTable2 returned an invalid structure: .* Retry\.$/),
    });
    expect(freed).toEqual([table]);
  });
});

describe('a route', () => {
  const recording = (code: number) => {
    const calls: unknown[] = [];
    const record = (name: string) => (row: Buffer) => {
      calls.push([name, row.toString('hex')]);
      return code;
    };
    return {
      calls,
      functions: {
        InitializeIpForwardEntry: (row: Buffer) => {
          calls.push(['initialize', row.toString('hex')]);
          row.writeUInt8(0xff, 72);
        },
        CreateIpForwardEntry2: record('create'),
        DeleteIpForwardEntry2: record('delete'),
      },
    };
  };
  const empty = Buffer.alloc(104).toString('hex');
  const route4 = {
    interfaceIndex: 7,
    prefix: '10.244.2.0/24',
    nextHop: '10.0.0.5',
    metric: 256,
    protocol: 3,
  };
  const route6 = {
    interfaceIndex: 12,
    prefix: 'fd00:10::a/64',
    nextHop: 'fe80::1',
    metric: 5,
    protocol: 10008,
  };

  test.each([
    [route4, { ...ipv4Row, metric: 256, protocol: 3 }],
    [route6, { ...ipv6Row, index: 12, metric: 5, protocol: 10008 }],
  ])('is created with all of its members: %j', async (route, row) => {
    const { calls, functions } = recording(0);
    await (await loaded(functions)).helper.createRoute(route);
    expect(calls).toEqual([
      ['initialize', empty],
      ['create', rowOf(row).toString('hex')],
    ]);
  });

  test.each([
    [route4, ipv4Row],
    [route6, { ...ipv6Row, index: 12 }],
  ])('is deleted by its interface, prefix and next hop: %j', async (route, row) => {
    const { calls, functions } = recording(0);
    expect(await (await loaded(functions)).helper.deleteRoute(route)).toBe(true);
    expect(calls).toEqual([['delete', rowOf(row).toString('hex')]]);
  });

  test('that is absent cannot be deleted, which is no error', async () => {
    expect(await (await loaded(recording(notFound).functions)).helper.deleteRoute(route4)).toBe(false);
  });

  test('that Windows refuses is an error with the action', async () => {
    const { helper } = await loaded(recording(accessDenied).functions);
    const text = 'route to 10.244.2.0/24 through 10.0.0.5 on interface 7';
    const returned = 'Windows returned ERROR_ACCESS_DENIED (5).';
    await expect(helper.createRoute(route4)).rejects.toThrow(`creating the ${text}: ${returned}`);
    await expect(helper.deleteRoute(route4)).rejects.toThrow(`deleting the ${text}: ${returned}`);
  });

  test('whose prefix is none is an internal error', async () => {
    const { helper } = await loaded(recording(0).functions);
    await expect(helper.createRoute({ ...route4, prefix: 'x' })).rejects.toThrow(new Error('x is no prefix'));
  });

  describe('by default', () => {
    /** Two interfaces, the second of which has a gateway of each family. */
    const adapters = (_: number, _flags: number, _reserved: unknown, buffer: Buffer) => {
      const { at } = adapterAddresses;
      const point = (from: number, to: number) =>
        buffer.writeBigUInt64LE(addressOfBuffers + BigInt(to), from);
      buffer.writeUInt32LE(7, at.IfIndex);
      point(at.Next, 1024);
      buffer.writeUInt32LE(12, 1024 + at.IfIndex);
      const gateways = [rowOf(ipv6Row).subarray(44, 72), rowOf(ipv4Row).subarray(44, 72)];
      let from = 1024 + at.FirstGatewayAddress;
      gateways.forEach((gateway, index) => {
        const element = 2048 + index * 128;
        point(from, element);
        point(element + gatewayAddress.at.Address, element + 64);
        buffer.set(gateway, element + 64);
        from = element + gatewayAddress.at.Next;
      });
      return 0;
    };

    test('is deleted for each IPv4 gateway of the interface', async () => {
      const { calls, functions } = recording(0);
      const { helper } = await loaded({ ...functions, GetAdaptersAddresses: adapters });
      await helper.removeDefaultRoutes(7);
      await helper.removeDefaultRoutes(99);
      expect(calls).toEqual([]);
      await helper.removeDefaultRoutes(12);
      const row = rowOf({ index: 12, destination: '00000000', length: 0, hop: '0a000005' });
      expect(calls).toEqual([['delete', row.toString('hex')]]);
    });

    test('may be absent by now, and fails with the action otherwise', async () => {
      const removing = async (code: number) => {
        const { helper } = await loaded({ ...recording(code).functions, GetAdaptersAddresses: adapters });
        return helper.removeDefaultRoutes(12);
      };
      await removing(notFound);
      vi.resetModules();
      await expect(removing(accessDenied)).rejects.toThrow(
        'deleting the default route to 10.0.0.5 on interface 12: Windows returned ERROR_ACCESS_DENIED (5).',
      );
    });
  });
});
