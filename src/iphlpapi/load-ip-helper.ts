import type { Koffi } from '../hcn/koffi.ts';
import { call, type NativeFunction, type NativeLibrary, useLibrary } from '../hcn/native-library.ts';
import { familyOf } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { describeNodeRoute } from '../net/node-route.ts';
import { everyAddress } from '../net/prefix.ts';
import type { IpHelper } from './ip-helper.ts';
import { readAdapterList } from './read-adapters.ts';
import { type RouteKey, readRouteTable, tableSize, writeRouteKey } from './route-table.ts';
import { ipForwardRow, ipInterfaceRow, socketAddress } from './structures.ts';
import { IpHelperError, windowsCode } from './windows-errors.ts';

/**
 * Binds iphlpapi.dll. `path` is a library that replaces it; undefined means Windows' own by full path. Throws HcnUnavailable if the
 * library cannot be loaded. The first call of a function that it lacks throws HcnUnavailable too: Wine's lists adapters but changes none.
 */
export function loadIpHelper(path: string | undefined): IpHelper {
  const onFirstUse = <T>(bind: (library: NativeLibrary, koffi: Koffi) => T): (() => T) => {
    let bound: T | undefined;
    return () => {
      bound ??= useLibrary('iphlpapi.dll', path, bind);
      return bound;
    };
  };
  const readAdapters = useLibrary('iphlpapi.dll', path, bindReadAdapters);
  const enableForwarding = onFirstUse(bindEnableForwarding);
  const removeDefaultRoutes = onFirstUse((library) => bindRemoveDefaultRoutes(library, readAdapters));
  const readRoutes = onFirstUse(bindReadRoutes);
  const createRoute = onFirstUse(bindCreateRoute);
  const deleteRoute = onFirstUse(bindDeleteRoute);
  return {
    readAdapters,
    enableForwarding: async (index) => enableForwarding()(index),
    removeDefaultRoutes: async (index) => removeDefaultRoutes()(index),
    readRoutes: async () => readRoutes()(),
    createRoute: async (route) => createRoute()(route),
    deleteRoute: async (route) => deleteRoute()(route),
  };
}

/** All families, with gateways and interfaces without IP, without anycast, multicast and DNS server addresses. */
const everyFamily = 0;
const adapterFlags = 0x2 | 0x4 | 0x8 | 0x80 | 0x100;
/** Bytes for about fifty adapters. */
const firstSize = 65536;
const attempts = 4;

/** https://learn.microsoft.com/windows/win32/api/iphlpapi/nf-iphlpapi-getadaptersaddresses */
function bindReadAdapters(library: NativeLibrary, koffi: Koffi): IpHelper['readAdapters'] {
  const types = ['uint32', 'uint32', 'void *', 'void *', 'void *'];
  const getAdaptersAddresses: NativeFunction = library.func('GetAdaptersAddresses', 'uint32', types);
  return async () => {
    const size = new Uint32Array([firstSize]);
    let code: number = windowsCode.ERROR_BUFFER_OVERFLOW;
    for (let left = attempts; left > 0 && code === windowsCode.ERROR_BUFFER_OVERFLOW; left--) {
      const buffer = Buffer.alloc(size[0] ?? firstSize);
      code = await call(getAdaptersAddresses, [everyFamily, adapterFlags, null, buffer, size]);
      if (code === windowsCode.ERROR_SUCCESS) return readAdapterList(buffer, koffi.address(buffer));
      if (code === windowsCode.ERROR_NO_DATA) return [];
    }
    throw new IpHelperError('listing the network adapters of this host', code);
  };
}

/**
 * https://learn.microsoft.com/windows/win32/api/netioapi/nf-netioapi-setipinterfaceentry: a row that
 * GetIpInterfaceEntry returned for IPv4 must be set with SitePrefixLength 0.
 */
