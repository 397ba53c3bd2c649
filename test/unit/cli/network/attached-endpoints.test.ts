import { expect, test } from 'vitest';
import { attachedEndpoints, countAttached } from '../../../../src/cli/network/attached-endpoints.ts';
import { interruption } from '../../../../src/cli/network/delete-network.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { bridgeState, podNamespace } from '../../../cluster/states.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const endpoint = (ID: string, changes: Partial<ObservedEndpoint> = {}): ObservedEndpoint => ({
  ID,
  Name: ID,
  HostComputeNetwork: 'bridge-1',
  SchemaVersion,
  ...changes,
});
/** One endpoint of each kind, in this order: leftover, remote, other; and one of another network. */
const others = [
  endpoint('0e12d1_cbr0', { HostComputeNamespace: '4a2d0c8e-0b1c-4c5e-9a4f-00000000dead' }),
  endpoint('remote', { Flags: 1 }),
  endpoint('other'),
  endpoint('elsewhere', { HostComputeNetwork: 'gone' }),
];
const loadBalancer = {
  ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
  HostComputeEndpoints: ['remote'],
  PortMappings: [],
  SchemaVersion,
};
const { inventory } = bridgeState(1, { others, loadBalancers: [loadBalancer] });
const attachedTo = (ID: string, endpoints = inventory.endpoints) =>
  attachedEndpoints({ ID }, { ...inventory, endpoints });

test('the endpoints that keep a network from being deleted are those of others than the node, by kind', () => {
  const { pods, leftovers, remote, others: rest } = attachedTo('bridge-1');
  expect([pods, leftovers, remote, rest].map((rows) => rows.map(({ name }) => name))).toEqual([
    ['pod-1'],
    ['0e12d1_cbr0'],
    ['remote'],
    ['other'],
  ]);
});

test.each([
  [0, ''],
  [1, '1 pod endpoint'],
  [2, '1 pod endpoint and 1 leftover'],
  [3, '1 pod endpoint, 1 leftover and 1 remote endpoint'],
  [4, '1 pod endpoint, 1 leftover, 1 remote endpoint and 1 other endpoint'],
])('%i endpoints are counted as "%s"', (count, text) => {
  const [pod, , ...rest] = inventory.endpoints;
  const endpoints = [...(pod === undefined ? [] : [pod]), ...rest].slice(0, count);
  expect(countAttached(attachedTo('bridge-1', endpoints))).toBe(text);
});

test('two pod endpoints are plural', () => {
  const endpoints = ['a', 'b'].map((ID) => endpoint(ID, { HostComputeNamespace: podNamespace }));
  expect(countAttached(attachedTo('bridge-1', endpoints))).toBe('2 pod endpoints');
});

test.each<[Partial<ObservedNetwork>, readonly string[]]>([
  [
    {
      Type: 'L2Bridge',
      Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
    },
    ['Connections to the node through adapter "Ethernet", such as RDP and SSH, can be interrupted.'],
  ],
  [
    { Type: 'Overlay' },
    ["Connections to the node through the network's adapter, such as RDP and SSH, can be interrupted."],
  ],
  [{ Type: 'NAT' }, []],
])('the deletion of a network %j interrupts %j', (changes, expected) => {
  expect(interruption({ ID: 'a', Name: 'cbr0', Type: 'L2Bridge', SchemaVersion, ...changes })).toEqual(
    expected,
  );
});
