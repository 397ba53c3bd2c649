import { spawnSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import {
  adapterAddresses,
  addressPrefix,
  gatewayAddress,
  ipForwardRow,
  ipForwardTable,
  ipInterfaceRow,
  unicastAddress,
} from '../../../src/iphlpapi/structures.ts';
import { notOnWindows } from '../../not-on-windows.ts';

const structures = [
  adapterAddresses,
  unicastAddress,
  gatewayAddress,
  ipInterfaceRow,
  ipForwardRow,
  addressPrefix,
  ipForwardTable,
];
const compiler = 'x86_64-w64-mingw32-gcc';
const mingw = spawnSync(compiler, ['--version']).status === 0;
/** CI on Linux installs mingw. */
const compared =
  process.platform === 'win32'
    ? notOnWindows('a Windows machine need not have mingw')
    : it.skipIf(!mingw && !process.env['CI']);

describe('the structures of iphlpapi.dll', () => {
  test('have these sizes and offsets on 64-bit Windows', () => {
    expect(
      structures.map(({ structure, size, at }) => [structure, size, ...Object.entries(at).flat()].join(' ')),
    ).toEqual([
      'IP_ADAPTER_ADDRESSES_LH 448 IfIndex 4 Next 8 FirstUnicastAddress 24 Description 64 FriendlyName 72 ' +
        'PhysicalAddress 80 PhysicalAddressLength 88 Mtu 96 IfType 100 OperStatus 104 Ipv6IfIndex 108 ' +
        'FirstGatewayAddress 208 Ipv4Metric 216',
      'IP_ADAPTER_UNICAST_ADDRESS_LH 64 Next 8 Address 16 OnLinkPrefixLength 56',
      'IP_ADAPTER_GATEWAY_ADDRESS_LH 32 Next 8 Address 16',
      'MIB_IPINTERFACE_ROW 168 Family 0 InterfaceIndex 16 ForwardingEnabled 41 SitePrefixLength 144',
      'MIB_IPFORWARD_ROW2 104 InterfaceIndex 8 DestinationPrefix 12 NextHop 44 SitePrefixLength 72 Metric 84 ' +
        'Protocol 88',
      'IP_ADDRESS_PREFIX 32 PrefixLength 28',
      'MIB_IPFORWARD_TABLE2 112 NumEntries 0 Table 8',
    ]);
  });

  compared("mingw's headers say the same", () => {
    const asserts = structures.flatMap(({ structure, size, at }) => [
      `_Static_assert(sizeof(${structure}) == ${size}, "${structure}");`,
      ...Object.entries(at).map(
        ([member, offset]) => `_Static_assert(offsetof(${structure}, ${member}) == ${offset}, "${member}");`,
      ),
    ]);
    const headers = ['winsock2.h', 'ws2ipdef.h', 'iphlpapi.h', 'netioapi.h', 'stddef.h'];
    const source = [...headers.map((header) => `#include <${header}>`), ...asserts].join('\n');
    const { status, stderr } = spawnSync(compiler, ['-x', 'c', '-fsyntax-only', '-'], {
      input: source,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
