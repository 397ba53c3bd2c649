import { describe, expect, test } from 'vitest';
import {
  hasManagementAddress,
  isAttached,
  isIdle,
  isInUse,
  isReady,
  isUsableAddress,
  stateName,
} from '../../../src/model/readiness.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

test.each([
  ['l2bridge', true],
  ['L2Tunnel', true],
])("HNS moves the adapter's address to a network of type %s: %j", (Type, expected) => {
  expect(hasManagementAddress({ Name: 'cbr0', Type, SchemaVersion })).toBe(expected);
});

test.each([
  ['10.0.0.4', true],
  ['', false],
  ['0.0.0.0', false],
  ['::', false],
  ['169.254.7.7', false],
])('other nodes can reach %j: %j', (address, expected) => {
  expect(isUsableAddress(address)).toBe(expected);
});

test.each([
  ['00000000-0000-0000-0000-000000000000', false],
  ['B0000000-0000-0000-0000-000000000000', true],
  [undefined, false],
])('an endpoint is attached if its namespace %s has a digit other than 0: %j', (id, expected) => {
  const endpoint = { Name: 'a', HostComputeNetwork: 'b', SchemaVersion };
  expect(isAttached({ ...endpoint, ...(id !== undefined && { HostComputeNamespace: id }) })).toBe(expected);
});

test.each([
  [0, 'unknown', false, false],
  [1, 'Created', false, true],
  [2, 'Attached', true, false],
  [3, 'AttachedSharing', true, false],
  [4, 'Detached', false, true],
  [5, 'Degraded', false, false],
  [6, 'Destroyed', false, true],
])('an endpoint in state %j is %s, in use: %j, idle: %j', (State, name, inUse, idle) => {
  const endpoint = {
    Name: 'c0ffee_cbr0_eth0',
    HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
    SchemaVersion,
    ...(State !== undefined && { State }),
  };
  expect([stateName(endpoint), isInUse(endpoint), isIdle(endpoint)]).toEqual([name, inUse, idle]);
});

describe('an Overlay network', () => {
  const provider = (ProviderAddress: string) => ({ Type: 'ProviderAddress', Settings: { ProviderAddress } });
  const drMac = { Type: 'DRMacAddress', Settings: { Address: '00-15-5D-BB-6E-B1' } };
  const overlay = {
    Name: 'overlay',
    Type: 'overlay',
    Policies: [drMac, provider('10.0.0.4')],
    SchemaVersion,
  };

  test('is ready with a DR MAC address and a provider address', () => {
    expect(isReady(overlay)).toBe(true);
  });

  test.each([[[provider('10.0.0.4')]], [[drMac, provider('169.254.7.7')]], [[drMac, provider('')]]])(
    'is not ready with %j',
    (Policies) => {
      expect(isReady({ ...overlay, Policies })).toBe(false);
    },
  );

  test('is the only type that needs them', () => {
    expect(isReady({ ...overlay, Type: 'L2Bridge', Policies: [] })).toBe(true);
  });
});
