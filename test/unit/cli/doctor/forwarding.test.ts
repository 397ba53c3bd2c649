import { expect, test } from 'vitest';
import { forwarding } from '../../../../src/cli/doctor/checks/forwarding.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { hostAdapters, hostEndpointInterface } from '../../plan/host-adapters.ts';
import { diagnosisTexts, hostNamespace, node, withAddress } from './facts.ts';

const own = {
  ...hostEndpointInterface,
  alias: 'vEthernet (pods_ep)',
  addresses: [{ address: '10.244.1.2', length: 24 }],
};
const attached = withAddress('1', '10.244.1.2', { Name: 'pods_ep', HostComputeNamespace: hostNamespace });
const diagnose = (
  states: Readonly<Record<number, boolean>>,
  {
    members = { hostEndpoint: {} },
    adapters = [...hostAdapters, own],
    endpoints = [attached],
  }: {
    members?: object;
    adapters?: readonly HostAdapter[];
    endpoints?: readonly ObservedEndpoint[];
  } = {},
) =>
  diagnosisTexts(
    forwarding.diagnose(node({ endpoints }, { members, adapters }), {
      value: Object.entries(states).map(([index, on]) => ({
        index: Number(index),
        family: 'IPv4' as const,
        isEnabled: on,
      })),
    }),
  );

test('forwarding passes if it is on for the interfaces of the host endpoint and of the adapter', () => {
  expect(diagnose({ 5: false, 7: false, 12: true, 20: true })).toEqual([
    'PASS on for "vEthernet (pods_ep)" and "vEthernet (Ethernet)"',
  ]);
});

test('forwarding fails if it is off for one of them', () => {
  expect(diagnose({ 5: false, 7: false, 12: false, 20: true })).toEqual([
    'FAIL IPv4 forwarding is off on "vEthernet (Ethernet)": pods cannot reach other hosts | fix: Set-NetIPInterface -InterfaceIndex 12 -AddressFamily IPv4 -Forwarding Enabled',
  ]);
});

test('forwarding is needed for an interface with the addresses of the host endpoint, whatever its alias', () => {
  const other = { ...own, alias: 'vEthernet (Container NIC 1d2f)' };
  const given = {
    adapters: [...hostAdapters, other],
    endpoints: [{ ...attached, MacAddress: '00-15-5D-00-00-09' }],
  };
  expect(diagnose({ 12: true, 20: true }, given)).toEqual([
    'PASS on for "vEthernet (Container NIC 1d2f)" and "vEthernet (Ethernet)"',
  ]);
});

test("forwarding is needed for the host endpoint of another program too, such as flannel's", () => {
  const given = { members: { remoteSubnets: [{ subnet: '10.244.2.0/24', nextHop: '10.0.0.5' }] } };
  const off = { 12: true, 20: false };
  expect(diagnose(off, { ...given })).toEqual([
    'FAIL IPv4 forwarding is off on "vEthernet (pods_ep)": pods cannot reach other hosts | fix: Set-NetIPInterface -InterfaceIndex 20 -AddressFamily IPv4 -Forwarding Enabled',
  ]);
  const { HostComputeNamespace: _, ...unattached } = attached;
  expect(diagnose(off, { ...given, endpoints: [unattached] })).toEqual([]);
});

test('forwarding does not matter without a host endpoint, or before its interface exists', () => {
  expect(diagnose({ 12: false }, { endpoints: [] })).toEqual([]);
  expect(diagnose({ 12: false }, { adapters: hostAdapters })).toEqual([]);
});
