import { expect, test } from 'vitest';
import { forwarding } from '../../../../src/cli/doctor/checks/node.ts';
import { capturedTraffic, remoteEndpoints, remoteSubnets } from '../../../../src/cli/doctor/checks/routes.ts';
import type { ObservedEndpoint, Policy } from '../../../../src/hcn/documents.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { type NodeRoute, newNodeRoute } from '../../../../src/net/node-route.ts';
import { hostAdapters, hostEndpointInterface } from '../../plan/host-adapters.ts';
import { adaptersWith, diagnosed, hostNamespace, node, pods, withAddress } from './snapshot.ts';

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
) => {
  const value = Object.entries(states).flatMap(([index, isEnabled]) => [
    { index: Number(index), family: 'IPv6' as const, isEnabled: !isEnabled },
    { index: Number(index), family: 'IPv4' as const, isEnabled },
  ]);
  const given = node({ endpoints }, { members, adapters });
  return diagnosed(forwarding, { ...given, windows: { ...given.windows, forwarding: { value } } });
};

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

test("forwarding is needed for the host endpoint of another program too, such as flannel's", () => {
  const given = { members: { remoteSubnets: [{ subnet: '10.244.2.0/24', nextHop: '10.0.0.5' }] } };
  const off = { 12: true, 20: false };
  expect(diagnose(off, { ...given })).toEqual([
    'FAIL IPv4 forwarding is off on "vEthernet (pods_ep)": pods cannot reach other hosts | fix: Set-NetIPInterface -InterfaceIndex 20 -AddressFamily IPv4 -Forwarding Enabled',
  ]);
});

test('forwarding does not matter without a host endpoint, or before its interface exists', () => {
  expect(diagnose({ 12: false }, { endpoints: [] })).toEqual([]);
  expect(diagnose({ 12: false }, { adapters: hostAdapters })).toEqual([]);
});

const routed = { remoteSubnets: [{ subnet: '10.244.2.0/24', nextHop: '10.0.0.5' }] };
const ours = newNodeRoute(12, '10.244.2.0/24', '10.0.0.5');
const fix = 'fix: win-hcn network sync C:\\etc\\cni\\net.d\\10-pods.conf --yes';
const withRoutes = (...value: readonly NodeRoute[]) =>
  diagnosed(remoteSubnets, { ...node({}, { members: routed }), routes: { value } });

const overlay = {
  networkType: 'Overlay',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
  remoteSubnets: [{ subnet: '10.244.2.0/24', providerAddress: '10.0.0.5', macAddress: '00-15-5D-0A-0B-05' }],
};
const policy = (DestinationPrefix: string, ProviderAddress: string): Policy => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix,
    IsolationId: 4096,
    ProviderAddress,
    DistributedRouterMacAddress: '00:15:5d:0a:0b:05',
  },
});
const withPolicies = (...policies: readonly Policy[]) => {
  const Subnets = [
    { IpAddressPrefix: '10.244.1.0/24', Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }] },
  ];
  const Policies = [...(pods.Policies ?? []), ...policies];
  const networks = [{ ...pods, Type: 'Overlay', Ipams: [{ Subnets }], Policies }];
  return diagnosed(remoteSubnets, node({ networks }, { members: overlay }));
};

test('remote subnets pass if they are as configured, and additional ones do not matter', () => {
  expect(withRoutes(ours)).toEqual(['PASS 1 remote subnet as configured']);
  expect(withRoutes(ours, newNodeRoute(12, '10.244.9.0/24', '10.0.0.9'))).toEqual([
    'PASS 1 remote subnet as configured',
  ]);
  expect(withPolicies(policy('10.244.2.0/24', '10.0.0.5'))).toEqual(['PASS 1 remote subnet as configured']);
});

