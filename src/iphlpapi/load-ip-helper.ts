import type { Koffi } from '../hcn/koffi.ts';
import { call, type NativeFunction, type NativeLibrary, useLibrary } from '../hcn/native-library.ts';
import { addressBytes, familyOf } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import type { IpHelper } from './ip-helper.ts';
import { readAdapterList } from './read-adapters.ts';
import { ipForwardRow, ipInterfaceRow, socketAddress } from './structures.ts';
import { IpHelperError, windowsCode } from './windows-errors.ts';

/**
 * Binds iphlpapi.dll. `path` is a library that replaces it; undefined means Windows' own by full path. Throws HcnUnavailable if the
 * library cannot be loaded. The first call of a function that it lacks throws HcnUnavailable too: Wine's lists adapters but changes none.
 */
export function loadIpHelper(path: string | undefined): IpHelper {
  const onFirstUse = <T>(bind: (library: NativeLibrary) => T): (() => T) => {
    let bound: T | undefined;
    return () => {
      bound ??= useLibrary('iphlpapi.dll', path, bind);
      return bound;
    };
  };
  const readAdapters = useLibrary('iphlpapi.dll', path, bindReadAdapters);
  const enableForwarding = onFirstUse(bindEnableForwarding);
  const removeDefaultRoutes = onFirstUse((library) => bindRemoveDefaultRoutes(library, readAdapters));
  return {
    readAdapters,
    enableForwarding: async (index) => enableForwarding()(index),
    removeDefaultRoutes: async (index) => removeDefaultRoutes()(index),
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

/** https://learn.microsoft.com/windows/win32/api/netioapi/nf-netioapi-deleteipforwardentry2 */
function bindRemoveDefaultRoutes(
  library: NativeLibrary,
  readAdapters: () => Promise<readonly HostAdapter[]>,
): IpHelper['removeDefaultRoutes'] {
  const remove: NativeFunction = library.func('DeleteIpForwardEntry2', 'uint32', ['void *']);
  return async (index) => {
    const adapter = (await readAdapters()).find((other) => other.index === index);
    const gateways = adapter?.gateways.filter((gateway) => familyOf(gateway) === 'IPv4') ?? [];
    for (const gateway of gateways) {
      const code = await call(remove, [defaultRoute(index, gateway)]);
      if (code !== windowsCode.ERROR_SUCCESS && code !== windowsCode.ERROR_NOT_FOUND)
        throw new IpHelperError(`deleting the default route to ${gateway} on interface ${index}`, code);
    }
  };
}

/** The row of a route to 0.0.0.0/0, whose address and length stay zero. */
function defaultRoute(index: number, gateway: string): Buffer {
  const { at, size } = ipForwardRow;
  const { family, at: address } = socketAddress.IPv4;
  const row = Buffer.alloc(size);
  row.writeUInt32LE(index, at.InterfaceIndex);
  row.writeUInt16LE(family, at.DestinationPrefix);
  row.writeUInt16LE(family, at.NextHop);
  row.set(addressBytes(gateway), at.NextHop + address);
  return row;
}
