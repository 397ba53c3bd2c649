import { describe, expect, test } from 'vitest';
import { managementAddress, uplinksOf } from '../../../../src/cli/path/management.ts';
import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import type { ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { bridgeState, policy } from '../../../cluster/states.ts';

const node = bridgeState(1);
const unbound: ObservedNetwork = {
  ID: 'n',
  Name: 'n',
  Type: 'L2Bridge',
  SchemaVersion: { Major: 2, Minor: 0 },
};
const bound = { ...unbound, Policies: [policy('NetAdapterName', { NetworkAdapterName: 'Ethernet' })] };

/** The node with these addresses on the adapter with its default gateway. */
const withAddresses = (...addresses: readonly string[]): NodeState => ({
  ...node,
  adapters: node.adapters.map((one) =>
    one.index === 5 ? { ...one, addresses: addresses.map((address) => ({ address, length: 24 })) } : one,
  ),
});

describe("the node's address on a network without a known adapter is", () => {
  test.each([
    ['that of the adapter with the default gateway', ['10.0.0.1'], '10.0.0.1', undefined],
    ['one of each family', ['fd00::1', '10.0.0.1'], '10.0.0.1', 'fd00::1'],
    ['not link-local', ['fe80::1', '169.254.0.1', '10.0.0.1', 'fd00::1'], '10.0.0.1', 'fd00::1'],
    ['not certain with two of a family', ['10.0.0.1', '10.0.0.2', 'fd00::1'], undefined, 'fd00::1'],
    ['unknown without addresses', [], undefined, undefined],
  ])('%s', (_, addresses, ipv4, ipv6) => {
    const state = withAddresses(...addresses);
    expect([managementAddress(state, unbound, 'IPv4'), managementAddress(state, unbound, 'IPv6')]).toEqual([
      ipv4,
      ipv6,
    ]);
  });
});

test('a network reaches the physical network through adapters that have addresses', () => {
  const [first] = node.adapters;
  if (first === undefined) throw new Error('no adapter');
  const physical = { ...first, index: 4, alias: 'Ethernet', addresses: [] };
  const adapters = [physical, first];
  const indexes = (network: ObservedNetwork) =>
    uplinksOf({ ...node, adapters }, network).map(({ index }) => index);
  expect({ bound: indexes(bound), unbound: indexes(unbound) }).toEqual({ bound: [5], unbound: [5] });
});
