import { describe, expect, test } from 'vitest';
import type {
  HostComputeNamespace,
  ObservedEndpoint,
  ObservedLoadBalancer,
} from '../../../src/hcn/documents.ts';
import type { Unreadable } from '../../../src/model/inventory.ts';
import { leftoverIn, leftoverTexts } from '../../../src/model/leftovers.ts';
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

describe('an endpoint of win-hcn', () => {
  test.each<[string, object, readonly HostComputeNamespace[], readonly Unreadable[], string | undefined]>([
    ['in no namespace', {}, [], [], 'no namespace'],
    ['in no namespace, in use', { State: 2 }, [], [], 'no namespace'],
    ['whose namespace is gone', attached, [namespace(id(5))], [], 'namespace gone'],
    ['whose namespace exists', attached, [namespace(id(5)), namespace(id(3))], [], undefined],
    ['whose namespace cannot be read', attached, [], [unreadable('Namespace', 3)], undefined],
    [
      'whose namespace is gone, beside unreadable objects',
      attached,
      [],
      [unreadable('LoadBalancer', 5)],
      'namespace gone',
    ],
  ])('%s', (_, change, namespaces, others, reason) => {
    expect(reasonOf(change, 'win-hcn', namespaces, [], others)).toBe(reason);
  });
});

describe('an endpoint of another plugin', () => {
  test.each([
    [undefined, undefined],
    [0, undefined],
    [1, 'no namespace'],
    [2, undefined],
    [3, undefined],
    [4, 'no namespace'],
    [5, undefined],
    [6, 'no namespace'],
    [7, undefined],
  ])('in no namespace, in state %j: %j', (State, reason) => {
    expect(reasonOf({ ...(State !== undefined && { State }) }, 'another plugin')).toBe(reason);
  });

  test('whose namespace is gone is left over in any state', () => {
    expect(reasonOf({ ...attached, State: 2 }, 'another plugin')).toBe('namespace gone');
    expect(reasonOf({ ...attached, State: 2 }, 'another plugin', [namespace(id(3))])).toBeUndefined();
  });
});

test.each(['node', 'unknown', 'kube-proxy'] as const)(
  'an endpoint of the owner %s is never left over',
  (owner) => {
    expect(reasonOf({ State: 1 }, owner)).toBeUndefined();
    expect(reasonOf(attached, owner)).toBeUndefined();
  },
);

describe.each(['win-hcn', 'kube-proxy', 'unknown'] as const)('a remote endpoint of the owner %s', (owner) => {
  test.each([
    ['without a load balancer', [], [], 'no load balancer'],
    ['of which a load balancer has another one', [balancer(id(5))], [], 'no load balancer'],
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

test('without a list of unreadable objects there are none', () => {
  expect(leftoverIn({ namespaces: [], loadBalancers: [] }, endpoint(), 'win-hcn')).toBe('no namespace');
});

test('the reasons have these texts', () => {
  expect(leftoverTexts).toEqual({
    'no namespace': 'in no namespace',
    'namespace gone': 'its namespace is gone',
    'no load balancer': 'no load balancer refers to it',
  });
});
