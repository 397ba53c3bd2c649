import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Koffi } from '../../../src/hcn/koffi.ts';
import type { IpHelper } from '../../../src/iphlpapi/ip-helper.ts';
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

test('forwarding is set for IPv4 once, with the site prefix that Windows requires', async () => {
  const rows: unknown[] = [];
  let forwarding = 0;
  const { helper } = await loaded({
    InitializeIpInterfaceEntry: (row: Buffer) => void row.fill(0xff),
    GetIpInterfaceEntry: (row: Buffer) => {
      row.writeUInt8(forwarding, 41);
      return 0;
    },
    SetIpInterfaceEntry: (row: Buffer) => {
      rows.push([row.readUInt16LE(0), row.readUInt32LE(16), row[41], row.readUInt32LE(144)]);
      return 0;
    },
  });
  await helper.enableForwarding(7);
  expect(rows).toEqual([[2, 7, 1, 0]]);
  forwarding = 1;
  await helper.enableForwarding(7);
  expect(rows).toHaveLength(1);
});

describe('routes', () => {
  const ipv4 = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
  const ipv6 = { ...newNodeRoute(8, 'fd00:2::/64', 'fd00::5'), metric: 1, protocol: 2 };

  /** The default code of each function is 0. The adapter 7 has the gateway 10.0.0.1, the table those routes and one of another family. */
  const withRoutes = async (codes: Readonly<Record<string, number>> = {}) => {
    const { at } = adapterAddresses;
    const rows: Buffer[] = [];
    const deleted: Buffer[] = [];
    const freed: unknown[] = [];
    const push = (list: Buffer[], name: string) => (row: Buffer) => {
      list.push(row);
      return codes[name] ?? 0;
    };
    const { helper } = await loaded({
      GetAdaptersAddresses: (_family, _flags, _reserved, buffer: Buffer) => {
        buffer.writeUInt32LE(7, at.IfIndex);
        buffer.writeBigUInt64LE(addressOfBuffers + 512n, at.FirstGatewayAddress);
        buffer.writeBigUInt64LE(addressOfBuffers + 1024n, 512 + gatewayAddress.at.Address);
        buffer.set([2, 0, 0, 0, 10, 0, 0, 1], 1024);
        return 0;
      },
      InitializeIpInterfaceEntry: () => undefined,
      GetIpInterfaceEntry: () => codes['GetIpInterfaceEntry'] ?? 0,
      SetIpInterfaceEntry: () => codes['SetIpInterfaceEntry'] ?? 0,
      InitializeIpForwardEntry: (row: Buffer) => void row.fill(0xff),
      CreateIpForwardEntry2: push(rows, 'CreateIpForwardEntry2'),
      DeleteIpForwardEntry2: push(deleted, 'DeleteIpForwardEntry2'),
      GetIpForwardTable2: (family: number, slot: [unknown]) => {
        slot[0] = Buffer.concat([
          Uint8Array.of(rows.length + 1, 0, 0, 0, 0, 0, 0, family),
          ...rows,
          Buffer.alloc(104, 0xff),
        ]);
        return codes['GetIpForwardTable2'] ?? 0;
      },
      FreeMibTable: (table: Buffer) => void freed.push([...table.subarray(0, 8)]),
    });
    return { helper, rows, deleted, freed };
  };

  test('of both families are written with the site prefix that Windows requires, and read from a table that is freed', async () => {
    const { helper, rows, deleted, freed } = await withRoutes();
    await helper.createRoute(ipv4);
    await helper.createRoute(ipv6);
    expect(rows.map((row) => [row.length, row[72]])).toEqual([
      [104, 0],
      [104, 0],
    ]);
    expect(await helper.readRoutes()).toEqual([ipv4, ipv6]);
    expect(freed).toEqual([[3, 0, 0, 0, 0, 0, 0, 0]]);
    expect(await helper.deleteRoute(ipv6)).toBe(true);
    await helper.removeDefaultRoutes(8);
    await helper.removeDefaultRoutes(7);
    expect(
      deleted.map((row) => [row.length, row.readUInt32LE(8), row[40], [...row.subarray(48, 52)]]),
    ).toEqual([
      [104, 8, 64, [0, 0, 0, 0]],
      [104, 7, 0, [10, 0, 0, 1]],
    ]);
  });

  test('that do not exist are no failure', async () => {
    const { helper, freed } = await withRoutes({ GetIpForwardTable2: 1168, DeleteIpForwardEntry2: 1168 });
    expect(await helper.readRoutes()).toEqual([]);
    expect(await helper.deleteRoute(ipv4)).toBe(false);
    expect(await helper.removeDefaultRoutes(7)).toBeUndefined();
    expect(freed).toEqual([]);
  });

  const named = 'route to 10.244.2.0/24 through 10.0.0.5 on interface 7';

  test.each<readonly [string, string, (helper: IpHelper) => Promise<unknown>]>([
    ['GetIpInterfaceEntry', 'reading IPv4 forwarding of interface 7', (helper) => helper.enableForwarding(7)],
    [
      'SetIpInterfaceEntry',
      'enabling IPv4 forwarding on interface 7',
      (helper) => helper.enableForwarding(7),
    ],
    ['GetIpForwardTable2', 'listing the routes of this host', (helper) => helper.readRoutes()],
    ['CreateIpForwardEntry2', `creating the ${named}`, (helper) => helper.createRoute(ipv4)],
    ['DeleteIpForwardEntry2', `deleting the ${named}`, (helper) => helper.deleteRoute(ipv4)],
    [
      'DeleteIpForwardEntry2',
      'deleting the default route to 10.0.0.1 on interface 7',
      (helper) => helper.removeDefaultRoutes(7),
    ],
  ])('that %s refuses are an error: %s', async (name, action, run) => {
    const { helper } = await withRoutes({ [name]: accessDenied });
    await expect(run(helper)).rejects.toThrow(`${action}: Windows returned ERROR_ACCESS_DENIED (5).`);
  });
});
