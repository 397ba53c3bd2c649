import { addressFromBytes } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { macFromBytes } from '../net/mac.ts';
import { adapterAddresses, gatewayAddress, socketAddress, unicastAddress } from './structures.ts';
import { readStructure } from './windows-errors.ts';

const up = 1;

/**
 * Reads the list that GetAdaptersAddresses wrote into a buffer, without filter drivers. `base` is the buffer's address in memory. All
 * pointers in the list lead into the buffer.
 */
export function readAdapterList(buffer: Buffer, base: bigint): readonly HostAdapter[] {
  return readStructure('GetAdaptersAddresses', () => withoutFilters(readEvery(buffer, base)));
}

/** A filter driver has its own interface, with its adapter's MAC and a name such as `Ethernet-QoS Packet Scheduler-0000`. */
function withoutFilters(adapters: readonly HostAdapter[]): readonly HostAdapter[] {
  const isFilter = ({ alias }: HostAdapter): boolean =>
    /-\d{4}$/.test(alias) &&
    adapters.some((other) => other.alias !== '' && alias.startsWith(`${other.alias}-`));
  return adapters.filter((adapter) => !isFilter(adapter));
}

function readEvery(buffer: Buffer, base: bigint): readonly HostAdapter[] {
  const { at } = adapterAddresses;
  const memory: Memory = { buffer, base };
  return elementsFrom(memory, buffer.length > 0 ? 0 : undefined, at.Next).map((adapter) => {
    const physical = adapter + at.PhysicalAddress;
    const number = (member: number): number => buffer.readUInt32LE(adapter + member);
    return {
      index: number(at.IfIndex) || number(at.Ipv6IfIndex),
      alias: readText(memory, adapter + at.FriendlyName),
      description: readText(memory, adapter + at.Description),
      mac: macFromBytes(buffer.subarray(physical, physical + number(at.PhysicalAddressLength))),
      mtu: number(at.Mtu),
      isUp: number(at.OperStatus) === up,
      mediaType: number(at.IfType),
      addresses: list(memory, adapter + at.FirstUnicastAddress, unicastAddress.at.Next).flatMap((unicast) => {
        const address = readAddress(memory, unicast + unicastAddress.at.Address);
        const length = buffer.readUInt8(unicast + unicastAddress.at.OnLinkPrefixLength);
        return address === undefined ? [] : [{ address, length }];
      }),
      gateways: list(memory, adapter + at.FirstGatewayAddress, gatewayAddress.at.Next).flatMap(
        (gateway) => readAddress(memory, gateway + gatewayAddress.at.Address) ?? [],
      ),
      metric: number(at.Ipv4Metric),
    };
  });
}

interface Memory {
  readonly buffer: Buffer;
  readonly base: bigint;
}

/** The offset in the buffer that the pointer at `pointerAt` leads to; undefined for NULL. */
function offsetAt({ buffer, base }: Memory, pointerAt: number): number | undefined {
  const pointer = buffer.readBigUInt64LE(pointerAt);
  if (pointer === 0n) return undefined;
  const offset = pointer - base;
  if (offset < 0n || offset >= buffer.length) throw new RangeError('A pointer leads out of its buffer.');
  return Number(offset);
}

/** The offsets of a list's elements. The pointer at `pointerAt` leads to the first. */
function list(memory: Memory, pointerAt: number, next: number): readonly number[] {
  return elementsFrom(memory, offsetAt(memory, pointerAt), next);
}

function elementsFrom(memory: Memory, first: number | undefined, next: number): readonly number[] {
  const elements = new Set<number>();
  for (let element = first; element !== undefined; element = offsetAt(memory, element + next)) {
    if (elements.has(element)) throw new RangeError('A list leads back to one of its elements.');
    elements.add(element);
  }
  return [...elements];
}

/** The UTF-16 string that the pointer at `pointerAt` leads to. */
function readText(memory: Memory, pointerAt: number): string {
  const start = offsetAt(memory, pointerAt);
  if (start === undefined) return '';
  let end = start;
  while (memory.buffer.readUInt16LE(end) !== 0) end += 2;
  return memory.buffer.toString('utf16le', start, end);
}

/** The address of a SOCKET_ADDRESS, which begins with a pointer to it; undefined unless it is IPv4 or IPv6. */
function readAddress(memory: Memory, pointerAt: number): string | undefined {
  const start = offsetAt(memory, pointerAt);
  if (start === undefined) return undefined;
  const family = memory.buffer.readUInt16LE(start);
  const form = Object.values(socketAddress).find((known) => known.family === family);
  if (form === undefined) return undefined;
  return addressFromBytes([...memory.buffer.subarray(start + form.at, start + form.at + form.length)]);
}