test('missing and different remote subnets fail, with the command that sets them', () => {
  expect(withRoutes()).toEqual([
    `FAIL pods cannot reach the pods there | remote subnet 10.244.2.0/24 is missing | noun: remote subnet | ${fix}`,
  ]);
  expect(withRoutes({ ...ours, nextHop: '10.0.0.9' })).toEqual([
    `FAIL pods cannot reach the pods there | remote subnet 10.244.2.0/24 is via 10.0.0.9, expected via 10.0.0.5 | noun: remote subnet | ${fix}`,
  ]);
  expect(withPolicies()).toEqual([
    `FAIL pods cannot reach the pods there | remote subnet 10.244.2.0/24 is missing | noun: remote subnet | ${fix}`,
  ]);
  expect(withPolicies(policy('10.244.2.0/24', '10.0.0.9'))).toEqual([
    `FAIL pods cannot reach the pods there | remote subnet 10.244.2.0/24 is via 10.0.0.9, MAC address 00-15-5D-0A-0B-05, VSID 4096, expected via 10.0.0.5, MAC address 00-15-5D-0A-0B-05, VSID 4096 | noun: remote subnet | ${fix}`,
  ]);
});

test("another program's route is a warning: network sync does not change it", () => {
  expect(withRoutes({ ...ours, nextHop: '10.0.0.9', metric: 256 })).toEqual([
    'WARN another program created the route | remote subnet 10.244.2.0/24 is via 10.0.0.9, expected via 10.0.0.5 | noun: remote subnet | see: Get-NetRoute -DestinationPrefix 10.244.2.0/24',
  ]);
});

test('routes and adapters that cannot be read are unknown', () => {
  const given = node({}, { members: routed });
  expect(diagnosed(remoteSubnets, given)).toEqual(['UNKNOWN not queried']);
  const adapters = { error: 'no adapters' };
  expect(diagnosed(remoteSubnets, { ...given, adapters, routes: { value: [] } })).toEqual([
    'UNKNOWN no adapters',
  ]);
  const lost = node(
    {},
    { members: routed, adapters: adaptersWith('vEthernet (Ethernet)', { addresses: [] }) },
  );
  expect(diagnosed(remoteSubnets, { ...lost, routes: { value: [] } })).toEqual([
    'UNKNOWN the node has no address on the network',
  ]);
});

test('nothing is checked without remote subnets, or before the network exists', () => {
  expect(remoteSubnets.diagnose(node())).toEqual([]);
  expect(remoteSubnets.diagnose(node({ networks: [] }, { members: routed }))).toEqual([]);
});

test('remote endpoints on an Overlay network are compared with its remote subnets', () => {
  const network = { ...pods, Type: 'Overlay', Policies: [policy('10.244.2.0/24', '10.0.0.5')] };
  const remote = (address: string, ProviderAddress = '10.0.0.5') => {
    const Policies = [{ Type: 'ProviderAddress', Settings: { ProviderAddress } }];
    return withAddress('7', address, { Flags: 1, Policies });
  };
  const given = (...endpoints: readonly ObservedEndpoint[]) =>
    diagnosed(remoteEndpoints, node({ networks: [network], endpoints: [...endpoints] }));
  expect(given(remote('192.0.2.20'))).toEqual([]);
  expect(given(remote('10.244.2.9'), remote('10.0.0.20'))).toEqual([
    'PASS 1 of 2 remote endpoints with the provider address of the remote subnet',
  ]);
  expect(given(remote('10.244.2.9', '10.0.0.6'))).toEqual([
    'WARN remote, sends to node 10.0.0.6, but its subnet is at 10.0.0.5 | fd6bec0f (10.244.2.9) | see: win-hcn show endpoint fd6bec0f',
  ]);
});

test('routes on another adapter must not lead to the pods of this node', () => {
  const route = (prefix: string, interfaceIndex: number): NodeRoute => ({
    interfaceIndex,
    prefix,
    nextHop: '0.0.0.0',
    metric: 1,
    protocol: 3,
  });
  const given = (...value: readonly NodeRoute[]) =>
    diagnosed(capturedTraffic, { ...node({}), routes: { value } });
  expect(
    given(...['10.244.0.0/16', '10.245.1.0/25', '10.244.1.9/32'].map((prefix) => route(prefix, 99))),
  ).toEqual(['PASS no route on another adapter leads into 10.244.1.0/24']);
  expect(given(route('10.244.1.0/24', 99))).toEqual([
    'FAIL route 10.244.1.0/24 via 0.0.0.0 on "interface 99" takes the traffic for pods in 10.244.1.0/24 | see: Get-NetRoute -DestinationPrefix 10.244.1.0/24',
  ]);
  expect(diagnosed(capturedTraffic, node({}))).toEqual([]);
});
