import { describe, expect, test } from 'vitest';
import type {
  HostComputeNamespace,
  ObservedEndpoint,
  ObservedLoadBalancer,
} from '../../../src/hcn/documents.ts';
import type { Unreadable } from '../../../src/model/inventory.ts';
import { leftoverIn } from '../../../src/model/leftovers.ts';
import type { Owner } from '../../../src/model/ownership.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const id = (digit: number) => `${digit}2222222-2222-3333-4444-555555555555`;
const endpoint = (change: object = {}): ObservedEndpoint => ({
  ID: id(1),
  Name: 'c0ffee_cbr0_eth0',
  HostComputeNetwork: id(2),
  SchemaVersion,
  ...change,
});
const attached = { HostComputeNamespace: id(3) };
const remote = { Flags: 1 };
const namespace = (ID: string): HostComputeNamespace => ({ ID, SchemaVersion });
const balancer = (...HostComputeEndpoints: readonly string[]): ObservedLoadBalancer => ({
  ID: id(4),
  HostComputeEndpoints,
  PortMappings: [],
  SchemaVersion,
});
const unreadable = (kind: Unreadable['kind'], digit: number): Unreadable => ({
  kind,
  id: id(digit),
  error: new Error('x'),
});
const reasonOf = (
  change: object,
  owner: Owner,
  namespaces: readonly HostComputeNamespace[] = [],
  loadBalancers: readonly ObservedLoadBalancer[] = [],
  others: readonly Unreadable[] = [],
) => leftoverIn({ namespaces, loadBalancers, unreadable: others }, endpoint(change), owner);

describe('an endpoint of another plugin', () => {
  test('whose namespace is gone, and not only unreadable, is left over in any state', () => {
    expect(reasonOf({ ...attached, State: 2 }, 'another plugin')).toBe('namespace gone');
    expect(reasonOf({ ...attached, State: 2 }, 'another plugin', [namespace(id(3))])).toBeUndefined();
    expect(reasonOf(attached, 'another plugin', [], [], [unreadable('Namespace', 3)])).toBeUndefined();
  });
});

describe.each(['win-hcn', 'kube-proxy', 'unknown'] as const)('a remote endpoint of the owner %s', (owner) => {
  test.each([
    ['that one load balancer has', [balancer(id(5)), balancer(id(5), id(1))], [], undefined],
    [
      'if a load balancer cannot be read',
      [],
      [unreadable('Endpoint', 6), unreadable('LoadBalancer', 7)],
      undefined,
    ],
    ['if another object cannot be read', [], [unreadable('Endpoint', 6)], 'no load balancer'],
  ])('%s', (_, loadBalancers, others, reason) => {
    expect(reasonOf(remote, owner, [], loadBalancers, others)).toBe(reason);
  });
});

test('a remote endpoint that stands for the node is not left over', () => {
  expect(reasonOf(remote, 'node')).toBeUndefined();
});

test('without a list of unreadable objects there are none', () => {
  expect(leftoverIn({ namespaces: [], loadBalancers: [] }, endpoint(), 'win-hcn')).toBe('no namespace');
});
