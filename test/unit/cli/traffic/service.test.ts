import { expect, test } from 'vitest';
import { looksLikeService, servicePorts } from '../../../../src/cli/traffic/service.ts';
import type { ObservedLoadBalancer, Policy } from '../../../../src/hcn/documents.ts';
import { bridgeState, outboundNat as nat, overlayState, policy } from '../../../cluster/states.ts';

const balancer = (FrontendVIPs: readonly string[], ExternalPort = 80): ObservedLoadBalancer => ({
  ID: 'lb',
  HostComputeEndpoints: [],
  FrontendVIPs,
  PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort }],
  SchemaVersion: { Major: 2, Minor: 0 },
});
const sdn = (DestinationPrefix: string) => policy('SDNRoute', { DestinationPrefix });
const usual = nat('10.244.0.0/16', '10.96.0.0/12', '10.0.0.0/24');
const beside = (range: string) => `load balancers have addresses in ${range}`;

test.each<[string, string, string | undefined, readonly Policy[], readonly string[]]>([
  ['in an exception', '10.96.0.1', 'OutBoundNAT exception 10.96.0.0/12', [usual], []],
  ['in an SDNRoute', '10.96.0.1', 'SDNRoute 10.96.0.0/12', [sdn('10.96.0.0/12'), usual], []],
  [
    'in an exception beside an IPv6 SDNRoute',
    '10.96.0.1',
    'OutBoundNAT exception 10.96.0.0/12',
    [sdn('fd00::/108'), usual],
    [],
  ],
  ['an exception itself', '10.96.0.1', 'OutBoundNAT exception 10.96.0.1', [nat('10.96.0.1')], []],
  ['beside a frontend', '10.96.7.1', beside('10.96.0.0/16'), [], ['10.96.0.10']],
  ['an IPv6 address beside one', 'fd00::7', beside('fd00::/112'), [], ['fd00::a']],
  ['far from all frontends', '10.97.0.1', undefined, [], ['10.96.0.10']],
  ['an IPv6 address far from all', 'fd00::1:7', undefined, [], ['fd00::a']],
  ['without a sign', '10.96.0.1', undefined, [nat()], []],
  ['outside', '8.8.8.8', undefined, [usual], ['10.96.0.10']],
  ['outside, beside nodes in an exception', '10.0.1.9', undefined, [nat('10.0.0.0/16')], []],
  ['of a pod elsewhere, in an exception', '10.244.9.9', undefined, [usual], []],
  [
    'of another network in an exception',
    '10.50.0.9',
    undefined,
    [nat('10.50.0.0/16'), usual],
    ['10.96.0.10'],
  ],
  ['of a network beside SDNRoutes', '10.50.0.9', undefined, [sdn('10.96.0.0/12'), nat('10.50.0.0/16')], []],
  ['in an exception for everything', '8.8.8.8', undefined, [nat('0.0.0.0/0')], []],
  ['beside a frontend among the nodes', '10.0.7.9', undefined, [], ['10.0.0.50']],
  ['of the node', '10.0.0.1', undefined, [sdn('10.0.0.1/32')], []],
  ['in the subnet of the node', '10.0.0.9', undefined, [sdn('10.0.0.9/32')], ['10.0.0.50']],
  ['in the subnet of pods', '10.244.1.9', undefined, [sdn('10.244.1.9/32')], ['10.244.1.77']],
])('an address %s: %s', (_, address, expected, policies, frontends) => {
  const node = overlayState(1, { loadBalancers: frontends.map((one) => balancer([one])) });
  expect(looksLikeService(address, { Policies: policies }, node)).toBe(expected);
});

test.each<[string, string, ReturnType<typeof overlayState>]>([
  ['in a remote subnet', '10.244.2.9', overlayState(1)],
  ['with a route of the node', '10.244.2.9', bridgeState(1)],
  [
    'of an endpoint',
    '10.9.0.9',
    overlayState(1, { endpoint: { IpConfigurations: [{ IpAddress: '10.9.0.9' }] } }),
  ],
])('an address %s is no service', (_, address, node) => {
  const endpoint = { Policies: [sdn(`${address}/32`)] };
  expect(looksLikeService(address, endpoint, node)).toBeUndefined();
  const bare = { inventory: { ...node.inventory, networks: [], endpoints: [] }, adapters: node.adapters };
  expect(looksLikeService(address, endpoint, bare)).toBe(`SDNRoute ${address}/32`);
});

test('a network for every address does not hide services', () => {
  const everything = { Ipams: [{ Subnets: [{ IpAddressPrefix: '0.0.0.0/0' }] }] };
  const node = overlayState(1, { network: everything });
  expect(looksLikeService('10.96.0.1', { Policies: [usual] }, node)).toBe(
    'OutBoundNAT exception 10.96.0.0/12',
  );
});

test('a service address has the ports of all its load balancers, and an address of the node has none', () => {
  const node = overlayState(1, {
    loadBalancers: [
      balancer(['10.96.0.10', '10.0.0.1']),
      balancer(['10.96.0.10'], 443),
      balancer(['10.96.0.11'], 53),
    ],
  });
  const ports = ['10.96.0.10', '10.0.0.1', '10.96.0.12'].map((address) => servicePorts(address, node));
  expect(ports).toEqual(['80/tcp, 443/tcp', '', '']);
});