function bindEnableForwarding(library: NativeLibrary): IpHelper['enableForwarding'] {
  const initialize = library.func('InitializeIpInterfaceEntry', 'void', ['void *']);
  const get: NativeFunction = library.func('GetIpInterfaceEntry', 'uint32', ['void *']);
  const set: NativeFunction = library.func('SetIpInterfaceEntry', 'uint32', ['void *']);
  return async (index) => {
    const { at, size } = ipInterfaceRow;
    const row = Buffer.alloc(size);
    initialize(row);
    row.writeUInt16LE(socketAddress.IPv4.family, at.Family);
    row.writeUInt32LE(index, at.InterfaceIndex);
    const found = await call(get, [row]);
    if (found !== windowsCode.ERROR_SUCCESS)
      throw new IpHelperError(`reading IPv4 forwarding of interface ${index}`, found);
    if (row.readUInt8(at.ForwardingEnabled) !== 0) return;
    row.writeUInt8(1, at.ForwardingEnabled);
    row.writeUInt32LE(0, at.SitePrefixLength);
    const changed = await call(set, [row]);
    if (changed !== windowsCode.ERROR_SUCCESS)
      throw new IpHelperError(`enabling IPv4 forwarding on interface ${index}`, changed);
  };
}

function bindRemoveDefaultRoutes(
  library: NativeLibrary,
  readAdapters: () => Promise<readonly HostAdapter[]>,
): IpHelper['removeDefaultRoutes'] {
  const remove = bindDeleteRow(library);
  return async (interfaceIndex) => {
    const adapter = (await readAdapters()).find((other) => other.index === interfaceIndex);
    const gateways = adapter?.gateways.filter((gateway) => familyOf(gateway) === 'IPv4') ?? [];
    for (const nextHop of gateways) {
      const action = `deleting the default route to ${nextHop} on interface ${interfaceIndex}`;
      await remove({ interfaceIndex, prefix: everyAddress('IPv4'), nextHop }, action);
    }
  };
}

/** Deletes a row; returns whether it existed. https://learn.microsoft.com/windows/win32/api/netioapi/nf-netioapi-deleteipforwardentry2 */
function bindDeleteRow(library: NativeLibrary) {
  const remove: NativeFunction = library.func('DeleteIpForwardEntry2', 'uint32', ['void *']);
  return async (route: RouteKey, action: string): Promise<boolean> => {
    const row = Buffer.alloc(ipForwardRow.size);
    writeRouteKey(row, route);
    const code = await call(remove, [row]);
    if (code !== windowsCode.ERROR_SUCCESS && code !== windowsCode.ERROR_NOT_FOUND)
      throw new IpHelperError(action, code);
    return code === windowsCode.ERROR_SUCCESS;
  };
}

function bindDeleteRoute(library: NativeLibrary): IpHelper['deleteRoute'] {
  const remove = bindDeleteRow(library);
  return (route) => remove(route, `deleting the ${describeNodeRoute(route)}`);
}

/**
 * Windows allocates the table, and FreeMibTable releases it.
 * https://learn.microsoft.com/windows/win32/api/netioapi/nf-netioapi-getipforwardtable2
 */
function bindReadRoutes(library: NativeLibrary, koffi: Koffi): IpHelper['readRoutes'] {
  const outTable = koffi.out(koffi.pointer('void *'));
  const get: NativeFunction = library.func('GetIpForwardTable2', 'uint32', ['uint16', outTable]);
  const free = library.func('FreeMibTable', 'void', ['void *']);
  return async () => {
    const table: [unknown] = [null];
    const code = await call(get, [everyFamily, table]);
    if (code === windowsCode.ERROR_NOT_FOUND) return [];
    if (code !== windowsCode.ERROR_SUCCESS) throw new IpHelperError('listing the routes of this host', code);
    try {
      const size = tableSize(koffi.decode(table[0], 'uint32'));
      return readRouteTable(Buffer.from(koffi.decode(table[0], 'uint8', size)));
    } finally {
      free(table[0]);
    }
  };
}

/**
 * InitializeIpForwardEntry sets members to infinite lifetimes or to illegal values, which the caller replaces.
 * https://learn.microsoft.com/windows/win32/api/netioapi/nf-netioapi-createipforwardentry2
 */
function bindCreateRoute(library: NativeLibrary): IpHelper['createRoute'] {
  const initialize = library.func('InitializeIpForwardEntry', 'void', ['void *']);
  const create: NativeFunction = library.func('CreateIpForwardEntry2', 'uint32', ['void *']);
  return async (route) => {
    const { at, size } = ipForwardRow;
    const row = Buffer.alloc(size);
    initialize(row);
    writeRouteKey(row, route);
    row.writeUInt8(0, at.SitePrefixLength);
    row.writeUInt32LE(route.metric, at.Metric);
    row.writeUInt32LE(route.protocol, at.Protocol);
    const code = await call(create, [row]);
    if (code !== windowsCode.ERROR_SUCCESS)
      throw new IpHelperError(`creating the ${describeNodeRoute(route)}`, code);
  };
}
