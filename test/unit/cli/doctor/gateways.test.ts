import { expect, test } from 'vitest';
import { gateways } from '../../../../src/cli/doctor/checks/pods.ts';
import type { ObservedEndpoint, Route } from '../../../../src/hcn/documents.ts';
import { diagnosed, node, pods, withAddress } from './snapshot.ts';

const others = { ...pods, ID: 'c1e6032f-bbf7-4b5a-880f-667bebc65503', Name: 'others' };
const namespace = (digit: string) => `${digit}d6bec0f-7b88-4b61-b5af-708900000000`;
const via = (...nextHops: readonly string[]): readonly Route[] =>
  nextHops.map((NextHop) => ({ NextHop, DestinationPrefix: '0.0.0.0/0' }));
const pod = (digit: string, Routes: readonly Route[], more: Partial<ObservedEndpoint> = {}) =>
  withAddress(digit, `10.244.1.3${digit}`, {
    ID: namespace(digit).replace('00000000', digit.repeat(8)),
    HostComputeNetwork: others.ID,
    HostComputeNamespace: namespace(digit),
    Routes,
    ...more,
  });
const first = pod('1', via('10.244.1.22'));
const passed = (count: string) => `PASS ${count}, gateway 10.244.1.22 (this node)`;
const see = (digit: string) => `see: win-hcn show endpoint ${digit}d6bec0f`;

test.each<[string, readonly ObservedEndpoint[], readonly string[]]>([
  [
    'passes if an endpoint of the node has it',
    [first, pod('2', via('10.244.1.22'))],
    [passed('2 endpoints')],
  ],
  [
    'fails without it',
    [pod('1', via('10.244.1.9'))],
    [`FAIL nothing on this node has gateway 10.244.1.9 | 1d6bec0f | ${see('1')}`],
  ],
  [
    "warns if it is the network's own, which a router may have",
    [pod('1', via('10.244.1.1'))],
    [`WARN nothing on this node has gateway 10.244.1.1: a router must have it | 1d6bec0f | ${see('1')}`],
  ],
  [
    'fails without a default route',
    [first, pod('2', [])],
    [`FAIL no default route | 2d6bec0f | ${see('2')}`],
  ],
  ['is not checked if HNS may not return routes', [pod('1', [])], []],
  [
    'need not be that of a second interface',
    [first, pod('2', [], { HostComputeNamespace: namespace('1') })],
    [passed('1 endpoint')],
  ],
  ['is not checked outside of a namespace', [pod('1', via('10.244.1.9'), { HostComputeNamespace: '' })], []],
  [
    'is that of the configuration on its network',
    [pod('1', via('10.244.1.9'), { HostComputeNetwork: pods.ID })],
    [],
  ],
])('the gateway of a pod %s', (_, endpoints, expected) => {
  const local = withAddress('9', '10.244.1.22', { HostComputeNetwork: others.ID });
  expect(diagnosed(gateways, node({ networks: [pods, others], endpoints: [local, ...endpoints] }))).toEqual(
    expected,
  );
});

test('the gateway is not checked on a network without routes', () => {
  const networks = [{ ...others, Type: 'Private' }];
  expect(diagnosed(gateways, node({ networks, endpoints: [pod('1', via('10.244.1.9'))] }))).toEqual([]);
});
