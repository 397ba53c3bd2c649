import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Koffi } from '../../../src/hcn/koffi.ts';
import { adapterAddresses } from '../../../src/iphlpapi/structures.ts';
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

test('forwarding is set for IPv4, with the site prefix that Windows requires', async () => {
  const rows: unknown[] = [];
  const { helper } = await loaded({
    InitializeIpInterfaceEntry: (row: Buffer) => void row.fill(0xff),
    GetIpInterfaceEntry: (row: Buffer) => {
      row.writeUInt8(0, 41);
      return 0;
    },
    SetIpInterfaceEntry: (row: Buffer) => {
      rows.push([row.readUInt16LE(0), row.readUInt32LE(16), row[41], row.readUInt32LE(144)]);
      return 0;
    },
  });
  await helper.enableForwarding(7);
  expect(rows).toEqual([[2, 7, 1, 0]]);
});
