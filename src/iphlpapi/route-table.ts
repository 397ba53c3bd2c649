import { addressBytes, addressFromBytes, familyOf } from '../net/address.ts';
import type { NodeRoute } from '../net/node-route.ts';
import { formatPrefix, networkOf, parsePrefix } from '../net/prefix.ts';
import { addressPrefix, ipForwardRow, ipForwardTable, socketAddress } from './structures.ts';
import { readStructure } from './windows-errors.ts';

const { at, size } = ipForwardRow;

/** The size in bytes of a MIB_IPFORWARD_TABLE2 with this number of rows. */
export function tableSize(rows: number): number {
  return ipForwardTable.at.Table + rows * size;
}

/** Reads the rows of a MIB_IPFORWARD_TABLE2, without those of an unknown family. */
export function readRouteTable(table: Buffer): readonly NodeRoute[] {
  return readStructure('GetIpForwardTable2', () => {
    const count = table.readUInt32LE(ipForwardTable.at.NumEntries);
    return Array.from({ length: count }, (_, index) => {
      const start = tableSize(index);
      return readRow(table.subarray(start, start + size));
    }).filter((route) => route !== undefined);
  });
}

function readRow(row: Buffer): NodeRoute | undefined {
  const address = readAddress(row, at.DestinationPrefix);
  const nextHop = readAddress(row, at.NextHop);
  if (address === undefined || nextHop === undefined) return undefined;
  const length = row.readUInt8(at.DestinationPrefix + addressPrefix.at.PrefixLength);
  return {
    interfaceIndex: row.readUInt32LE(at.InterfaceIndex),
    prefix: formatPrefix(networkOf({ address, length })),
    nextHop,
    metric: row.readUInt32LE(at.Metric),
    protocol: row.readUInt32LE(at.Protocol),
  };
}

/** The address of a SOCKADDR_INET; undefined unless it is IPv4 or IPv6. */
function readAddress(row: Buffer, start: number): string | undefined {
  const family = row.readUInt16LE(start);
  const form = Object.values(socketAddress).find((known) => known.family === family);
  return form && addressFromBytes([...row.subarray(start + form.at, start + form.at + form.length)]);
}

/** What identifies a route. */
export type RouteKey = Pick<NodeRoute, 'interfaceIndex' | 'prefix' | 'nextHop'>;

/** Writes what identifies a route into a MIB_IPFORWARD_ROW2: its interface, prefix and next hop. */
export function writeRouteKey(row: Buffer, route: RouteKey): void {
  const prefix = parsePrefix(route.prefix);
  if (prefix === undefined) throw new Error(`${route.prefix} is no prefix`);
  row.writeUInt32LE(route.interfaceIndex, at.InterfaceIndex);
  writeAddress(row, at.DestinationPrefix, prefix.address);
  row.writeUInt8(prefix.length, at.DestinationPrefix + addressPrefix.at.PrefixLength);
  writeAddress(row, at.NextHop, route.nextHop);
}

function writeAddress(row: Buffer, start: number, address: string): void {
  const form = socketAddress[familyOf(address)];
  row.writeUInt16LE(form.family, start);
  row.set(addressBytes(address), start + form.at);
}
